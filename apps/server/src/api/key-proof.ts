import { MarketError } from '@ergon/core'
import { fromBase58, isSignedByEd25519, ProtocolError, utf8 } from '@ergon/protocols'

const freshMs = 600_000
/** Clocks differ; a text from a little ahead of ours is of now. */
const aheadMs = 30_000

/** Until a proof that counts now counts no more. */
export const proofLivesMs = freshMs + aheadMs

/** What the key of an address on a ledger has to sign. */
export type KeyClaim = {
  /** The field that names the address, for a refusal. */
  readonly field: string
  readonly address: string
  /** The whole text, by when it was written. */
  readonly text: (issuedAt: string) => string
}

/** @throws PAYOUT_PROOF_INVALID unless the key of the address signed exactly this text within ten minutes. */
export function demandKeyProof(
  { field, address, text }: KeyClaim,
  message: string,
  signature: string,
  now: Date,
): void {
  const issuedAt = /\nIssued At: (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z)$/.exec(message)?.[1]
  const at = issuedAt === undefined ? Number.NaN : Date.parse(issuedAt)
  if (issuedAt === undefined || Number.isNaN(at) || message !== text(issuedAt))
    throw refused('message', 'the text that this operation describes, about what is sent')
  if (at > now.getTime() + aheadMs || now.getTime() - at > freshMs)
    throw refused('message', 'issued within the last ten minutes')
  const key = bytesOf(address)
  if (key?.length !== 32) throw refused(field, '32 bytes in base58')
  const bytes = bytesOf(signature)
  if (bytes === undefined || !isSignedByEd25519(utf8(message), bytes, key))
    throw refused('signature', 'made by the key of the address over the message')
}

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return fromBase58(text)
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

function refused(field: string, constraint: string): MarketError {
  return new MarketError('PAYOUT_PROOF_INVALID', { field, constraint })
}
