import type { CursorStore } from '@ergon/core'
import type { Pool } from 'pg'
import { readPlace, writePlace } from './event-feed.ts'
import { leaseKeeperOf, queues } from './lease-keeper.ts'

type CursorRow = { readonly xid: string; readonly seq: bigint; readonly failures: number }

/** Telling one event may take this long. */
const noticeMs = 60_000

export function createCursors(pool: Pool): CursorStore {
  const changed = async (name: string, text: string, values: readonly unknown[]): Promise<boolean> =>
    ((await pool.query({ name, text, values: [...values] })).rowCount ?? 0) > 0
  const keepCursor = (name: string, holder: string, until: Date): void => {
    leaseKeeperOf(pool).keep(queues.cursors, [{ keys: [name, holder], due: until }], noticeMs)
  }
  return {
    async holdCursor(name, holder, now, until) {
      await pool.query({
        name: 'cursor-begin',
        text: `insert into event_cursors (name, xid, seq) values ($1, event_horizon(), 0)
          on conflict (name) do nothing`,
        values: [name],
      })
      const { rows } = await pool.query<CursorRow>({
        name: 'cursor-hold',
        text: `update event_cursors set holder = $2, held_until = $4
          where name = $1 and (held_until is null or held_until <= $3) returning xid::text as xid, seq, failures`,
        values: [name, holder, now, until],
      })
      const row = rows[0]
      if (row !== undefined) keepCursor(name, holder, until)
      return row === undefined
        ? null
        : { name, holder, place: writePlace({ xid: row.xid, seq: String(row.seq) }), failures: row.failures }
    },
    async moveCursor({ name, holder }, to, until) {
      const { xid, seq } = readPlace(to)
      const isHeld = await changed(
        'cursor-move',
        `update event_cursors set xid = $3::xid8, seq = $4::bigint, held_until = $5, failures = 0
          where name = $1 and holder = $2`,
        [name, holder, xid, seq, until],
      )
      if (isHeld) keepCursor(name, holder, until)
      return isHeld
    },
    failCursor: async ({ name, holder }) => {
      await changed(
        'cursor-fail',
        'update event_cursors set failures = failures + 1, held_until = null where name = $1 and holder = $2',
        [name, holder],
      )
    },
    releaseCursor: async ({ name, holder }) => {
      await changed('cursor-release', 'update event_cursors set held_until = null where name = $1 and holder = $2', [
        name,
        holder,
      ])
    },
  }
}
