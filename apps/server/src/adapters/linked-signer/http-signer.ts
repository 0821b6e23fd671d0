import { isLoopback } from '@ergon/protocols'

/** How the signer treats a wallet: whether its owner is asked for each signature. */
export type Standing = 'asks_owner' | 'autonomous_wallet' | 'approval_not_required' | 'unlinked' | 'unknown'

/** `refused`: it answered for another request or another wallet. `unknown`: the answer was lost, late or unreadable. */
export type SignerAnswer =
  | { readonly status: 'signed'; readonly signature: string; readonly secret: string | null }
  | { readonly status: 'pending'; readonly approvalUrl: string | null }
  | { readonly status: Exclude<Standing, 'asks_owner'> | 'denied' | 'refused' }

export type SignerRequest = {
  /** Asked again with the same id, the signer answers the same request. */
  readonly id: string
  readonly wallet: string
  /** Of the link; null before there is one. */
  readonly secret: string | null
  readonly document:
    | { readonly kind: 'typed_data'; readonly typed_data: unknown }
    | { readonly kind: 'message'; readonly message: string }
}

/** An external signer. Nothing throws: what is not known is said as such. */
export interface SignerDoor {
  standing(wallet: string, secret: string): Promise<Standing>
  sign(request: SignerRequest): Promise<SignerAnswer>
}

type Exchange = (request: {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly maxBytes: number
}) => Promise<{ readonly status: number; readonly body: string; readonly isCut: boolean }>

export type HttpSignerDeps = {
  readonly client: { readonly exchange: Exchange }
  /** Without a slash at its end. */
  readonly url: string
  /** Proves this deployment to the signer; undefined where it asks for none. */
  readonly key: string | undefined
  readonly timeoutMs: number
}

const maxBytes = 16 * 1024
/** Requests at once; what comes above them is not asked. */
const mostAtOnce = 16
type Json = Readonly<Record<string, unknown>>

/**
 * The signer over HTTP (decision 0135): `GET /v1/wallets/{wallet}` says how it treats a wallet,
 * `POST /v1/sign-requests` makes a request or, with an id that is known, answers its state.
 */
export function createHttpSigner({ client, url, key, timeoutMs }: HttpSignerDeps): SignerDoor {
  let underWay = 0
  const headersOf = (secret: string | null): Readonly<Record<string, string>> => ({
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(secret === null ? {} : { 'x-link-secret': secret }),
  })
  const exchange = async (method: 'GET' | 'POST', path: string, secret: string | null, body?: Json) => {
    if (underWay >= mostAtOnce) return null
    underWay += 1
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return readJson(
        await client.exchange({ url: url + path, method, headers: headersOf(secret), ...sent, timeoutMs, maxBytes }),
      )
    } catch {
      return null
    } finally {
      underWay -= 1
    }
  }
  return {
    async standing(wallet, secret) {
      const answer = await exchange('GET', `/v1/wallets/${wallet}`, secret)
      if (answer === null || !isSame(answer['wallet'], wallet)) return 'unknown'
      return standings.find((one) => one === answer['status']) ?? 'unknown'
    },
    async sign({ id, wallet, secret, document }) {
      const answer = await exchange('POST', '/v1/sign-requests', secret, { request_id: id, wallet, ...document })
      return answer === null ? { status: 'unknown' } : readAnswer(answer, id, wallet)
    },
  }
}

const standings = ['asks_owner', 'autonomous_wallet', 'approval_not_required', 'unlinked'] as const
const endings = ['autonomous_wallet', 'approval_not_required', 'unlinked', 'denied'] as const

function readAnswer(answer: Json, id: string, wallet: string): SignerAnswer {
  if (answer['request_id'] !== id || !isSame(answer['wallet'], wallet)) return { status: 'refused' }
  const { status, signature, approval_url: approvalUrl, link_secret: secret } = answer
  if (status === 'pending') return { status, approvalUrl: webAddress(approvalUrl) }
  if (status === 'signed')
    return typeof signature === 'string' && /^0x(?:[0-9a-fA-F]{2}){1,4096}$/.test(signature)
      ? { status, signature, secret: typeof secret === 'string' && /^[\x21-\x7e]{1,500}$/.test(secret) ? secret : null }
      : { status: 'refused' }
  const ending = endings.find((one) => one === status)
  return { status: ending ?? 'unknown' }
}

function readJson({ status, body, isCut }: Awaited<ReturnType<Exchange>>): Json | null {
  if (status < 200 || status > 299 || isCut) return null
  const read: unknown = JSON.parse(body)
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Json) : null // an object
}

const isSame = (said: unknown, wallet: string): boolean =>
  typeof said === 'string' && said.toLowerCase() === wallet.toLowerCase()

/** Only what a browser may be sent to. */
function webAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value)) return null
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)) ? value : null
}
