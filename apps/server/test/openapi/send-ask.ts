import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { adminKey } from '../http/live-admin.ts'
import { ownOrigin } from '../http/live-people.ts'
import type { Ask } from './asks.ts'
import type { Raw } from './judge.ts'

/** Keys of those who sign, and the cookie of the person. */
export type Cast = {
  readonly keys: Readonly<Record<'publisher' | 'worker' | 'stranger', `0x${string}`>>
  readonly cookie: string
}

/** Sends a request as its caller would; a stream is left as soon as it begins. */
export async function sendAsk(url: string, cast: Cast, ask: Ask): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  const { hostname, port } = new URL(url)
  const { method, target, body } = ask
  const headers = { host: authority, ...(await headersOf(ask, cast)) }
  const length: Record<string, string> = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const outgoing = request(
    { host: hostname, port, method, path: target, headers: { ...length, ...headers }, agent: false },
    (incoming) => {
      const answer = { status: incoming.statusCode ?? 0, type: incoming.headers['content-type'] }
      if (answer.type?.startsWith('text/event-stream') === true) {
        incoming.destroy()
        resolve({ ...answer, text: '' })
      } else
        text(incoming).then((content) => {
          resolve({ ...answer, text: content })
        }, reject)
    },
  )
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

async function headersOf({ caller, proof, method, target, headers, body }: Ask, { keys, cookie }: Cast) {
  if (proof === 'with a key') return { ...headers, authorization: 'Bearer svc_free_0123456789' }
  if (proof === 'with a token') return { ...headers, authorization: 'Bearer eyJhbGciOiJFUzI1NiJ9.e30.AAAA' }
  if (caller === 'anonymous') return headers
  if (caller === 'admin') return { ...headers, 'x-admin-key': adminKey, 'x-admin-actor': 'the one who tries' }
  if (caller === 'person') return { origin: ownOrigin, cookie, ...headers }
  const key = keys[caller]
  switch (proof) {
    case 'right':
      return signed(method, target, body, { key, headers })
    case 'forged':
      return signed(method, `${target}${target.includes('?') ? '&' : '?'}more=1`, body, { key, headers })
    case 'expired':
      return signed(method, target, body, { key, headers, now: -3_600 })
    case 'for another host':
      return { ...(await signed(method, target, body, { key, headers, authority: 'another.market' })), host: authority }
  }
}
