import { asFlowsSee, connectionLost, DatabaseError, refusedConnection, transactionAborted } from './errors.ts'
import type { Disk } from './database.ts'
import type { Session, Viewer } from './session.ts'

/** What becomes of a commit. `lost after`: it happened, and its answer never comes. */
export type Commit = 'commit' | 'lost before' | 'lost after'

export type LineDeps = {
  readonly disk: Disk
  readonly connection: string
  readonly point: (label: string) => Promise<void>
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

export function createLine({ disk, connection, point, commit, isUp }: LineDeps): Line {
  /** A point that fails is a line that was cut. */
  const reach = async (label: string): Promise<void> => {
    try {
      await point(label)
    } catch {
      throw connectionLost()
    }
    if (!isUp()) throw refusedConnection()
  }
  const openSession = (): Session => {
    const session: Session = disk.open(connection, async (label) => {
      try {
        await point(label)
      } catch {
        if (session.state === 'open' || session.state === 'failed') disk.undo(session, 'lost')
        throw connectionLost()
      }
    })
    return session
  }
  const end = (session: Session, label: string): void => {
    if (session.state === 'lost') throw connectionLost()
    // The database answers a commit of what failed with a rollback, and nobody hears a difference.
    if (session.state === 'failed') return disk.undo(session, 'over')
    const fate = commit(label)
    if (fate === 'lost before') disk.undo(session, 'lost')
    else disk.commit(session)
    if (fate !== 'commit') {
      session.state = 'lost'
      throw connectionLost()
    }
  }
  return {
    read: (label, statement) =>
      asAsked(async () => {
        await reach(label)
        return statement(undefined)
      }),
    write: (label, statement) =>
      asAsked(async () => {
        await reach(label)
        const session = openSession()
        try {
          const result = await statement(session)
          end(session, label)
          return result
        } catch (error) {
          if (session.state === 'open') disk.undo(session, 'over')
          throw error
        }
      }),
    transaction: (work) =>
      asAsked(async () => {
        await reach('begin')
        const session = openSession()
        try {
          const result = await work(createRun(disk, session))
          await session.point('commit')
          end(session, 'commit')
          return result
        } catch (error) {
          await rollBack(disk, session)
          throw error
        }
      }),
  }
}

async function asAsked<T>(asking: () => Promise<T>): Promise<T> {
  try {
    return await asking()
  } catch (error) {
    throw asFlowsSee(error)
  }
}

async function rollBack(disk: Disk, session: Session): Promise<void> {
  if (session.state !== 'open' && session.state !== 'failed') return
  await session.point('rollback').catch(() => undefined)
  if (isOpen(session)) disk.undo(session, 'over')
}

/** Asked again: while one waits, the state changes. */
const isOpen = (session: Session): boolean => session.state === 'open' || session.state === 'failed'

/** One connection carries one statement at a time; what is asked meanwhile waits. */
function createRun(disk: Disk, session: Session): Run {
  let busy: Promise<unknown> | undefined
  const run: Run = async (label, statement) => {
    await session.point(label)
    if (session.state === 'failed') throw transactionAborted()
    if (session.state !== 'open') throw connectionLost()
    try {
      return await statement(session)
    } catch (error) {
      // An error ends the transaction at once: its locks are free before the rollback is asked for.
      if (error instanceof DatabaseError && session.state === 'open') disk.undo(session, 'failed')
      throw error
    }
  }
  return async (label, statement) => {
    while (busy !== undefined) await busy
    const own = run(label, statement)
    busy = own.then(done, done)
    return own

    function done(): void {
      busy = undefined
    }
  }
}
