import { cutText, type EndpointAnswer, type LoggedAttempt } from '@ergon/core'
import type { GuardedAnswer, GuardedClient } from './guarded-client.ts'
import { GuardedFault } from './guarded-target.ts'

export type Posted = {
  readonly log: LoggedAttempt
  /** Null: no complete answer in time. */
  readonly answer: EndpointAnswer | null
  /** As much of the answer as was read. */
  readonly body: string
}

export type Message = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** From 1. */
  readonly attempt: number
}

/** Posts bytes once to an address that a stranger named, and says what came of it; throws what nobody foresaw. */
export type Post = (message: Message) => Promise<Posted>

export type PostOptions = {
  readonly client: Pick<GuardedClient, 'exchange'>
  readonly timeoutMs: number
  readonly now: () => Date
}

const loggedBodyChars = 4_096
const loggedHeaderChars = 256
const loggedHeaders = 32

export function createPost({ client, timeoutMs, now }: PostOptions): Post {
  return async ({ url, headers, body, attempt }) => {
    const at = now()
    const began = performance.now()
    const log = (answer: GuardedAnswer | null, error: string | null): LoggedAttempt => ({
      attempt,
      at,
      durationMs: Math.round(performance.now() - began),
      requestHeaders: headers,
      status: answer?.status ?? null,
      responseHeaders: answer === null ? null : shortHeaders(answer.headers),
      responseBody: answer === null ? null : cutText(answer.body, loggedBodyChars),
      error,
    })
    try {
      const answer = await client.exchange({ url, method: 'POST', headers, body, timeoutMs })
      return {
        log: log(answer, null),
        answer: { status: answer.status, retryAfterMs: retryAfterMs(answer.headers['retry-after'], now()) },
        body: answer.body,
      }
    } catch (error) {
      if (!(error instanceof GuardedFault)) throw error
      return { log: log(null, error.message), answer: null, body: '' }
    }
  }
}

/** Seconds or a date (RFC 9110 §10.2.3); null for anything else. */
export function retryAfterMs(header: string | undefined, at: Date): number | null {
  if (header === undefined) return null
  if (/^ *[0-9]{1,9} *$/.test(header)) return Number(header) * 1_000
  const until = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, until - at.getTime())
}

function shortHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // No name that a stranger sends is special in it.
  const short: Record<string, string> = Object.create(null) as Record<string, string>
  for (const name of Object.keys(headers).slice(0, loggedHeaders))
    short[shortText(name)] = shortText(headers[name] ?? '')
  return short
}

/** Printable ASCII, as nearly every header is, needs no look at its halves. */
function shortText(text: string): string {
  return text.length <= loggedHeaderChars && /^[\x20-\x7e]*$/.test(text) ? text : cutText(text, loggedHeaderChars)
}
