import { randomUUID } from 'node:crypto'
import { signRequest, type Signer } from '@ergon/protocols'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** A fetch that signs every request with a wallet, for clients that know nothing of signatures. */
export function signingFetch(signer: Signer, chainId: number): Fetch {
  return async (input, init = {}) => {
    const { url, method } = new Request(input, { ...init, body: null })
    const headers = Object.fromEntries(new Headers(init.headers).entries())
    const body = typeof init.body === 'string' ? init.body : undefined
    const added = await signRequest(
      { method, url, headers, ...(body === undefined ? {} : { body }) },
      { signer, chainId, now: Date.now() / 1_000, nonce: randomUUID() },
    )
    return fetch(url, { ...init, headers: { ...headers, ...added } })
  }
}
