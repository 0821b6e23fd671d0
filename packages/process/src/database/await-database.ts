import { setTimeout as pause } from 'node:timers/promises'
import { Obstacle, obstacleOf } from './obstacle.ts'

export type AwaitOptions = {
  /** How long is waited for what may pass: a database that does not answer, or takes no writes. */
  readonly limitMs: number
  /** Told of each thing that is waited for, and of what does not keep the process from serving. */
  readonly onDoubt: (text: string, cause?: unknown) => void
  /** What is thrown, with a sentence for whoever started the process. */
  readonly refuse: (text: string, cause: unknown) => Error
}

const pauseMs = 250

/**
 * What the question answers, asked again for as long as the limit allows: whoever starts machines starts them in no
 * order. What waiting does not change is refused at once.
 * @throws what `refuse` answers
 */
export async function awaitDatabase<T>(ask: () => Promise<T>, { limitMs, onDoubt, refuse }: AwaitOptions): Promise<T> {
  const until = performance.now() + limitMs
  const told = new Set<string>()
  for (;;) {
    const asked = await ask().then(
      (answer) => ({ answer }),
      (cause: unknown) => ({ cause }),
    )
    if ('answer' in asked) return asked.answer
    const { cause } = asked
    const { passes, message } = obstacleOf(cause)
    const isOurs = cause instanceof Obstacle
    if (!passes) throw refuse(isOurs ? message : `the database of DATABASE_URL lets nobody in: ${message}`, cause)
    const silence = `the database of DATABASE_URL did not answer within ${String(limitMs / 1_000)} s: ${message}`
    if (performance.now() >= until) throw refuse(isOurs ? message : silence, cause)
    const text = isOurs ? message : 'the database does not answer yet'
    if (!told.has(text)) onDoubt(`${text}; the start waits for it`, cause)
    told.add(text)
    await pause(pauseMs)
  }
}
