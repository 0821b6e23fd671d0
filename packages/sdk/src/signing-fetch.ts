import type { Signer } from '@ergon/protocols'
import { createOperationsClient } from './client.ts'
import { transportOptions } from './transport.ts'

/** Where the service is, and who signs. */
export type SigningFetchOptions = {
  readonly baseUrl: string
  readonly signer: Signer
  /** The chain named in request signatures; asked of the service when not given. */
  readonly chainId?: number
  /** The platform's unless told otherwise. */
  readonly fetch?: typeof fetch
}

/**
 * A `fetch` that signs what goes to the service, for programs of others that take one: a client of its tools (`/mcp`),
 * of its messages (`/a2a`), a generated one. What goes elsewhere passes as it is, without a signature. A redirect is
 * not followed: its target was not signed for.
 *
 * @throws the ErgonError of the question for the chain, where `chainId` is not given and the service does not answer
 */
export function createSigningFetch(options: SigningFetchOptions): typeof fetch {
  const { baseUrl, signer } = options
  const { fetch: send, now, randomNonce } = transportOptions(options)
  const { chainId } = createOperationsClient(options)
  const { origin } = new URL(baseUrl)
  return async (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).origin !== origin) return send(input, init)
    const { signRequest } = await import('./sign-request.ts')
    const { method, url, signal } = request
    // Of the request, not of `init`: it adds the content type of what has one.
    const headers = Object.fromEntries(request.headers)
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
    const signature = await signRequest(
      { method, url, headers, ...(body === undefined ? {} : { body }) },
      { signer, chainId: await chainId(), now: now() / 1_000, nonce: randomNonce() },
    )
    return send(url, {
      method,
      headers: { ...headers, ...signature },
      redirect: 'error',
      signal: init?.signal ?? signal,
      ...(body === undefined ? {} : { body }),
    })
  }
}
