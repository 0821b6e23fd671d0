import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { expectStatus, type Party, type Reached } from './live-market.ts'

/** The origin of the service's own pages. */
export const ownOrigin = `http://${authority}`
export const sessionPath = '/api/v1/auth/session'

/** A party that speaks through a browser: cookie and origin instead of a signature. */
export type Person = Party & { readonly cookie: string }

/** The text for a wallet to sign, as a page of the service asks for it. */
export async function signInText(
  url: string,
  wallet: string,
  headers: Readonly<Record<string, string>> = {},
  chainId?: number,
): Promise<Reply> {
  return sendJson(
    url,
    'POST',
    `${sessionPath}/challenge`,
    { wallet, ...(chainId === undefined ? {} : { chain_id: chainId }) },
    { origin: ownOrigin, ...headers },
  )
}

export async function openSession(
  url: string,
  message: string,
  signature: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return sendJson(url, 'POST', sessionPath, { message, signature }, { origin: ownOrigin, ...headers })
}

/** Signs a wallet in, as its owner would. */
export async function signedIn(market: Reached, party: Party): Promise<Person> {
  const challenge = expectStatus(await signInText(market.url, party.wallet), 200)
  const message = String(challenge.body['message'])
  const cookie = cookieOf(
    expectStatus(await openSession(market.url, message, await party.signer.signMessage(message)), 201),
  )
  return {
    ...party,
    cookie,
    call: (method, target, body, headers = {}) =>
      sendJson(market.url, method, target, body, { origin: ownOrigin, cookie, ...headers }),
  }
}

/** What the browser would send back, without the attributes. */
export function cookieOf(reply: Reply): string {
  const [line] = [reply.headers['set-cookie'] ?? []].flat()
  return line?.split(';', 1)[0] ?? ''
}

export async function sendJson(
  url: string,
  method: string,
  target: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return send(
    url,
    method,
    target,
    { host: authority, ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    text,
  )
}
