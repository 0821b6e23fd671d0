import { AsyncLocalStorage } from 'node:async_hooks'
import { MarketError, type DecideTick, type Ticked } from '@ergon/core'
import { createFewAtOnce } from '@ergon/process'
import { noteWritten, troubleOf } from './trouble.ts'

/** A tick that waits for its turn. */
export type WaitingTick = { readonly taskId: string; readonly key: string | null; readonly decide: DecideTick }
/** What became of it; `held`: another transaction has its channel locked. */
export type TickEnd = { readonly ticked: Ticked } | { readonly refused: unknown } | 'held'
/** Takes ticks in their order and one commit; with `waits` it waits for channels that others have locked. */
export type TakeTicks = (ticks: readonly WaitingTick[], waits: boolean) => Promise<ReadonlyMap<WaitingTick, TickEnd>>

type Queued = WaitingTick & { readonly resolve: (ticked: Ticked) => void; readonly reject: (error: unknown) => void }

const mostTogether = 200
const mostWaiting = 10_000

/**
 * Ticks that come while others are being written share the next commit: under load a statement serves many. Those whose
 * channel another transaction has locked wait in a line of their own, so that no other channel waits with them.
 */
export function createTickLine(take: TakeTicks): (tick: WaitingTick) => Promise<Ticked> {
  const waiting: Queued[] = []
  const held = new Map<string, Queued[]>()
  // The commit is nobody's act in particular.
  const outside = AsyncLocalStorage.snapshot()
  let count = 0

  const arrive = (one: Queued): void => {
    const line = held.get(one.taskId)
    if (line !== undefined) line.push(one)
    else {
      waiting.push(one)
      together.call()
    }
  }
  const together = createFewAtOnce(async () => {
    const ticks = waiting.splice(0, mostTogether)
    if (waiting.length > 0) together.call()
    if (ticks.length === 0) return
    const left = await takeAll(take, ticks, false)
    for (const [taskId, theirs] of Map.groupBy(left, (one) => one.taskId)) void alone(taskId, theirs)
  })
  const alone = async (taskId: string, ticks: readonly Queued[]): Promise<void> => {
    const line = held.get(taskId)
    if (line !== undefined) {
      line.push(...ticks)
      return
    }
    held.set(taskId, [])
    const left = await takeAll(take, ticks, true)
    const next = [...left, ...(held.get(taskId) ?? [])]
    held.delete(taskId)
    next.forEach(arrive)
  }
  return async (tick) => {
    if (count >= mostWaiting) throw new MarketError('SERVICE_BUSY')
    count += 1
    try {
      const { promise, resolve, reject } = Promise.withResolvers<Ticked>()
      outside(arrive, { ...tick, resolve, reject })
      const ticked = await promise
      noteWritten()
      return ticked
    } finally {
      count -= 1
    }
  }
}

/** Tells each how it ended; answers those that were held up. Never rejects. */
async function takeAll(take: TakeTicks, ticks: readonly Queued[], waits: boolean): Promise<readonly Queued[]> {
  let ends: ReadonlyMap<WaitingTick, TickEnd>
  try {
    ends = await take(ticks, waits)
  } catch (error) {
    if (ticks.length > 1 && troubleOf(error) === null) return oneByOne(take, ticks, waits)
    for (const { reject } of ticks) reject(error)
    return []
  }
  return ticks.filter((one) => {
    const end = ends.get(one) ?? 'held'
    if (end === 'held') return true
    if ('ticked' in end) one.resolve(end.ticked)
    else one.reject(end.refused)
    return false
  })
}

/** What the database does not take spoils its own tick, and not those that came with it. */
async function oneByOne(take: TakeTicks, ticks: readonly Queued[], waits: boolean): Promise<readonly Queued[]> {
  const left: Queued[] = []
  for (const one of ticks) left.push(...(await takeAll(take, [one], waits)))
  return left
}
