import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ConfigError } from '../../config/config-error.ts'
import { isClosed, troubleOf } from './trouble.ts'

export type AwaitOptions = {
  readonly limitMs: number
  /** Told once, with what the first question ended in. */
  readonly onWaiting: (error: unknown) => void
}

const pauseMs = 250

/**
 * Resolves when the database answers: whoever starts machines starts them in no order.
 * @throws ConfigError when it does not within the limit, or at once when what it says will not change by waiting
 */
export async function awaitDatabase(pool: Pool, { limitMs, onWaiting }: AwaitOptions): Promise<void> {
  const until = performance.now() + limitMs
  for (let isFirst = true; ; isFirst = false) {
    const error = await pool.query('select 1').then(
      () => null,
      (cause: unknown) => cause,
    )
    if (error === null) return
    if (isClosed(error) || troubleOf(error) === null)
      throw new ConfigError(`the database of DATABASE_URL lets nobody in: ${messageOf(error)}`, { cause: error })
    if (performance.now() > until)
      throw new ConfigError(
        `the database of DATABASE_URL did not answer within ${String(limitMs / 1_000)} s: ${messageOf(error)}`,
        { cause: error },
      )
    if (isFirst) onWaiting(error)
    await pause(pauseMs)
  }
}

function messageOf(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string } // the driver throws errors
  return message === undefined || message === '' ? (code ?? 'no reason') : message
}
