import { deadlock } from './errors.ts'

/** Row locks of PostgreSQL that our statements take, weakest first. */
export type LockMode = 'key share' | 'no key update' | 'update'
const strength = { 'key share': 0, 'no key update': 1, update: 2 } as const satisfies Record<LockMode, number>

type Holder = { readonly session: Locker; mode: LockMode }

/** One row, as locks see it. */
export type Lockable = { holders: Holder[]; queue: Waiting[] }

/** A transaction, as locks see it. */
export type Locker = {
  readonly held: Lockable[]
  /** Statements that wait for this transaction to end. */
  readonly followers: Waiting[]
  waiting: Waiting | undefined
}

/** A statement that waits: for a row, or for a transaction that is writing the key it wants to write. */
export type Waiting = {
  readonly session: Locker
  readonly row: Lockable | undefined
  readonly mode: LockMode
  readonly target: Locker | undefined
  wake: () => void
}

function conflict(one: LockMode, other: LockMode): boolean {
  return strength[one] + strength[other] >= 2
}

function isFree(row: Lockable, session: Locker, mode: LockMode): boolean {
  return row.holders.every((holder) => holder.session === session || !conflict(holder.mode, mode))
}

function grant(row: Lockable, session: Locker, mode: LockMode): void {
  const own = row.holders.find((holder) => holder.session === session)
  if (own === undefined) {
    row.holders.push({ session, mode })
    session.held.push(row)
  } else if (strength[own.mode] < strength[mode]) own.mode = mode
}

/** Whether the lock can be had without waiting; the test of `skip locked`. */
export function mayLock(row: Lockable, session: Locker, mode: LockMode): boolean {
  return row.holders.length === 0 || isFree(row, session, mode)
}

/** Locks a row: at once, or when the promise resolves. Whoever waits is served in turn. @throws 40P01 */
export function lock(row: Lockable, session: Locker, mode: LockMode): Promise<void> | undefined {
  if (mayLock(row, session, mode)) {
    grant(row, session, mode)
    return undefined
  }
  return wait({ session, row, mode, target: undefined, wake: ignore }, row.queue)
}

/** Waits until another transaction has ended, however it ends. @throws 40P01 */
export function waitFor(session: Locker, target: Locker): Promise<void> {
  return wait({ session, row: undefined, mode: 'update', target, wake: ignore }, target.followers)
}

function wait(waiting: Waiting, queue: Waiting[]): Promise<void> {
  queue.push(waiting)
  waiting.session.waiting = waiting
  if (waitsFor(waiting, waiting.session, new Set())) {
    queue.splice(queue.indexOf(waiting), 1)
    waiting.session.waiting = undefined
    throw deadlock()
  }
  return new Promise((resolve) => {
    waiting.wake = resolve
  })
}

/** Whoever closes a circle of waiting is refused; PostgreSQL finds out within a second who that is. */
function waitsFor(waiting: Waiting, whom: Locker, seen: Set<Locker>): boolean {
  for (const blocker of blockersOf(waiting)) {
    if (blocker === whom) return true
    if (seen.has(blocker)) continue
    seen.add(blocker)
    if (blocker.waiting !== undefined && waitsFor(blocker.waiting, whom, seen)) return true
  }
  return false
}

function blockersOf({ session, row, mode, target }: Waiting): readonly Locker[] {
  if (row === undefined) return target === undefined ? [] : [target]
  const before = row.queue.slice(
    0,
    row.queue.findIndex((one) => one.session === session),
  )
  return [...row.holders, ...before]
    .filter((one) => one.session !== session && conflict(one.mode, mode))
    .map((one) => one.session)
}

/** Gives up what a transaction holds and waits for, and serves those behind it. */
export function release(session: Locker): void {
  withdraw(session)
  for (const row of session.held) {
    row.holders = row.holders.filter((holder) => holder.session !== session)
    serve(row)
  }
  session.held.length = 0
  for (const waiting of session.followers.splice(0)) wake(waiting)
}

function withdraw(session: Locker): void {
  const { waiting } = session
  if (waiting === undefined) return
  const queue = waiting.row?.queue ?? waiting.target?.followers ?? []
  queue.splice(queue.indexOf(waiting), 1)
  if (waiting.row !== undefined) serve(waiting.row)
  wake(waiting)
}

function serve(row: Lockable): void {
  for (let next = row.queue[0]; next !== undefined && isFree(row, next.session, next.mode); next = row.queue[0]) {
    row.queue.shift()
    grant(row, next.session, next.mode)
    wake(next)
  }
}

function wake(waiting: Waiting): void {
  waiting.session.waiting = undefined
  waiting.wake()
}

function ignore(): void {
  // Replaced by the promise that waits.
}
