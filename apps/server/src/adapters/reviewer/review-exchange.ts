import { isRecord } from '../chain/rpc.ts'
import { HttpFault, type HttpClient } from '../http/http-client.ts'

export type ReviewFailure = 'timeout' | 'refused' | 'malformed' | 'unreachable'
/** The model's own text, unread; or why there is none, and whether asking again may help. */
export type Exchanged =
  { readonly content: string } | { readonly failed: ReviewFailure; readonly again: boolean; readonly status?: number }

const maxBytes = 64 * 1_024
/** It was busy or broke. A redirect is followed nowhere: it would take the key along. */
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

export async function exchange(
  http: HttpClient,
  request: { readonly body: string; readonly key: string | undefined; readonly timeoutMs: number },
): Promise<Exchanged> {
  try {
    const { status, text } = await http.exchange({
      method: 'POST',
      path: '/chat/completions',
      body: request.body,
      timeoutMs: request.timeoutMs,
      maxBytes,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(request.key === undefined ? {} : { authorization: `Bearer ${request.key}` }),
      },
    })
    if (status === 200) return readContent(text)
    return { failed: status >= 500 ? 'unreachable' : 'refused', again: passing.has(status), status }
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error
    if (error.tooLarge) return { failed: 'malformed', again: false }
    return error.message === 'timeout' ? { failed: 'timeout', again: false } : { failed: 'unreachable', again: true }
  }
}

/** The first choice of a chat completion, when it is whole and no refusal. */
function readContent(text: string): Exchanged {
  const body = parse(text)
  const choice: unknown = isRecord(body) && Array.isArray(body['choices']) ? body['choices'][0] : undefined
  const message = isRecord(choice) ? choice['message'] : undefined
  if (!isRecord(choice) || !isRecord(message)) return { failed: 'malformed', again: true }
  if (
    choice['finish_reason'] === 'content_filter' ||
    (typeof message['refusal'] === 'string' && message['refusal'] !== '')
  )
    return { failed: 'refused', again: false }
  if (choice['finish_reason'] === 'length' || typeof message['content'] !== 'string')
    return { failed: 'malformed', again: true }
  return { content: message['content'] }
}

/** Undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
