import type { Asset } from '../money/amount.ts'
import type { Meter } from './metering.ts'

/**
 * A payment channel that funds a task, as the books have it. Addresses are of its ledger, which is case-sensitive;
 * amounts are atomic units of the asset.
 */
export type Channel = Meter & {
  /** Its address on the ledger, and its id everywhere. */
  readonly id: string
  readonly taskId: string
  readonly executorId: string
  readonly asset: Asset
  readonly payer: string
  /** Who seals it and gets what the worker does not: this deployment. */
  readonly payee: string
  /** Where the worker is paid. */
  readonly worker: string
  readonly voucherSigner: VoucherMode
  /** Whose key signs each voucher where its buyer does; null where this deployment does. */
  readonly voucherKey: string | null
  readonly status: ChannelStatus
  readonly deposit: bigint
  /** How many vouchers were accepted, and the signature of the last; null before the first. */
  readonly vouchers: number
  readonly signature: string | null
  readonly boundAt: Date
  readonly updatedAt: Date
  /** Null while it takes ticks. */
  readonly closing: Closing | null
  /** What its worker has been paid while the rest waits for its payer's account; null where all is paid at once. */
  readonly paid: ChannelEnd | null
  /** Null until it is paid out. */
  readonly end: ChannelEnd | null
}

/**
 * Why a channel takes no more ticks. `approve` and `cancel` carry the task with them; `worker` and `publisher` only end
 * the pay; `task`: the task was over by other means; `exit`: its payer, or another party, closed it on the ledger.
 */
export type CloseReason = 'approve' | 'cancel' | 'worker' | 'publisher' | 'task' | 'exit'

export type Closing = {
  readonly reason: CloseReason
  readonly at: Date
  /** What is approved when the money has moved, and the rating that came with it. */
  readonly submissionId: string | null
  readonly rating: { readonly score: number; readonly comment: string | null } | null
  /** How often its end was tried. */
  readonly attempts: number
}

/** What the ledger shows of its end. */
export type ChannelEnd = {
  readonly settled: bigint
  readonly txHash: string
  readonly slot: bigint
  readonly at: Date
}

/** Who signs vouchers: this deployment as it accepts work, or the buyer for each amount. */
export type VoucherMode = 'operator' | 'client'

/**
 * `open`: takes ticks. `closing`: takes no more, and its end is being carried out. `settled`: sealed and paid out on
 * the ledger. `reclaimed`: the rent is back too, and nothing of it is left there.
 */
export type ChannelStatus = 'open' | 'closing' | 'settled' | 'reclaimed'

/** What can happen to a channel. Whoever ends one closes it first, so that no tick slips in behind the last voucher. */
export const channelLife = {
  close: { from: 'open', to: 'closing' },
  settle: { from: 'closing', to: 'settled' },
  reclaim: { from: 'settled', to: 'reclaimed' },
} as const satisfies Record<string, { readonly from: ChannelStatus; readonly to: ChannelStatus }>

export type ChannelMove = keyof typeof channelLife

/** Whether a channel in this state may make the move. */
export function canMoveChannel(status: ChannelStatus, move: ChannelMove): boolean {
  return channelLife[move].from === status
}

/** A channel as it is bound: nothing is accepted yet, and time runs from now. */
export function boundChannel(
  terms: Omit<
    Channel,
    | 'status'
    | 'measured'
    | 'cumulative'
    | 'measuredUntil'
    | 'vouchers'
    | 'signature'
    | 'boundAt'
    | 'updatedAt'
    | 'closing'
    | 'paid'
    | 'end'
  >,
  now: Date,
): Channel {
  return {
    ...terms,
    status: 'open',
    measured: 0n,
    cumulative: 0n,
    measuredUntil: now,
    vouchers: 0,
    signature: null,
    boundAt: now,
    updatedAt: now,
    closing: null,
    paid: null,
    end: null,
  }
}

/** So much in all, promised by the key of the buyer. */
export type GivenVoucher = {
  readonly channelId: string
  readonly cumulative: bigint
  /** Checked, never preferred; null: not given. */
  readonly signer: string | null
  readonly signature: string
}

/** One accepted unit of work. Written with the voucher it raised, before anybody is told of it. */
export type AcceptedTick = {
  /** What its sender is told to call it. */
  readonly id: string
  readonly channelId: string
  /** 1 for the first. */
  readonly index: number
  readonly amount: bigint
  readonly cumulative: bigint
  readonly measured: bigint
  /** Of the voucher over `cumulative`; whoever has it can settle the channel. */
  readonly signature: string
  readonly evidence: Readonly<Record<string, unknown>>
  readonly note: string | null
  /** The wallet that sent it. */
  readonly author: string
  /** Under which a repeat answers this tick. */
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null
  readonly at: Date
}
