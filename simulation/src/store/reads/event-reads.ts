import { MarketError, type EventQuery } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import { rowOf, slotsOf } from '../engine/table.ts'
import type { CursorRow, OutboxRow } from '../rows.ts'
import type { Part, StoreParts } from './parts.ts'

type Place = { readonly xid: number; readonly seq: number }
type EventReads = Part<
  | 'eventsAfter'
  | 'areKept'
  | 'eventHorizon'
  | 'forgetEvents'
  | 'holdCursor'
  | 'moveCursor'
  | 'failCursor'
  | 'releaseCursor'
>

export function eventReads(parts: StoreParts): EventReads {
  const { disk, line } = parts
  const horizon = (): Promise<Place> => line.read('eventHorizon', () => ({ xid: disk.horizon(), seq: 0 }))
  return {
    async eventsAfter(query, after, limit, offset = 0) {
      const from = after === null ? { xid: 0, seq: 0 } : readPlace(after)
      // The horizon is taken first: a place at it is never behind an event that was not given.
      const below = await horizon()
      if (isBehind(from, below)) throw notGiven(after ?? '')
      const rows = await line.read('eventsAfter', () =>
        eventsBetween(disk, query, from, below.xid, offset + limit + 1).slice(offset),
      )
      const found = rows.slice(0, limit)
      const last = found.at(-1)
      const end = rows.length > limit && last !== undefined ? last : below
      return { events: found.map(toEvent), place: writePlace(end), hasMore: rows.length > limit }
    },
    // Nothing is forgotten within the life of a seed.
    areKept: () => Promise.resolve(true),
    eventHorizon: async () => writePlace(await horizon()),
    forgetEvents: (before, limit) =>
      line.write('forgetEvents', () => {
        const old = disk.events.filter(({ at }) => at < before).slice(0, limit)
        for (const event of old) disk.events.splice(disk.events.indexOf(event), 1)
        return old.length
      }),
    ...cursorReads(parts),
  }
}

function eventsBetween(
  { events, tables: { tasks } }: Disk,
  query: EventQuery,
  from: Place,
  below: number,
  limit: number,
): readonly OutboxRow[] {
  const found: OutboxRow[] = []
  for (const event of events) {
    if (event.xid >= below || found.length === limit) break
    const isAsked =
      isBehind(event, from) &&
      (query.wallet === null || event.wallets.includes(query.wallet)) &&
      (query.types === null || query.types.includes(event.type)) &&
      (query.taskId === null || event.taskId === query.taskId) &&
      (query.publicOnly !== true || event.data['listing_id'] === undefined) &&
      (query.category === null ||
        (event.taskId !== null && rowOf(undefined, tasks.by.pkey, event.taskId)?.task.category === query.category))
    if (isAsked) found.push(event)
  }
  return found
}

function isBehind(one: Place, other: Place): boolean {
  return one.xid > other.xid || (one.xid === other.xid && one.seq > other.seq)
}

function toEvent({ id, type, taskId, at, data, wallets, xid, seq }: OutboxRow) {
  return { id, type, taskId, at, data, wallets, place: writePlace({ xid, seq }) }
}

function writePlace({ xid, seq }: Place): string {
  return `${xid.toString(36)}.${seq.toString(36)}`
}

/** @throws VALIDATION_FAILED for a place that no answer gave */
function readPlace(text: string): Place {
  const [, xid, seq] = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/.exec(text) ?? []
  if (xid === undefined || seq === undefined) throw notGiven(text)
  return { xid: Number.parseInt(xid, 36), seq: Number.parseInt(seq, 36) }
}

function notGiven(received: string): MarketError {
  return new MarketError('VALIDATION_FAILED', {
    field: 'cursor',
    constraint: 'a next_cursor of this stream',
    received,
  })
}

function cursorReads({ disk, line }: StoreParts): Part<'holdCursor' | 'moveCursor' | 'failCursor' | 'releaseCursor'> {
  const { cursors } = disk.tables
  const changed = (
    label: string,
    name: string,
    where: (row: CursorRow) => boolean,
    change: (row: CursorRow) => CursorRow,
  ): Promise<readonly CursorRow[]> =>
    line.write(label, (session) =>
      cursors.update(session, slotsOf(session, cursors.by.pkey, name, where), where, change),
    )
  const isHeldBy =
    (holder: string) =>
    (row: CursorRow): boolean =>
      row.holder === holder
  return {
    async holdCursor(name, holder, now, until) {
      await line.write('holdCursor begin', (session) =>
        cursors.insert(session, { name, xid: disk.horizon(), seq: 0, holder: null, heldUntil: null, failures: 0 }, [
          cursors.by.pkey,
        ]),
      )
      const [row] = await changed(
        'holdCursor',
        name,
        ({ heldUntil }) => heldUntil === null || heldUntil <= now.getTime(),
        (one) => ({ ...one, holder, heldUntil: until.getTime() }),
      )
      return row === undefined ? null : { name, holder, place: writePlace(row), failures: row.failures }
    },
    async moveCursor({ name, holder }, to, until) {
      const { xid, seq } = readPlace(to)
      return (
        (
          await changed('moveCursor', name, isHeldBy(holder), (row) => ({
            ...row,
            xid,
            seq,
            heldUntil: until.getTime(),
            failures: 0,
          }))
        ).length > 0
      )
    },
    failCursor: async ({ name, holder }) => {
      await changed('failCursor', name, isHeldBy(holder), (row) => ({
        ...row,
        failures: row.failures + 1,
        heldUntil: null,
      }))
    },
    releaseCursor: async ({ name, holder }) => {
      await changed('releaseCursor', name, isHeldBy(holder), (row) => ({ ...row, heldUntil: null }))
    },
  }
}
