import { setTimeout as pause } from 'node:timers/promises'

/** Does something so many times, a few at once; answers in order. */
export async function inWaves<T>(
  times: number,
  atOnce: number,
  act: (index: number) => Promise<T>,
): Promise<readonly T[]> {
  const answers: T[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < times; index = next++) answers[index] = await act(index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, times) }, work))
  return answers
}

/** Asks until it is so or the time is over; answers whether it became so. */
export async function becomes(isSo: () => Promise<boolean> | boolean, forMs: number): Promise<boolean> {
  const until = performance.now() + forMs
  for (;;) {
    if (await isSo()) return true
    if (performance.now() > until) return false
    await pause(50)
  }
}
