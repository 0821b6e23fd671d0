import { delay, every, type Surroundings } from './surroundings.ts'

const restMs = 60_000
const busyMs = 20
const step = 1_000

/**
 * Forgets what is kept no longer, so many rows a step; after a full step the next one follows soon, else in a minute.
 * The answer stops it.
 */
export function forgetInSteps(surroundings: Surroundings, take: (limit: number) => Promise<number>): () => void {
  let isStopped = false
  const stop = every(surroundings, restMs, async () => {
    while (!isStopped && (await take(step)) >= step) await delay(surroundings, busyMs)
  })
  return () => {
    isStopped = true
    stop()
  }
}
