import type { Channel, GivenVoucher } from '../channels/channel.ts'
import type { ChannelAct, SignedChannelOrder } from '../channels/order.ts'
import type { ChannelOpenings, OpeningLedger } from './channel-openings.ts'
import type { Asset } from '../money/amount.ts'

/** What a channel must be to fund a task; addresses as its ledger writes them. */
export type ChannelOffer = {
  readonly payer: string
  /** Gets the worker's share; the rest is the deployment's. */
  readonly worker: string
  readonly asset: Asset
  /** The buyer's key for its vouchers; null: this deployment signs them. */
  readonly voucherKey: string | null
}

/** A channel as the ledger holds it. */
export type FoundChannel = {
  /** This deployment, which seals the channel. */
  readonly payee: string
  readonly deposit: bigint
}

/**
 * Where a channel is on its ledger. `closing`: its payer asked to leave, and a grace period runs. `sealed`: nothing can
 * be settled any more. `distributed`: all is paid out. `gone`: there is no account, so it was paid out and taken away.
 */
export type LedgerState = 'open' | 'closing' | 'sealed' | 'distributed' | 'gone'
export type LedgerChannel = {
  readonly state: LedgerState
  readonly deposit: bigint
  readonly settled: bigint
}

/** How a channel was ended, by whatever hands. */
export type LedgerEnd = {
  readonly settled: bigint
  readonly deposit: bigint
  readonly txHash: string
  readonly slot: bigint
}

/**
 * What became of a transaction. `landed` and `failed` are final blocks' word; `expired` is proof that it never lands;
 * `unknown` is no word at all.
 */
export type OrderFate =
  { readonly state: 'landed'; readonly slot: bigint } | { readonly state: 'failed' | 'expired' | 'unknown' }

/** The ledger that keeps channels. Nothing here is asked while a transaction of the database is open. */
export interface ChannelLedger {
  /**
   * The channel at an address, open, unused and on these terms. What a caller says about it plays no part.
   *
   * @throws CHANNEL_NOT_ON_CHAIN, CHANNEL_NOT_YOURS for another payer, CHANNEL_NOT_REUSABLE for other terms,
   * channel_unreadable
   */
  openChannel(channelId: string, offer: ChannelOffer): Promise<FoundChannel>
  /** Whether an address can be paid in the token: a payout without an account for it is lost for good.
   *
   * @throws WORKER_USDC_ATA_UNVERIFIABLE */
  canReceive(address: string, asset: Asset): Promise<boolean>
  /** Where a channel is now. @throws channel_unreadable */
  channel(channelId: string): Promise<LedgerChannel>
  /**
   * Signs what carries the act out on the channel as the ledger has it now; nothing is sent. Null where the act cannot
   * be carried out yet. While its payer has no account for the rest, the order for an `end` is one to `pay`, or to
   * `bring` the newest voucher.
   *
   * @throws channel_unreadable; WORKER_USDC_ATA_MISSING while the worker's account is missing, frozen or not its own
   */
  order(act: Extract<ChannelAct, 'end' | 'reclaim'>, channel: Channel): Promise<SignedChannelOrder | null>
  /** Offers the transaction to the ledger. It never throws: `fate` tells what came of it. */
  send(order: SignedChannelOrder): Promise<void>
  /** Waits at most so long for a final word. It never throws: what cannot be read is unknown. */
  fate(order: SignedChannelOrder, waitMs: number): Promise<OrderFate>
  /** How a channel was ended that we did not end; null where the ledger does not show it. @throws channel_unreadable */
  endOf(channel: Channel): Promise<LedgerEnd | null>
}

/**
 * Signs vouchers with the deployment's key. It answers at once and asks nobody, so that a tick can be signed under the
 * lock of its channel; a key that is asked over a network cannot stand behind this port.
 */
export interface VoucherSigner {
  /** The base58 signature over so much in all, which never expires. The same words give the same signature. */
  sign(channelId: string, cumulative: bigint): string
  /** Whether a buyer's key signed that voucher, which never expires; false for whatever is no signature. */
  isSigned(voucher: Pick<GivenVoucher, 'channelId' | 'cumulative' | 'signature'>, key: string): boolean
}

/** What everybody may know of the channels of a deployment; addresses as the ledger writes them. */
export type ChannelFacts = {
  /** The program that holds their money. */
  readonly program: string
  readonly mint: string
  /** Whose signature makes a voucher. */
  readonly signer: string
}

/** What metered channels stand on. */
export type Channels = {
  /** The network of the table whose tasks may be metered. */
  readonly network: string
  readonly facts: ChannelFacts
  readonly ledger: ChannelLedger
  readonly vouchers: VoucherSigner
  readonly opening: OpeningLedger
  readonly openings: ChannelOpenings
}
