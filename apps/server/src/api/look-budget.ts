/** What strangers may make us ask of a chain, all of them together: so many a second, and as many more at once. */
export function createLookBudget(
  { perSecond, burst }: { readonly perSecond: number; readonly burst: number },
  nowMs: () => number,
): { take(): boolean } {
  let left = burst
  let at = nowMs()
  return {
    take() {
      const now = nowMs()
      left = Math.min(burst, left + ((now - at) / 1_000) * perSecond)
      at = now
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
