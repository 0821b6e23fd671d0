import { isAfter, type Movement } from '../escrow/movement.ts'
import type { Distribution, SeenLock } from '../ports/chain-logs.ts'
import type { Found, Landed, Rail, RailOrder } from '../ports/rail.ts'

/** What a fake chain remembers, as those who look at it see it. */
export type Sights = {
  readonly movements: readonly Movement[]
  readonly landings: readonly Landing[]
  readonly distributions: readonly Distribution[]
  /** Payments by their hash. */
  readonly escrows: ReadonlyMap<string, Held>
  readonly locks: ReadonlyMap<string, SeenLock>
  /** Nonces whose signature was withdrawn. */
  readonly withdrawn: ReadonlySet<string>
  /** Transactions of blocks that were undone. */
  readonly gone: ReadonlySet<string>
}

export type Landing = Landed & { readonly key: string; readonly order: RailOrder }
export type Held = {
  atomic: bigint
  collected: boolean
  captured: bigint
  readonly payer: string
  readonly receiver: string
}

const kindOf = { authorize: 'authorized', capture: 'captured', void: 'voided' } as const

const paysTheSame = (one: RailOrder, other: RailOrder): boolean =>
  one.kind === 'charge' &&
  other.kind === 'charge' &&
  one.transfer.to === other.transfer.to &&
  one.transfer.amount.atomic === other.transfer.amount.atomic

/** What the chain shows of an order: that it landed, or that it did not. */
export function findOrder({ movements, landings, escrows, withdrawn }: Sights, order: RailOrder): Found {
  if (order.kind === 'charge') {
    const landed = landings.find(
      (one) => one.order.kind === 'charge' && one.order.transfer.nonce === order.transfer.nonce,
    )
    // The nonce is its payer's, so it can have paid another party, or something else.
    if (landed !== undefined && paysTheSame(landed.order, order)) return { state: 'landed', ...placeOf(landed) }
    return withdrawn.has(order.transfer.nonce) ? { state: 'absent', isDead: true } : { state: 'absent' }
  }
  const { hash, maxAmount } = order.payment
  const logs = movements.filter((one) => one.hash === hash)
  if (order.kind === 'authorize') {
    const own = logs.find(({ kind, atomic }) => kind === 'authorized' && atomic === maxAmount)
    if (own !== undefined) return { state: 'landed', ...placeOf(own) }
    return logs.length > 0 ? { state: 'absent', isDead: true } : { state: 'absent' }
  }
  const own = logs.findLast(
    (one) => one.kind === kindOf[order.kind] && one.atomic === order.amount.atomic && isAfter(one, order.after),
  )
  return own === undefined
    ? { state: 'absent', capturable: escrows.get(hash)?.atomic ?? 0n }
    : { state: 'landed', ...placeOf(own), ...(own.feeBps === null ? {} : { feeBps: own.feeBps }) }
}

/** Whether this transaction did what was ordered. */
export function proofOf(
  { movements, landings, gone }: Sights,
  order: RailOrder,
  txHash: string,
): Awaited<ReturnType<Rail['proof']>> {
  const log = movements.find((one) => one.txHash === txHash)
  const landed = landings.find((one) => one.txHash === txHash)
  if ((landed === undefined && log === undefined) || gone.has(txHash)) return 'absent'
  // Whoever ordered it: the log says what moved.
  if (order.kind !== 'charge')
    return log !== undefined && log.hash === order.payment.hash && log.kind === kindOf[order.kind]
      ? 'proven'
      : 'otherwise'
  return landed?.order.kind === 'charge' && landed.order.transfer.nonce === order.transfer.nonce
    ? 'proven'
    : 'otherwise'
}

export function placeOf({ txHash, blockNumber, logIndex }: Omit<Landed, 'feeBps'>): Landed {
  return { txHash, blockNumber, logIndex }
}
