import type { ErrorCode, EventData } from '@ergon/contract'
import { cashOutMinUsd } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'
import type { DirectPayment } from '../escrow/direct-payment.ts'
import { askedFor, formatUsd, type Amount, type Asset } from '../money/amount.ts'
import type { ChargeOrder } from '../settlements/order.ts'
import { sendBefore, type SettlementStatus } from '../settlements/settlement.ts'

/** Money that a wallet sends to an address of its choice, without gas (decision 0249). */
export type CashOut = {
  readonly id: string
  readonly transfer: DirectPayment
  readonly status: SettlementStatus
  /** Why nothing was sent; null otherwise. */
  readonly code: ErrorCode | null
  readonly txHash: string | null
  readonly attempts: number
  /** Until then a copy of the order may be under way; written before it is sent. */
  readonly sentUntil: Date
  readonly createdAt: Date
}

/** What a wallet asks for, beside its signature. */
export type CashOutWords = Pick<DirectPayment, 'network' | 'amount' | 'to' | 'validBefore' | 'nonce'>

/** How much of a token may be sent: what was earned here and not spent here, less what was cashed out. */
export type Sendable = { readonly asset: Asset; readonly atomic: bigint }

export const cashOutLimits = {
  /** Of one wallet, and to one address, in a UTC day. */
  perWalletDay: 3,
  perAddressDay: 3,
  leastDollars: BigInt(cashOutMinUsd),
  /** How long an authorization may be good for, and how long it must be, so that it can still be carried out. */
  validSec: 600,
  leastValidSec: 30,
} as const

/** What is forgotten of cash-outs that came to nothing. */
export const unsentKeptMs = 30 * 86_400_000

export const leastOf = (asset: Asset): bigint => cashOutLimits.leastDollars * 10n ** BigInt(asset.decimals)

/** @throws AMOUNT_MISMATCH */
export function requireWorthSending(amount: Amount): void {
  const least = { atomic: leastOf(amount.asset), asset: amount.asset }
  if (amount.atomic >= least.atomic) return
  throw new MarketError(
    'AMOUNT_MISMATCH',
    { ...askedFor(amount), least_usdc: Number(formatUsd(least)) },
    { message: `A cash-out is of US$${formatUsd(least)} at least.` },
  )
}

/** @throws INVALID_PAYMENT_AUTH */
export function requireShortlyValid(validBefore: bigint, now: Date): void {
  const left = Number(validBefore) - Math.floor(now.getTime() / 1_000)
  if (left >= cashOutLimits.leastValidSec && left <= cashOutLimits.validSec) return
  const constraint = `valid for ${String(cashOutLimits.leastValidSec)} to ${String(cashOutLimits.validSec)} seconds`
  throw new MarketError(
    'INVALID_PAYMENT_AUTH',
    { constraint },
    { message: `The authorization must be ${constraint} from now.` },
  )
}

/** @throws INSUFFICIENT_FUNDS */
export function requireSendable(sendable: bigint, amount: Amount): void {
  if (sendable >= amount.atomic) return
  const left = { ...amount, atomic: sendable > 0n ? sendable : 0n }
  throw new MarketError(
    'INSUFFICIENT_FUNDS',
    { ...askedFor(amount), sendable_usdc: Number(formatUsd(left)) },
    { message: `Without gas you can send what you earned here and did not spend: US$${formatUsd(left)} now.` },
  )
}

/** As it is claimed; its first copy is sent at once. */
export function claimedCashOut(id: string, now: Date, transfer: DirectPayment): CashOut {
  return {
    id,
    transfer,
    status: 'claimed',
    code: null,
    txHash: null,
    attempts: 0,
    sentUntil: sendBefore(now),
    createdAt: now,
  }
}

type Told =
  | { readonly type: 'cash_out.sent'; readonly data: EventData<'cash_out.sent'> }
  | { readonly type: 'cash_out.failed'; readonly data: EventData<'cash_out.failed'> }

type Ended = Pick<CashOut, 'status'> & { readonly code?: ErrorCode; readonly txHash?: string }

/** What its wallet is told of an end; null while it has none. */
export function toldOf(
  { transfer: { network, amount, to, nonce } }: Pick<CashOut, 'transfer'>,
  { status, code = 'SETTLEMENT_FAILED', txHash }: Ended,
): Told | null {
  const words = { nonce, network, token: amount.asset.symbol, amount_usd: Number(formatUsd(amount)), to }
  if (status === 'confirmed' && txHash !== undefined)
    return { type: 'cash_out.sent', data: { ...words, tx_hash: txHash } }
  return status === 'refused' ? { type: 'cash_out.failed', data: { ...words, code } } : null
}

/** What the rail is given: the same for every copy. */
export function orderOf({ id, transfer }: Pick<CashOut, 'id' | 'transfer'>): ChargeOrder {
  return { kind: 'charge', key: `cash-out:${id}`, transfer }
}

/** @throws PAYMENT_AUTH_USED when the nonce was given with other words before */
export function requireSameWords({ transfer }: CashOut, words: CashOutWords): void {
  const isSame =
    transfer.network === words.network &&
    transfer.amount.asset.symbol === words.amount.asset.symbol &&
    transfer.amount.atomic === words.amount.atomic &&
    transfer.to === words.to.toLowerCase() &&
    transfer.validBefore === words.validBefore
  if (!isSame) throw nonceUsed(transfer.nonce)
}

export function nonceUsed(nonce: string): MarketError {
  return new MarketError(
    'PAYMENT_AUTH_USED',
    { nonce },
    { message: 'This nonce was used before. Sign again with a new one.' },
  )
}

const said: Partial<Record<ErrorCode, string>> = {
  SETTLEMENT_FAILED: 'The money could not be sent and is in your wallet as before.',
  AUTHORIZATION_EXPIRED: 'The authorization ran out before it was on chain. The money is in your wallet as before.',
  PAYMENT_AUTH_USED: 'The signature was used for something else, or withdrawn. Nothing was sent by it.',
  GAS_BUDGET_SPENT: "Today's gas for payments is spent. Nothing was sent.",
}

/** Why nothing was sent, as whoever asks again hears it too. */
export function unsent({ code, transfer }: CashOut): MarketError {
  const as = code ?? 'SETTLEMENT_FAILED'
  const message = said[as]
  return new MarketError(
    as,
    { ...askedFor(transfer.amount), nonce: transfer.nonce },
    message === undefined ? {} : { message },
  )
}
