import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeySigner, signRequest, type Signer } from '@ergon/protocols'
import { ask, type Asked, type Reply } from './ask.ts'

/** A wallet behind an address of loopback. */
export type Caller = {
  readonly address: string
  readonly signer: Signer
  readonly wallet: string
  /** Unsigned. */
  ask(method: string, target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Signed; `change` spoils the signature. */
  signed(method: string, target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** A signed request that was not sent yet. */
  prepare(method: string, target: string, body?: unknown, terms?: Terms): Promise<Prepared>
}

/** What a signature says besides the request; the service's own unless told. */
export type Terms = {
  readonly headers?: Readonly<Record<string, string>>
  readonly chainId?: number
  readonly host?: string
  /** Seconds from now. */
  readonly moved?: number
}
export type Prepared = Asked & { readonly headers: Readonly<Record<string, string>> }

export type Place = { readonly url: string; readonly chainId: number }

let addresses = 0

/** An address of loopback that nobody here used before: limits by address begin anew. */
export function freshAddress(): string {
  addresses += 1
  return (
    `127.${String(64 + (process.pid % 128))}.` +
    `${String(Math.floor(addresses / 250))}.${String(1 + (addresses % 250))}`
  )
}

/** A wallet that nobody has seen before, at an address of its own unless one is given. */
export function newCaller({ url, chainId }: Place, address = freshAddress()): Caller {
  const signer = privateKeySigner(generatePrivateKey())
  const send = (asked: Asked): Promise<Reply> => ask(url, { ...asked, from: address })
  const prepare: Caller['prepare'] = async (
    method,
    target,
    body,
    { headers = {}, chainId: chain = chainId, host = new URL(url).host, moved = 0 } = {},
  ) => {
    const text = textOf(body)
    const own = { host, ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers }
    const added = await signRequest(
      { method, url: `http://${host}${target}`, headers: own, ...(text === undefined ? {} : { body: text }) },
      { signer, chainId: chain, now: Date.now() / 1_000 + moved, nonce: randomUUID() },
    )
    return {
      method,
      target,
      headers: { ...own, ...added },
      ...(text === undefined ? {} : { body: text }),
      from: address,
    }
  }
  return {
    address,
    signer,
    wallet: signer.address.toLowerCase(),
    prepare,
    ask: (method, target, body, headers = {}) => {
      const text = textOf(body)
      return send({
        method,
        target,
        headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(text === undefined ? {} : { body: text }),
      })
    },
    signed: async (method, target, body, headers) =>
      send(await prepare(method, target, body, headers === undefined ? {} : { headers })),
  }
}

function textOf(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
}
