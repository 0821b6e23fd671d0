import { MarketError } from '@ergon/core'
import { fromBase58, isSignedByEd25519, ProtocolError, utf8 } from '@ergon/protocols'

const freshMs = 600_000
/** Clocks differ; a text from a little ahead of ours is of now. */
const aheadMs = 30_000

export type PayoutBinding = {
  readonly wallet: string
  readonly executorId: string
  readonly address: string
  readonly issuedAt: string
}

/** The text that the key of a Solana address signs to be the payout of a worker. */
export function payoutText({ wallet, executorId, address, issuedAt }: PayoutBinding): string {
  return `Solana payout address\nWallet: ${wallet}\nWorker: ${executorId}\nAddress: ${address}\nIssued At: ${issuedAt}`
}

/** @throws PAYOUT_PROOF_INVALID unless the key of the address signed exactly this binding within ten minutes. */
export function demandPayoutProof(
  binding: Omit<PayoutBinding, 'issuedAt'>,
  message: string,
  signature: string,
  now: Date,
): void {
  const issuedAt = /\nIssued At: (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z)$/.exec(message)?.[1]
  const at = issuedAt === undefined ? Number.NaN : Date.parse(issuedAt)
  if (issuedAt === undefined || Number.isNaN(at) || message !== payoutText({ ...binding, issuedAt }))
    throw refused('message', 'the text that binds this wallet, worker and address')
  if (at > now.getTime() + aheadMs || now.getTime() - at > freshMs)
    throw refused('message', 'issued within the last ten minutes')
  const key = bytesOf(binding.address)
  if (key?.length !== 32) throw refused('solana_payout_address', '32 bytes in base58')
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
