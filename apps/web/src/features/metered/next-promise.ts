import type { Output } from '@ergon/sdk'

type Meter = Pick<Output<'meters.get'>, 'unit' | 'price_per_unit' | 'consumed_uusdc' | 'remaining_usd'>

const unitMs: Partial<Record<Meter['unit'], number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 }

/** Whether what is paid for is time. */
export const isTime = (unit: Meter['unit']): boolean => unitMs[unit] !== undefined

/** So often time is signed for, where the buyer lets it go on by itself. */
export function signEveryMs(unit: Meter['unit']): number {
  return Math.min(60_000, Math.max(1_000, (unitMs[unit] ?? 60_000) / 3))
}

/**
 * All that the buyer's next voucher promises, in millionths: what was accepted and one unit more. Of time it is what
 * has passed since the meter was seen to change, one unit at most: the service counts from earlier, so it is never too
 * much. Never above what may be spent, nor above `most`; undefined where nothing is to be promised.
 */
export function nextPromise(meter: Meter, seenForMs: number, most?: bigint): bigint | undefined {
  const consumed = BigInt(meter.consumed_uusdc)
  const price = microOf(meter.price_per_unit)
  const length = unitMs[meter.unit]
  const passed = BigInt(Math.max(0, Math.floor(Math.min(seenForMs, length ?? 0))))
  const more = length === undefined ? price : (price * passed) / BigInt(length)
  const promised = least(consumed + more, limitOf(meter))
  if (most === undefined) return promised > consumed ? promised : undefined
  // A countable unit has one price: part of it is no payment.
  const bounded = length === undefined && promised > most ? consumed : least(promised, most)
  return bounded > consumed ? bounded : undefined
}

/** The most that may be promised in all, in millionths. */
export function limitOf(meter: Pick<Meter, 'consumed_uusdc' | 'remaining_usd'>): bigint {
  return BigInt(meter.consumed_uusdc) + microOf(meter.remaining_usd.toFixed(6))
}

/** Millionths of a decimal text that has six decimals at most. */
export function microOf(usd: string): bigint {
  const [whole = '0', part = ''] = usd.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(part.slice(0, 6).padEnd(6, '0'))
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
