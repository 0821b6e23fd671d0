import { ErgonError, type OperationsClient } from '@ergon/sdk'

type Client = Pick<OperationsClient, 'operations'>
/** What a call answered, as the service remembers it. */
export type Learned = { readonly answer: unknown }
export type LineWatch = { readonly isOnline: () => boolean; readonly wait: (ms: number) => Promise<void> }

const pauseMs = 2_000
const longestMs = 600_000

const browserLine: LineWatch = {
  isOnline: () => navigator.onLine,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * Asks what became of a call whose answer was lost, by its key, until the line is back and the service says it; nothing
 * is sent again (decision 0334). Undefined where nothing was done or nobody can tell.
 */
export async function learnLost(
  { operations }: Client,
  error: unknown,
  { isOnline, wait }: LineWatch = browserLine,
): Promise<Learned | undefined> {
  if (!(error instanceof ErgonError) || !error.pending || error.idempotencyKey === undefined) return undefined
  const { idempotencyKey: key } = error
  for (let waitedMs = 0; waitedMs < longestMs; waitedMs += pauseMs) {
    await wait(pauseMs)
    if (!isOnline()) continue
    const found = await operations.get({ key }).catch((why: unknown) => (isOfTheMoment(why) ? undefined : null))
    if (found === undefined || found?.state === 'in_flight') continue
    const isDone = found?.state === 'done' && found.status !== null && found.status < 400
    return isDone ? { answer: found.answer } : undefined
  }
  return undefined
}

const isOfTheMoment = (error: unknown): boolean => error instanceof ErgonError && error.retryable
