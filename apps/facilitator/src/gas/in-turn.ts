type Waiting<A, B> = {
  readonly asked: A
  readonly resolve: (answer: B) => void
  readonly reject: (error: unknown) => void
}

type InTurnOptions = {
  /** So many share a run at the most. */
  readonly most: number
  readonly mostWaiting: number
  readonly refuse: () => Error
}

/**
 * Answers many with one run, one run at a time: all who ask meanwhile share the next. `answer` gives an answer for each
 * in their order; where it fails, all who shared it fail. Whoever comes while as many wait as may is refused.
 */
export function createInTurn<A, B>(
  answer: (asked: readonly A[]) => Promise<readonly B[]>,
  { most, mostWaiting, refuse }: InTurnOptions,
): (asked: A) => Promise<B> {
  const waiting: Waiting<A, B>[] = []
  let isRunning = false
  const run = async (): Promise<void> => {
    isRunning = true
    for (let batch = waiting.splice(0, most); batch.length > 0; batch = waiting.splice(0, most)) {
      try {
        const answers = await answer(batch.map(({ asked }) => asked))
        if (answers.length !== batch.length) throw new Error('an answer for each who asked')
        for (const [index, given] of answers.entries()) batch[index]?.resolve(given)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }
  return (asked) => {
    if (waiting.length >= mostWaiting) return Promise.reject(refuse())
    const { promise, resolve, reject } = Promise.withResolvers<B>()
    waiting.push({ asked, resolve, reject })
    if (!isRunning) void run()
    return promise
  }
}
