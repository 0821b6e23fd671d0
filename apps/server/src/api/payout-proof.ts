import { demandKeyProof } from './key-proof.ts'

export type PayoutBinding = {
  /** The host that is asked, so that a proof for one service is none for another. */
  readonly service: string
  readonly wallet: string
  readonly executorId: string
  readonly address: string
  readonly issuedAt: string
}

/** The text that the key of a Solana address signs to be the payout of a worker. */
export function payoutText({ service, wallet, executorId, address, issuedAt }: PayoutBinding): string {
  return [
    'Solana payout address',
    `Service: ${service}`,
    `Wallet: ${wallet}`,
    `Worker: ${executorId}`,
    `Address: ${address}`,
    `Issued At: ${issuedAt}`,
  ].join('\n')
}

/** @throws PAYOUT_PROOF_INVALID unless the key of the address signed exactly this binding within ten minutes. */
export function demandPayoutProof(
  binding: Omit<PayoutBinding, 'issuedAt'>,
  message: string,
  signature: string,
  now: Date,
): void {
  const { address } = binding
  const text = (issuedAt: string): string => payoutText({ ...binding, issuedAt })
  demandKeyProof({ field: 'solana_payout_address', address, text }, message, signature, now)
}
