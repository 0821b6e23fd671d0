/**
 * Runs at once, and again `gapMs` later at the soonest, for all who asked meanwhile: one is heard at once, and many
 * cost no more than a few.
 */
export function atMostEvery(gapMs: number, run: () => void): Disposable & { readonly call: () => void } {
  let restedAt = 0
  let waiting: NodeJS.Timeout | undefined
  const go = (): void => {
    waiting = undefined
    restedAt = performance.now() + gapMs
    run()
  }
  return {
    call() {
      if (waiting !== undefined) return
      const left = restedAt - performance.now()
      if (left > 0) waiting = setTimeout(go, left)
      else go()
    },
    [Symbol.dispose]() {
      clearTimeout(waiting)
    },
  }
}
