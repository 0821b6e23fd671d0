import type { CallOptions, OperationsClient, Output } from './client.ts'
import { ErgonError } from './ergon-error.ts'

export type WaitForOptions = CallOptions & {
  /**
   * Gives up with an error `timeout` after this long; never when left out. A service that does not answer for a while,
   * as when it is started again, is waited for as well.
   */
  readonly timeoutMs?: number
}

type Task = Output<'tasks.get'>
const longestWaitSec = 25
const longestPauseMs = 10_000

/**
 * Waits until a task is as it should be: reads it, and again at each of its events and at least twice a minute.
 *
 * @example
 * const done = await client.waitFor(id, ({ status }) => status === 'submitted')
 */
export async function waitFor(
  client: OperationsClient,
  taskId: string,
  predicate: (task: Task) => boolean,
  options: WaitForOptions = {},
): Promise<Task> {
  const { transport } = client
  const given = options.signal === undefined ? {} : { signal: options.signal }
  const deadline = options.timeoutMs === undefined ? Infinity : transport.now() + options.timeoutMs
  const scope = client.session || client.signer !== undefined ? 'mine' : 'public'
  // The place is taken before the task is read, so that no event falls between the two.
  let { next_cursor: cursor } = await client.events.list({ scope, task_id: taskId, cursor: 'now', limit: 1 }, given)
  for (;;) {
    const task = await patiently(client, options.signal, deadline, () => client.tasks.get({ task_id: taskId }, given))
    if (predicate(task)) return task
    const leftSec = Math.ceil((deadline - transport.now()) / 1_000)
    if (leftSec <= 0)
      throw new ErgonError({
        status: 0,
        code: 'timeout',
        message: `task ${taskId} is ${task.status} and not what was waited for`,
        retryable: true,
        recovery: 'Read the task, or wait again.',
      })
    const wait_seconds = Math.max(1, Math.min(longestWaitSec, leftSec, Math.floor(transport.timeoutMs / 2_000)))
    const filter = { scope, task_id: taskId, cursor, wait_seconds } as const
    const page = await patiently(client, options.signal, deadline, () => client.events.list(filter, given))
    cursor = page.next_cursor
  }
}

/** Reads again what may be had later, until it is too late: a wait of days outlives a service that is renewed. */
async function patiently<T>(
  { transport }: OperationsClient,
  signal: AbortSignal | undefined,
  deadline: number,
  read: () => Promise<T>,
): Promise<T> {
  for (let failed = 1; ; failed += 1) {
    try {
      return await read()
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof ErgonError) || !error.retryable) throw error
      const pauseMs = (error.retryAfterSec ?? 0) * 1_000 || Math.min(100 * 2 ** failed, longestPauseMs)
      if (transport.now() + pauseMs >= deadline) throw error
      await transport.wait(pauseMs)
    }
  }
}
