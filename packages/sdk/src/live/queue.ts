/** What waits to be read, in order. */
export type Queue<T> = {
  push(item: T): void
  /** No more will come; what waits is still read, and then the fault is thrown, if there is one. */
  end(fault?: Error): void
  /** Resolves when at most this many wait. */
  drained(atMost: number): Promise<void>
  next(): Promise<IteratorResult<T, undefined>>
  readonly size: number
}

export function createQueue<T>(): Queue<T> {
  const waiting: T[] = []
  const readers: (() => void)[] = []
  const drains: { readonly atMost: number; readonly resolve: () => void }[] = []
  let isOver = false
  let fault: Error | undefined
  const wake = (): void => {
    for (const reader of readers.splice(0)) reader()
  }
  const tellDrained = (): void => {
    for (const drain of drains.splice(0)) {
      if (isOver || waiting.length <= drain.atMost) drain.resolve()
      else drains.push(drain)
    }
  }
  return {
    push(item) {
      if (isOver) return
      waiting.push(item)
      wake()
    },
    end(given) {
      if (isOver) return
      isOver = true
      fault = given
      wake()
      tellDrained()
    },
    drained: (atMost) =>
      new Promise((resolve) => {
        drains.push({ atMost, resolve })
        tellDrained()
      }),
    async next() {
      while (waiting.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          readers.push(resolve)
        })
      const [value] = waiting.splice(0, 1)
      tellDrained()
      if (value !== undefined) return { done: false, value }
      if (fault === undefined) return { done: true, value: undefined }
      const thrown = fault
      fault = undefined
      throw thrown
    },
    get size() {
      return waiting.length
    },
  }
}
