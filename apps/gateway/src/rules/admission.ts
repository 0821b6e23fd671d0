import type { VoucherSigner } from '@ergon/channels'

/** What a channel has taken and may take, in atomic units. */
export type Meter = {
  readonly voucherSigner: VoucherSigner
  readonly deposit: bigint
  /** Charged for calls that were answered. */
  readonly spent: bigint
  /** Set aside for calls under way. */
  readonly held: bigint
  /** The highest voucher of a client that a call was charged for, or is under way for. */
  readonly taken: bigint
}

/** Why a call is not let through to its upstream. */
export type AdmissionFault =
  'deposit_exhausted' | 'voucher_goes_back' | 'voucher_repeats' | 'voucher_not_the_price' | 'voucher_over_deposit'

/** What a client's next voucher has to say: exactly the price more than its last that bought a call. */
export function dueCumulative({ taken }: Pick<Meter, 'taken'>, price: bigint): bigint {
  return taken + price
}

/**
 * What keeps a call from being let through. A client's voucher buys one call, for exactly its price; one whose call was
 * not charged may be brought again. Where the operator signs, the deposit is the bound.
 *
 * @param cumulative what the client's voucher says; undefined where the operator signs.
 */
export function admissionFault(
  meter: Meter,
  price: bigint,
  cumulative: bigint | undefined,
): AdmissionFault | undefined {
  if (cumulative === undefined)
    return meter.spent + meter.held + price > meter.deposit ? 'deposit_exhausted' : undefined
  const due = dueCumulative(meter, price)
  if (due > meter.deposit) return 'deposit_exhausted'
  if (cumulative > meter.deposit) return 'voucher_over_deposit'
  if (cumulative === meter.taken) return 'voucher_repeats'
  if (cumulative < due) return 'voucher_goes_back'
  return cumulative > due ? 'voucher_not_the_price' : undefined
}

/** Whether an answer of the upstream is what its caller paid for: a fault of the seller's side costs nothing. */
export function isCharged(status: number): boolean {
  return status < 500 && status !== 408 && status !== 429
}

/** A client's voucher has to outlive the call and its settlement. */
export const leastVoucherLifeSec = 900
/** So long before a voucher ends its channel is settled. */
export const settleAheadSec = 600

/** Whether a voucher ends too soon to be settled for sure. @param nowSec the shared clock's. */
export function endsTooSoon(expiresAt: bigint, nowSec: bigint): boolean {
  return expiresAt !== 0n && expiresAt < nowSec + BigInt(leastVoucherLifeSec)
}
