import type { ErrorCode } from '@ergon/contract'
import type { OperationsClient } from './client.ts'
import { catalogueError } from './catalogue-error.ts'
import { ErgonError, isErrorCode } from './ergon-error.ts'

const firstPauseMs = 200
const longestPauseMs = 2_000
const patienceMs = 180_000

/**
 * Asks until there is an answer, with growing pauses. A flow that answered 202 is never sent again: its state is
 * read until it has ended (spec §3).
 */
export async function poll<T>(client: OperationsClient, subject: string, ask: () => Promise<T | undefined>): Promise<T> {
  const { now, wait } = client.transport
  const deadline = now() + patienceMs
  for (let pauseMs = firstPauseMs; now() < deadline; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    await wait(pauseMs)
    const found = await ask()
    if (found !== undefined) return found
  }
  throw new ErgonError({ status: 0, code: 'timeout', message: `${subject} is still under way`, retryable: false, recovery: 'Read the task: the service finishes what it began.' })
}

/** The failed steps a task's payment log names. */
export async function failures(client: OperationsClient, taskId: string): Promise<readonly { readonly id: string; readonly note: string | null }[]> {
  const { events } = await client.payments.events({ task_id: taskId })
  return events.filter((event) => event.status === 'failed')
}

/** The error behind a settlement that was given back, as the payment log names it. */
export async function settlementFailure(client: OperationsClient, taskId: string, otherwise: ErrorCode): Promise<ErgonError> {
  const note = (await failures(client, taskId)).at(-1)?.note ?? ''
  return catalogueError(isErrorCode(note) ? note : otherwise, { task_id: taskId })
}

