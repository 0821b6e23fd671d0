import type { VoucherMode } from '../channels/channel.ts'
import type { Asset } from '../money/amount.ts'

/** What a channel must be to fund a task; addresses as its ledger writes them. */
export type ChannelOffer = {
  readonly payer: string
  /** Gets the worker's share; the rest is the deployment's. */
  readonly worker: string
  readonly asset: Asset
}

/** A channel as the ledger holds it. */
export type FoundChannel = {
  /** This deployment, which seals the channel. */
  readonly payee: string
  readonly deposit: bigint
  readonly voucherSigner: VoucherMode
}

/** The ledger that keeps channels. Nothing here is asked while a transaction of the database is open. */
export interface ChannelLedger {
  /**
   * The channel at an address, open, unused and on these terms. What a caller says of it plays no part.
   *
   * @throws CHANNEL_NOT_ON_CHAIN, CHANNEL_NOT_YOURS for another payer, CHANNEL_NOT_REUSABLE for other terms,
   * channel_unreadable
   */
  openChannel(channelId: string, offer: ChannelOffer): Promise<FoundChannel>
  /** Whether an address can be paid in the token: a payout without an account for it is lost for good.
   *
   * @throws WORKER_USDC_ATA_UNVERIFIABLE */
  canReceive(address: string, asset: Asset): Promise<boolean>
}

/**
 * Signs vouchers with the deployment's key. It answers at once and asks nobody, so that a tick can be signed under the
 * lock of its channel; a key that is asked over a network cannot stand behind this port.
 */
export interface VoucherSigner {
  /** The base58 signature over so much in all, which never expires. The same words give the same signature. */
  sign(channelId: string, cumulative: bigint): string
}

/** What metered channels stand on. */
export type Channels = {
  /** The network of the table whose tasks may be metered. */
  readonly network: string
  readonly ledger: ChannelLedger
  readonly vouchers: VoucherSigner
}
