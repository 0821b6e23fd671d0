/**
 * `end`: seals the channel with its newest voucher and pays everything out. `pay`: pays what was accepted and leaves
 * the channel open, with the rest in it. `bring`: seals it with its newest voucher and pays nothing out yet. `reclaim`:
 * takes its rent back.
 */
export type ChannelAct = 'end' | 'pay' | 'bring' | 'reclaim'

/** A transaction that this deployment signed. It is written before it is first sent, and only it is ever sent again. */
export type SignedChannelOrder = {
  readonly act: ChannelAct
  /** Base64. */
  readonly wire: string
  /** Base58; names the transaction for good. */
  readonly signature: string
  /** Past this height of finalized blocks no ledger takes it any more. */
  readonly lastValidHeight: bigint
  /** What is settled, and what was deposited, once it has landed. */
  readonly settled: bigint
  readonly deposit: bigint
}

/** `sent` is open: nobody knows yet. `failed` landed and did nothing; `expired` never landed, for good. */
export type ChannelOrderStatus = 'sent' | 'landed' | 'failed' | 'expired'

export type ChannelOrder = SignedChannelOrder & {
  readonly id: string
  readonly channelId: string
  readonly status: ChannelOrderStatus
  readonly sentAt: Date
}
