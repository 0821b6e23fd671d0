import type { Locker } from './locks.ts'

/** Nothing to wait for: the statement goes on at once. */
export type Point = (label: string) => Promise<void> | undefined

/** A transaction on a connection of its own; a statement by itself is one of a single statement. */
export type Session = Locker & {
  /** The process whose connection it is. */
  readonly connection: string
  /** Awaited where the scheduler may let others go first. */
  readonly point: Point
  /** 0 until it writes or locks. */
  xid: number
  /** Gives it its number. */
  readonly begin: () => void
  /** `failed`: a statement failed and all is undone; what follows is refused. `lost`: the line is cut. */
  state: 'open' | 'failed' | 'lost' | 'over'
  /** Of the statement that failed: what follows is refused with it. */
  failure?: Error
  /** Ends each row version that was written. */
  readonly written: ((isCommitted: boolean) => void)[]
}

/** Who looks: a transaction sees its own rows, everybody else what is committed. */
export type Viewer = Session | undefined
