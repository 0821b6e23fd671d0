/** What one way down a list was like: the highest row seen, the most rows held at once, frames in a second. */
export type Scrolled = {
  readonly rows: number
  readonly held: number
  readonly ms: number
  readonly mean: number
  readonly worst: number
}

/**
 * In the page: eight screens a second, as a finger that is in a hurry, until the last row was seen; counts the frames
 * of each second.
 */
export async function scrollToEnd(count: number): Promise<Scrolled> {
  const frames: number[] = []
  let rows = 0
  let held = 0
  const begun = performance.now()
  await new Promise<void>((resolve) => {
    let last = begun
    const frame = (now: number): void => {
      frames.push(now)
      window.scrollBy({ top: (window.innerHeight * 8 * (now - last)) / 1_000, behavior: 'instant' })
      last = now
      const drawn = document.querySelectorAll('main li[aria-posinset]')
      held = Math.max(held, drawn.length)
      for (const row of drawn) rows = Math.max(rows, Number(row.getAttribute('aria-posinset')))
      if (rows >= count || now - begun > 120_000) resolve()
      else requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  const [first = begun] = frames
  const ms = performance.now() - first
  const seconds = Array.from(
    { length: Math.floor(ms / 1_000) },
    (_, index) => frames.filter((at) => at - first >= index * 1_000 && at - first < (index + 1) * 1_000).length,
  )
  return { rows, held, ms, mean: (frames.length * 1_000) / ms, worst: Math.min(...seconds) }
}
