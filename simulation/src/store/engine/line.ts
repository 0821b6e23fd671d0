import {
  asFlowsSee,
  connectionLost,
  DatabaseError,
  deadlockCode,
  refusedConnection,
  transactionAborted,
} from './errors.ts'
import type { Disk } from './database.ts'
import type { Point, Session, Viewer } from './session.ts'

/** What becomes of a commit. `lost after`: it happened, and its answer never comes. */
export type Commit = 'commit' | 'lost before' | 'lost after'

export type LineDeps = {
  readonly disk: Disk
  readonly connection: string
  readonly point: Point
  readonly commit: (label: string) => Commit
  readonly isUp: () => boolean
}

/** The statements of one transaction, one after another. */
export type Run = <T>(label: string, statement: (session: Session) => T | Promise<T>) => Promise<T>

/** How a process speaks with the database: each call on a connection of its own, as from a pool. */
export type Line = {
  /** A statement by itself that only reads what is committed. */
  read<T>(label: string, statement: (viewer: Viewer) => T): Promise<T>
  /** A statement by itself that writes: it commits when it ends. */
  write<T>(label: string, statement: (session: Session) => T | Promise<T>): Promise<T>
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>
}

type Connecting = { readonly reach: (label: string) => Promise<void> | undefined; readonly openSession: () => Session }

function connecting({ disk, connection, point, isUp }: LineDeps): Connecting {
  /** A point that fails is a line that was cut. */
  const cut = (): never => {
    throw connectionLost()
  }
  const requireUp = (): void => {
    if (!isUp()) throw refusedConnection()
  }
  return {
    reach(label) {
      const reached = point(label)
      if (reached !== undefined) return reached.then(requireUp, cut)
      requireUp()
      return undefined
    },
    openSession() {
      const lose = (): never => {
        if (isOpen(session)) disk.undo(session, 'lost')
        throw connectionLost()
      }
      const session: Session = disk.open(connection, (label) => point(label)?.catch(lose))
      return session
    },
  }
}

export function createLine(deps: LineDeps): Line {
  const { disk, commit } = deps
  const { reach, openSession } = connecting(deps)
  const end = (session: Session, label: string): void => {
    if (session.state === 'lost') throw connectionLost()
    // The database answers a commit of what failed with a rollback.
    if (session.state === 'failed') {
      disk.undo(session, 'over')
      throw session.failure ?? transactionAborted()
    }
    const fate = commit(label)
    if (fate === 'lost before') disk.undo(session, 'lost')
    else disk.commit(session)
    if (fate !== 'commit') {
      session.state = 'lost'
      throw connectionLost()
    }
  }
  return {
    async read(label, statement) {
      try {
        const reached = reach(label)
        if (reached !== undefined) await reached
        return statement(undefined)
      } catch (error) {
        throw asFlowsSee(error)
      }
    },
    async write(label, statement) {
      let session: Session | undefined
      try {
        const reached = reach(label)
        if (reached !== undefined) await reached
        session = openSession()
        const result = await statement(session)
        end(session, label)
        return result
      } catch (error) {
        if (session?.state === 'open') disk.undo(session, 'over')
        noteDeadlock(disk, label, error)
        throw asFlowsSee(error)
      }
    },
    async transaction(work) {
      let session: Session | undefined
      try {
        const reached = reach('begin')
        if (reached !== undefined) await reached
        session = openSession()
        const result = await work(createRun(disk, session))
        await session.point('commit')
        end(session, 'commit')
        return result
      } catch (error) {
        if (session !== undefined) await rollBack(disk, session)
        throw asFlowsSee(error)
      }
    },
  }
}

async function rollBack(disk: Disk, session: Session): Promise<void> {
  if (session.state !== 'open' && session.state !== 'failed') return
  await session.point('rollback')?.catch(() => undefined)
  if (isOpen(session)) disk.undo(session, 'over')
}

function noteDeadlock({ deadlocks }: Disk, label: string, error: unknown): void {
  if (error instanceof DatabaseError && error.code === deadlockCode) deadlocks.push(label)
}

/** Asked again: while one waits, the state changes. */
const isOpen = (session: Session): boolean => session.state === 'open' || session.state === 'failed'

/** One connection carries one statement at a time; what is asked meanwhile waits. */
function createRun(disk: Disk, session: Session): Run {
  let busy: Promise<unknown> | undefined
  const run: Run = async (label, statement) => {
    const reached = session.point(label)
    if (reached !== undefined) await reached
    if (session.state === 'failed') throw session.failure ?? transactionAborted()
    if (session.state !== 'open') throw connectionLost()
    try {
      return await statement(session)
    } catch (error) {
      // An error ends the transaction at once: its locks are free before the rollback is asked for.
      if (error instanceof DatabaseError && session.state === 'open') {
        session.failure = error
        disk.undo(session, 'failed')
      }
      noteDeadlock(disk, label, error)
      throw error
    }
  }
  const done = (): void => {
    busy = undefined
  }
  const begin: Run = (label, statement) => {
    const own = run(label, statement)
    busy = own.then(done, done)
    return own
  }
  const wait: Run = async (label, statement) => {
    while (busy !== undefined) await busy
    return begin(label, statement)
  }
  return (label, statement) => (busy === undefined ? begin : wait)(label, statement)
}
