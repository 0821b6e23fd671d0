import { MarketError } from '../errors.ts'

export type MovementKind = 'authorized' | 'charged' | 'captured' | 'voided' | 'reclaimed' | 'refunded'

/** The place of a log on its chain. */
export type LogPlace = { readonly blockNumber: bigint; readonly logIndex: number }

/**
 * One log of the escrow about one payment: money that moved, by whatever hand. Transaction and index name it for good,
 * so it is booked once, however many of us come to see it.
 */
export type Movement = LogPlace & {
  readonly network: string
  readonly txHash: string
  /** Key of the payment on chain. */
  readonly hash: string
  readonly kind: MovementKind
  readonly atomic: bigint
  /** The share that was kept when it was paid out; null for what went to the payer. */
  readonly feeBps: number | null
}

/** What all movements of a payment add up to. */
export type Totals = {
  readonly capturable: bigint
  /** Paid out, fee included. */
  readonly captured: bigint
  /** Back with the payer out of what was held. */
  readonly returned: bigint
  readonly refunded: bigint
}

/**
 * Of movements in the order of the chain. A payment is collected once: of two that say so, the first is of a block that
 * was given up and is not unbooked yet.
 */
export function totalsOf(movements: readonly Pick<Movement, 'kind' | 'atomic'>[]): Totals {
  const sum = (...kinds: readonly MovementKind[]): bigint =>
    movements.reduce((total, one) => (kinds.includes(one.kind) ? total + one.atomic : total), 0n)
  const [captured, returned] = [sum('captured'), sum('voided', 'reclaimed')]
  return {
    capturable: (movements.findLast(({ kind }) => kind === 'authorized')?.atomic ?? 0n) - captured - returned,
    captured: captured + sum('charged'),
    returned,
    refunded: sum('refunded'),
  }
}

/** The place of a movement, for a question about those after it. */
export function placeOf({ blockNumber, logIndex }: LogPlace): LogPlace {
  return { blockNumber, logIndex }
}

/** Whether a log comes after a place; without a place every log does. */
export function isAfter(log: LogPlace, place: LogPlace | undefined): boolean {
  return (
    place === undefined ||
    log.blockNumber > place.blockNumber ||
    (log.blockNumber === place.blockNumber && log.logIndex > place.logIndex)
  )
}

/** A log that one settlement brought about was found for another, which has still to end, or to settle the rest. */
export class BookedForAnother extends MarketError {
  constructor({ txHash, logIndex }: Pick<Movement, 'txHash' | 'logIndex'>) {
    super('INTERNAL', { tx_hash: txHash, log_index: logIndex }, { message: 'one log was booked for two settlements' })
  }
}
