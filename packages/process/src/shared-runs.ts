import { AsyncLocalStorage } from 'node:async_hooks'
import { createFewAtOnce } from './few-at-once.ts'

export type SharedRunsOptions = {
  /** So many share a run at the most. */
  readonly most: number
  /** So many may wait; whoever comes then is refused. */
  readonly mostWaiting: number
  readonly refuse: () => Error
  /** How long one run keeps the next waiting; null: until it ends. */
  readonly patienceMs?: number | null
  /** Whether one of those who shared a failed run may have spoilt it: then each is tried alone. */
  readonly isOfOne?: (error: unknown) => boolean
}

type Waiting<A, B> = {
  readonly asked: A
  readonly resolve: (answer: B) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers many with one run: all who ask while others are answered share the next, which begins after the last of them
 * came, so nobody is told what was true before it asked. `answer` gives an answer for each, in their order, and may
 * tell one of them before it has those of the others. A run is nobody's act in particular: it knows nothing of the
 * request that happened to start it.
 */
export function createSharedRuns<A, B>(
  answer: (asked: readonly A[], tell: (index: number, answer: B) => void) => Promise<readonly B[]>,
  options: SharedRunsOptions,
): (asked: A) => Promise<B> {
  const { most, mostWaiting, refuse, patienceMs = 100, isOfOne = () => false } = options
  const waiting: Waiting<A, B>[] = []
  const outside = AsyncLocalStorage.snapshot()
  const run = async (batch: readonly Waiting<A, B>[]): Promise<void> => {
    const untold = new Map(batch.entries())
    const tell = (index: number, given: B): void => {
      untold.get(index)?.resolve(given)
      untold.delete(index)
    }
    try {
      const answers = await answer(
        batch.map(({ asked }) => asked),
        tell,
      )
      if (answers.length !== batch.length) throw new Error('an answer for each who asked')
      for (const [index, given] of answers.entries()) tell(index, given)
    } catch (error) {
      if (batch.length > 1 && isOfOne(error)) for (const one of untold.values()) await run([one])
      else for (const { reject } of untold.values()) reject(error)
    }
  }
  const line = createFewAtOnce(
    async () => {
      const batch = waiting.splice(0, most)
      if (waiting.length > 0) line.call()
      if (batch.length > 0) await run(batch)
    },
    { patienceMs },
  )
  return (asked) => {
    if (waiting.length >= mostWaiting) return Promise.reject(refuse())
    const { promise, resolve, reject } = Promise.withResolvers<B>()
    waiting.push({ asked, resolve, reject })
    outside(line.call)
    return promise
  }
}
