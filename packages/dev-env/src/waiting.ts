import { setTimeout as pause } from 'node:timers/promises'

export type WaitOptions = {
  readonly timeoutMs: number
  readonly everyMs: number
  /** Says what was waited for, for the message of the error. */
  readonly what: string
}

/** Asks until the answer is not undefined. Throws when the time is over; what `ask` throws ends the wait too. */
export async function waitFor<T>(ask: () => Promise<T | undefined> | T | undefined, options: WaitOptions): Promise<T> {
  const deadline = performance.now() + options.timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > deadline)
      throw new Error(`${options.what} was not there within ${String(options.timeoutMs)} ms`)
    await pause(options.everyMs)
  }
}
