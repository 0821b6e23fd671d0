import { createSchema, type Schema } from '../schema.ts'
import type { OutboxRow } from '../rows.ts'
import { connectionLost } from './errors.ts'
import { release, type Lockable } from './locks.ts'
import type { Point, Session } from './session.ts'

/** Rows that outlive every process, and the transactions that are open on them. */
export type Disk = {
  readonly tables: Schema
  /** Committed events in the order of the stream. */
  readonly events: OutboxRow[]
  /** The statements that would have waited for themselves; none is, of flows that lock in one order (decision 0205). */
  readonly deadlocks: string[]
  nextSeq(): number
  open(connection: string, point: Point): Session
  /** What has a name and no row, as an advisory lock of PostgreSQL. */
  named(name: string): Lockable
  /** What this transaction adds to the stream when it commits. */
  tell(session: Session, event: Omit<OutboxRow, 'xid' | 'seq'>): void
  commit(session: Session): void
  /** Undoes what was written and lets go of all locks; the transaction is `state` from then on. */
  undo(session: Session, state: 'failed' | 'lost' | 'over'): void
  /** Every transaction older than this is over. */
  horizon(): number
  /** No transaction is open, however long its line takes. */
  isIdle(): boolean
  drop(connection: string | null): void
}

export function createDisk(): Disk {
  const [open, running] = [new Set<Session>(), new Set<Session>()] as const
  const told = new Map<Session, OutboxRow[]>()
  const events: OutboxRow[] = []
  let [lastXid, lastSeq] = [0, 0]

  const begin = (session: Session): void => {
    if (session.xid !== 0) return
    lastXid += 1
    session.xid = lastXid
    running.add(session)
  }
  const end = (session: Session, isCommitted: boolean, state: Session['state']): void => {
    session.state = state
    running.delete(session)
    for (const written of session.written.splice(0)) written(isCommitted)
    const own = told.get(session)
    told.delete(session)
    if (isCommitted && own !== undefined) publish(events, own)
    release(session)
  }
  const disk: Disk = {
    tables: createSchema(),
    events,
    deadlocks: [],
    nextSeq: () => (lastSeq += 1),
    open(connection, point) {
      const session: Session = {
        connection,
        point,
        xid: 0,
        begin: () => begin(session),
        state: 'open',
        written: [],
        held: [],
        followers: [],
        waiting: undefined,
      }
      open.add(session)
      return session
    },
    named: createNames(),
    tell(session, event) {
      if (session.state !== 'open') throw connectionLost()
      begin(session)
      const row = { ...event, xid: session.xid, seq: disk.nextSeq() }
      const own = told.get(session)
      if (own === undefined) told.set(session, [row])
      else own.push(row)
    },
    commit(session) {
      open.delete(session)
      end(session, true, 'over')
    },
    undo(session, state) {
      if (state !== 'failed') open.delete(session)
      end(session, false, state)
    },
    horizon() {
      let oldest = lastXid + 1
      for (const { xid } of running) oldest = Math.min(oldest, xid)
      return oldest
    },
    isIdle: () => open.size === 0,
    drop(connection) {
      for (const session of [...open])
        if (connection === null || session.connection === connection) disk.undo(session, 'lost')
    },
  }
  return disk
}

function createNames(): Disk['named'] {
  const names = new Map<string, Lockable>()
  return (name) => {
    const known = names.get(name) ?? { holders: [], queue: [] }
    names.set(name, known)
    return known
  }
}

/** Transactions commit in any order; the stream is in the order of their numbers. */
function publish(events: OutboxRow[], own: readonly OutboxRow[]): void {
  const xid = own[0]?.xid ?? 0
  let at = events.length
  while (at > 0 && (events[at - 1]?.xid ?? 0) > xid) at -= 1
  events.splice(at, 0, ...own)
}
