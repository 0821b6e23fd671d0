import { wireOperations } from '@ergon/contract/wire'
import type { OperationsClient, Output } from '../client.ts'
import { ErgonError, errorOfAnswer } from '../ergon-error.ts'
import { readServerSentEvents } from '../server-sent-events.ts'
import { watchConnection } from '../watch-connection.ts'

export type Meter = Output<'meters.get'>

/** Between two connections. */
const pauseMs = 1_000

/**
 * The meter of a task as it is and at each change, until it changes no more: its channel is
 * settled, or its task ended before it had one. A connection that breaks, or of which nothing is heard, is made
 * again; what changed meanwhile is in the next reading, because a meter says all of it.
 *
 * @throws ErgonError when the service refuses to show it
 */
export async function* watchMeter(
  client: OperationsClient,
  task_id: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Meter, void, undefined> {
  let last: string | undefined
  while (signal?.aborted !== true) {
    const connection = watchConnection(signal)
    try {
      const body = await open(client, task_id, connection.signal).catch((error: unknown) => {
        // Who has seen it is told of nothing but its end by a task that was taken from view since.
        if (last !== undefined && error instanceof ErgonError && error.code === 'TASK_GONE') return undefined
        throw error
      })
      if (body === undefined) return
      if (body !== null) {
        for await (const { event, data } of quietly(connection.heard(body))) {
          if (event === 'end') return
          if (event !== 'meter' || data === last) continue
          last = data
          // Its shape is that of the operation.
          yield JSON.parse(data) as Meter
        }
      }
    } finally {
      connection.end()
    }
    await client.transport.wait(pauseMs)
  }
}

async function open(
  client: OperationsClient,
  task_id: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> {
  const response = await client.transport
    .open(wireOperations['meters.stream'], { task_id }, client.sending('meters.stream', { signal }))
    .catch(() => null)
  if (response === null) return null
  if (response.ok) return response.body
  if (response.status < 500 && response.status !== 429)
    throw errorOfAnswer(response.status, response.headers, await response.json().catch(() => null))
  return null
}

/** A body that breaks off ends. */
async function* quietly(body: ReadableStream<Uint8Array>) {
  try {
    yield* readServerSentEvents(body)
  } catch {
    // Connected to again.
  }
}
