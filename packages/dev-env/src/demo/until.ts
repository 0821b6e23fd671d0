import { setTimeout as pause } from 'node:timers/promises'

const patienceMs = 60_000

/** Asks again until the answer is the one waited for. @throws when it does not come within a minute */
export async function until<T>(what: string, ask: () => Promise<T>, isThere: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (isThere(answer)) return answer
    if (Date.now() > deadline) throw new Error(`${what} did not come about within a minute`)
    await pause(100)
  }
}
