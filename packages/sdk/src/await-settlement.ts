import type { ErrorCode } from '@ergon/contract'
import type { OperationsClient } from './client.ts'
import { catalogueError } from './catalogue-error.ts'
import { ErgonError, isErrorCode, SettlementPending, type PendingSubject } from './ergon-error.ts'

const firstPauseMs = 200
const longestPauseMs = 2_000

type Ask<T> = () => Promise<T | ErgonError | undefined>

/**
 * Asks until there is an answer, with growing pauses. A flow that answered 202 is never sent again: its state is
 * read until it has ended (spec §3). An error that is answered is how it ended; that it cannot be read for a while
 * says nothing about it.
 *
 * @throws SettlementPending when it has not ended in time
 */
export async function poll<T>(client: OperationsClient, pending: PendingSubject, ask: Ask<T>): Promise<T> {
  const { now, wait, patienceMs } = client.transport
  const deadline = now() + patienceMs
  let unread: unknown
  for (let pauseMs = firstPauseMs; now() < deadline; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    await wait(pauseMs)
    const found = await ask().catch((error: unknown) => {
      if (!isOfTheMoment(error)) throw error
      unread = error
    })
    if (found instanceof ErgonError) throw found
    if (found !== undefined) return found
  }
  throw new SettlementPending(pending, unread === undefined ? {} : { cause: unread })
}

/** Whether a read failed for reasons that pass. */
function isOfTheMoment(error: unknown): boolean {
  return (
    error instanceof ErgonError && error.retryable && (error.pending || error.status === 429 || error.status === 503)
  )
}

type Sent<T> = { readonly answer: T } | { readonly doubt: ErgonError }

/**
 * What a call answered, or undefined when nobody knows what became of it, or another of its kind is under way: then
 * the state says more. The error is thrown when the state says nothing either.
 */
export async function sent<T>(call: Promise<T>, inFlight: ErrorCode): Promise<Sent<T>> {
  try {
    return { answer: await call }
  } catch (error) {
    if (error instanceof ErgonError && (error.pending || error.is(inFlight))) return { doubt: error }
    throw error
  }
}

/** The failed steps at the end of a task's payment log; a log of hundreds is read from there alone. */
export async function failures(
  client: OperationsClient,
  taskId: string,
): Promise<readonly { readonly id: string; readonly note: string | null }[]> {
  let page = await client.payments.events({ task_id: taskId })
  for (let offset = page.total - page.count; page.has_more && page.count > 0; offset += page.count)
    page = await client.payments.events({ task_id: taskId, offset })
  return page.events.filter((event) => event.status === 'failed')
}

/** The error behind a settlement that was given back, as the payment log names it. */
export async function settlementFailure(
  client: OperationsClient,
  taskId: string,
  otherwise: ErrorCode,
): Promise<ErgonError> {
  const note = (await failures(client, taskId)).at(-1)?.note ?? ''
  return catalogueError(isErrorCode(note) ? note : otherwise, { task_id: taskId })
}
