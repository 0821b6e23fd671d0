import { MarketError } from '@ergon/core'
import type { Authenticate, Principal } from '../dispatch/authenticate.ts'

export const socketPath = '/ws'

/** Where an auth frame came from: what its signature is over, and who pays for a wrong one. */
export type FrameOrigin = { readonly host: string; readonly ip: string; readonly requestId: string }

/**
 * Proves an auth frame with the verifier of signed requests: the frame carries the signature headers of a GET of this
 * socket's path on the host it was opened at, and its nonce is used up (decision 0066).
 * @throws the codes of a refused signature
 */
export async function proveFrame(
  authenticate: Authenticate,
  payload: Readonly<Record<string, unknown>>,
  { host, ip, requestId }: FrameOrigin,
): Promise<Principal> {
  const { 'signature-input': input, signature } = payload as {
    readonly 'signature-input'?: unknown
    readonly signature?: unknown
  } // both are checked here
  if (typeof input !== 'string' || typeof signature !== 'string')
    throw new MarketError(
      'INVALID_SIGNATURE_HEADERS',
      { reason_code: 'missing' },
      { message: 'An auth frame needs signature-input and signature, like a signed request.' },
    )
  const headers = [
    ['host', host],
    ['signature-input', input],
    ['signature', signature],
  ] as const
  const principal = await authenticate({
    method: 'GET',
    target: socketPath,
    headers,
    body: new Uint8Array(0),
    ip,
    requestId,
  })
  if (principal === null) throw new MarketError('UNAUTHORIZED')
  await principal.consumeNonce()
  return principal
}
