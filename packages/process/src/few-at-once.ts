/**
 * Runs work that takes whatever waits, one run after the other: what comes meanwhile shares the next one. A run that
 * takes long, as over a line that went silent, keeps nobody waiting for longer than `patienceMs`: others pass it.
 * Null: nobody does.
 */
export function createFewAtOnce(
  work: () => Promise<void>,
  { patienceMs = 100 }: { readonly patienceMs?: number | null } = {},
): { readonly call: () => void } {
  let running = 0
  let isCalled = false
  let overdue: NodeJS.Timeout | undefined
  const start = (): void => {
    clearTimeout(overdue)
    overdue = undefined
    isCalled = false
    running += 1
    void work().finally(() => {
      running -= 1
      if (isCalled) begin()
    })
  }
  const begin = (): void => {
    if (running === 0) {
      clearTimeout(overdue)
      overdue = undefined
      setImmediate(start)
    } else if (patienceMs !== null) overdue ??= setTimeout(start, patienceMs)
  }
  return {
    call() {
      if (isCalled) return
      isCalled = true
      begin()
    },
  }
}
