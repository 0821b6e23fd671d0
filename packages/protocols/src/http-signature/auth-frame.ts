import { signRequest, type SignRequestOptions } from './sign-request.ts'

/** The first frame of a socket: the signature headers of a GET that is never sent. */
export type AuthFrame = {
  readonly type: 'auth'
  readonly payload: { readonly 'signature-input': string; readonly signature: string }
}

/**
 * Signs the frame that authenticates a socket: a synthetic `GET` of the socket's own URL without a query, as any
 * request is signed, so the service checks it with the same verifier. `url` is where the socket connects to.
 */
export async function signAuthFrame(url: string, options: Omit<SignRequestOptions, 'cover'>): Promise<AuthFrame> {
  const target = new URL(url)
  const headers = await signRequest(
    { method: 'GET', url: `${target.protocol}//${target.host}${target.pathname}` },
    options,
  )
  return {
    type: 'auth',
    payload: { 'signature-input': headers['signature-input'] ?? '', signature: headers['signature'] ?? '' },
  }
}
