import type { MeterUnit } from '@ergon/contract'
import { MarketError } from '../errors.ts'
import { parseUsd, type Asset } from '../money/amount.ts'

/** What one unit of work costs, and the most that may be spent: atomic units of the task's token. */
export type MeterTerms = { readonly unit: MeterUnit; readonly price: bigint; readonly cap: bigint }

/** What a task was published with: exact decimal texts in US dollars. */
export type StreamingInput = { readonly unit: MeterUnit; readonly pricePerUnit: string; readonly capUsd: string }

/** Reads the terms. @throws VALIDATION_FAILED for a price of nothing, or one above the cap. */
export function readMeterTerms({ unit, pricePerUnit, capUsd }: StreamingInput, asset: Asset): MeterTerms {
  const [price, cap] = [parseUsd(pricePerUnit, asset).atomic, parseUsd(capUsd, asset).atomic]
  if (price <= 0n || price > cap)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'payment_streaming.price_per_unit',
      constraint: 'above 0 and at most cap_usd',
      received: pricePerUnit,
    })
  return { unit, price, cap }
}

/** What has been accepted so far. */
export type Meter = {
  readonly unit: MeterUnit
  readonly price: bigint
  /** The cap, or the deposit where that is less: nothing is ever charged above it. */
  readonly limit: bigint
  /** Parts of a unit that were accepted: milliseconds of a time unit, whole units of the others. */
  readonly measured: bigint
  /** What they cost together. */
  readonly cumulative: bigint
  /** Until when the time of a time unit is accounted for. */
  readonly measuredUntil: Date
}

/** What one more tick does to a meter. */
export type Tick = Pick<Meter, 'measured' | 'cumulative' | 'measuredUntil'> & {
  /** What it adds to the voucher. */
  readonly amount: bigint
}

const minuteMs = 60_000n
const partsOf: Partial<Record<MeterUnit, bigint>> = { second: 1_000n, minute: minuteMs, hour: 60n * minuteMs }

/** Whether the unit is one of time: those have a rate per second (spec §2). */
export function isTimed(unit: MeterUnit): boolean {
  return partsOf[unit] !== undefined
}

/** How many parts make one unit. */
export function partsPerUnit(unit: MeterUnit): bigint {
  return partsOf[unit] ?? 1n
}

/** The most that a channel may be charged: never more than was agreed, never more than is in it. */
export function limitOf(terms: Pick<MeterTerms, 'cap'>, deposit: bigint): bigint {
  return terms.cap < deposit ? terms.cap : deposit
}

/**
 * What the measured work costs in all, rounded down once and trimmed to the limit: as it is charged on the whole, many
 * ticks cost what one would have cost.
 */
export function chargeOf({ unit, price, limit }: Pick<Meter, 'unit' | 'price' | 'limit'>, measured: bigint): bigint {
  const charge = (measured * price) / partsPerUnit(unit)
  return charge < limit ? charge : limit
}

/**
 * One more unit of work. A countable unit counts one. A time unit counts the time since the tick before, one unit of it
 * at most: what nobody vouched for while it ran is not made up for later.
 */
export function tickOf(meter: Meter, now: Date): Tick {
  const measured = meter.measured + partsCovered(meter, now)
  const cumulative = chargeOf(meter, measured)
  return { measured, cumulative, amount: cumulative - meter.cumulative, measuredUntil: later(meter.measuredUntil, now) }
}

/**
 * The same where the buyer says the amount. A countable unit has one price. Of the time since the tick before it may
 * promise less than all; what it leaves open stays open, as far as it would have counted. Null for any other amount.
 */
export function tickOfVoucher(meter: Meter, now: Date, cumulative: bigint): Tick | null {
  const whole = tickOf(meter, now)
  if (cumulative === whole.cumulative && whole.amount > 0n) return whole
  if (!isTimed(meter.unit) || cumulative <= meter.cumulative || cumulative > whole.cumulative) return null
  const parts = partsPerUnit(meter.unit)
  const needed = (cumulative * parts + meter.price - 1n) / meter.price
  const measured = needed < whole.measured ? needed : whole.measured
  const measuredUntil = new Date(whole.measuredUntil.getTime() - Number(whole.measured - measured))
  return { measured, cumulative, amount: cumulative - meter.cumulative, measuredUntil }
}

/** Every tick is a row: a price that is tiny beside its cap ends here. */
export const mostVouchers = 1_000_000

/** Whether nothing can be charged any more. */
export function isSpent({
  cumulative,
  limit,
  vouchers,
}: Pick<Meter, 'cumulative' | 'limit'> & { readonly vouchers: number }): boolean {
  return cumulative >= limit || vouchers >= mostVouchers
}

function partsCovered({ unit, measuredUntil }: Meter, now: Date): bigint {
  if (!isTimed(unit)) return 1n
  // A clock that went back covers nothing.
  const passed = BigInt(Math.max(0, now.getTime() - measuredUntil.getTime()))
  const most = partsPerUnit(unit)
  return passed < most ? passed : most
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other
}
