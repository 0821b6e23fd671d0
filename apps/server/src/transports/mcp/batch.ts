import { isRefusal } from '../../dispatch/refusal.ts'
import { readJsonObject, splitJsonArray } from '../../dispatch/json-text.ts'
import type { Message } from './fixtures.ts'
import { decimalArguments } from './tool-call.ts'

/** Each is answered before the next is begun, so that a batch holds no more of the service than a request does. */
const mostMessages = 20

/** Read as strictly as every body, for the same reason; null when it is no message. */
export function readMessage(body: Uint8Array): Message | null {
  try {
    const { value, sources } = readJsonObject(body, decimalArguments, ['params', 'arguments'])
    const { method, params } = value
    return {
      value,
      sources,
      method: typeof method === 'string' ? method : '',
      params: { ...(typeof params === 'object' ? params : {}) },
    }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** The messages of a batch; null when the body is none. One that cannot be read spoils them all. */
export function readMessages(body: Uint8Array): readonly Message[] | null {
  try {
    const texts = splitJsonArray(body, mostMessages)
    if (texts === null) return null
    const messages = texts.map((text) => readMessage(Buffer.from(text)))
    return messages.every((one) => one !== null) ? messages : null
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

const withBatches = '2025-03-26'

/**
 * Whether a batch may be answered: the revision that has batches sends no header with its name, and begins outside of
 * one; each message of the newest names its own revision.
 */
export function isOfBatches(version: unknown, batch: readonly Message[]): boolean {
  return (
    (version === undefined || version === withBatches) &&
    batch.length > 0 &&
    batch.every(({ method, params }) => method !== 'initialize' && !namesRevision(params['_meta']))
  )
}

const namesRevision = (meta: unknown): boolean =>
  typeof meta === 'object' && meta !== null && 'io.modelcontextprotocol/protocolVersion' in meta

/** The answers in what the protocol would have sent, as one object or as a stream that ends. */
export async function answersOf(response: Response): Promise<readonly unknown[]> {
  const text = await response.text()
  if (text === '') return []
  const texts = response.headers.get('content-type')?.startsWith('text/event-stream') === true ? dataOf(text) : [text]
  return texts.map((one) => JSON.parse(one) as unknown).filter((one) => !isNotification(one)) // written by the protocol
}

const dataOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (/^data: *\{/.test(line) ? [line.slice('data:'.length)] : []))

const isNotification = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'method' in message
