import { MarketError } from '../errors.ts'
import { parseUsd, type Asset } from '../money/amount.ts'
import type { BountyBounds } from '../tasks/bounty.ts'
import type { Task } from '../tasks/task.ts'
import type { MeterTerms, StreamingInput } from './metering.ts'

/** So many sessions of one buyer run at a time. */
export const mostLiveStreams = 10

/** A stream is metered time between two: a task that asks for nothing to be handed in (decision 0204). */
export function isStream({ evidenceRequired }: Pick<Task, 'evidenceRequired'>): boolean {
  return evidenceRequired.length === 0
}

/**
 * Reads what a session costs. @throws SESSION_CAP_EXCEEDED for a cap above what this deployment lets one cost,
 * VALIDATION_FAILED for less than it lets a bounty be, and for a price of nothing or above the cap
 */
export function readStreamTerms(
  { unit, pricePerUnit, capUsd }: StreamingInput,
  asset: Asset,
  { min, max }: Pick<BountyBounds, 'min' | 'max'>,
): MeterTerms {
  const [price, cap, least, most] = [pricePerUnit, capUsd, min, max].map((text) => parseUsd(text, asset).atomic) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ] // four texts, four amounts
  if (cap > most)
    throw new MarketError(
      'SESSION_CAP_EXCEEDED',
      { reason: 'above_the_ceiling', limit_usd: Number(max), received: capUsd },
      { message: 'A session may not cost so much here.' },
    )
  if (cap < least)
    throw new MarketError('VALIDATION_FAILED', { field: 'cap_usd', constraint: `at least ${min}`, received: capUsd })
  if (price <= 0n || price > cap)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'price_per_unit',
      constraint: 'above 0 and at most cap_usd',
      received: pricePerUnit,
    })
  return { unit, price, cap }
}

/** @throws SESSION_CAP_EXCEEDED */
export function requireRoomForStream(live: number): void {
  if (live >= mostLiveStreams)
    throw new MarketError(
      'SESSION_CAP_EXCEEDED',
      { reason: 'too_many_sessions', limit: mostLiveStreams },
      { message: 'So many sessions of this wallet run already. Stop one first.' },
    )
}
