import { demandKeyProof } from './key-proof.ts'

export type ChannelBinding = {
  /** The host that is asked, so that a proof for one service is none for another. */
  readonly service: string
  /** The publisher, in lowercase. */
  readonly wallet: string
  readonly taskId: string
  readonly channelId: string
  readonly payer: string
  readonly issuedAt: string
}

/** The text that the key of a payer signs to let a channel fund a task. */
export function channelText({ service, wallet, taskId, channelId, payer, issuedAt }: ChannelBinding): string {
  return [
    'Channel of a task',
    `Service: ${service}`,
    `Wallet: ${wallet}`,
    `Task: ${taskId}`,
    `Channel: ${channelId}`,
    `Payer: ${payer}`,
    `Issued At: ${issuedAt}`,
  ].join('\n')
}

/** @throws PAYOUT_PROOF_INVALID unless the key of the payer signed exactly this binding within ten minutes. */
export function demandChannelProof(
  binding: Omit<ChannelBinding, 'issuedAt'>,
  message: string,
  signature: string,
  now: Date,
): void {
  const text = (issuedAt: string): string => channelText({ ...binding, issuedAt })
  demandKeyProof({ field: 'payer', address: binding.payer, text }, message, signature, now)
}
