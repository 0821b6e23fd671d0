import { totalsOf, type Movement } from '../escrow/movement.ts'
import type { Tx } from '../ports/store.ts'
import { networkOf, type AuthorizeOrder } from '../settlements/order.ts'
import { leaseEnd, type Settlement } from '../settlements/settlement.ts'
import { bookMovement } from './book-movement.ts'
import { confirmSettlement } from './confirm.ts'
import { isDead } from './dead.ts'
import type { MarketDeps } from './deps.ts'
import { onEach } from './each-network.ts'
import { livesBy } from './lives-by.ts'
import { readable } from './readable.ts'
import { attempt } from './settle.ts'
import { strayOf } from './stray.ts'

const batch = 20
/** How often a signature is looked at, as a part of the time it was refused since, within these bounds. */
const looks = 4
const leastMs = 5_000
const mostMs = 3_600_000

/**
 * A signature that was given up may still be used, by its payer or by whoever got hold of it, until it has run out.
 * What comes of it is booked, and goes back unless the task was paid with it (decision 0082).
 */
export function watchRefused(deps: MarketDeps, networks?: readonly string[]): Promise<number> {
  return onEach(deps, networks, async (network) => {
    const now = deps.clock.now()
    const due = await deps.store.leaseWatched(network, now, new Date(now.getTime() + leastMs), batch)
    const ended = await Promise.all(due.map((settlement) => watchOne(deps, settlement)))
    return ended.filter(Boolean).length
  })
}

async function watchOne(deps: MarketDeps, settlement: Settlement & { readonly watchUntil: Date }): Promise<boolean> {
  const { order } = settlement
  if (order.kind === 'authorize') return watchLock(deps, settlement, order)
  const isOver = await isDead(deps, order)
  const found = await readable(() => deps.rails(networkOf(order)).find(order))
  if (found === null) return false
  if (found.state === 'absent') return lookAgain(deps, settlement, isOver || found.isDead === true)
  await confirmSettlement(deps, settlement, found)
  return lookAgain(deps, settlement, true)
}

async function watchLock(
  deps: MarketDeps,
  settlement: Settlement & { readonly watchUntil: Date },
  order: AuthorizeOrder,
): Promise<boolean> {
  const rail = deps.rails(order.payment.network)
  const isOver = await isDead(deps, order)
  const state = await readable(() => rail.escrowState(order.payment))
  if (state === null) return false
  if (!state.collected) return lookAgain(deps, settlement, isOver)
  const movements = await readable(() => rail.movements(order.payment))
  // A node that knows the state and not the logs cannot tell yet.
  if (movements === null || movements.length === 0) return false
  const stray = await takeStray(deps, settlement, movements)
  if (stray !== null) await attempt(deps, stray)
  return true
}

/** Ends the watch, or says when to look again: soon after the refusal, later at leisure, and once when it is over. */
async function lookAgain(
  deps: MarketDeps,
  settlement: Settlement & { readonly watchUntil: Date },
  isOver: boolean,
): Promise<boolean> {
  const now = deps.clock.now()
  const watched = now.getTime() - settlement.createdAt.getTime()
  const waitMs = Math.min(mostMs, Math.max(leastMs, Math.floor(watched / looks)))
  const dueAt = new Date(
    Math.min(now.getTime() + waitMs, Math.max(settlement.watchUntil.getTime() + 1, now.getTime() + leastMs)),
  )
  return deps.store.transaction(async (tx) => {
    const current = await tx.lockSettlement(settlement.id)
    if (current?.status !== 'refused') return isOver
    const ends = isOver && !(await isBooked(tx, current))
    await tx.endSettlement(
      settlement.id,
      { status: 'refused', ...(ends ? {} : { watchUntil: settlement.watchUntil, dueAt }) },
      now,
    )
    return ends
  })
}

/** A node that does not know what the books name is behind: its word ends no watch. */
async function isBooked(tx: Tx, { order }: Settlement): Promise<boolean> {
  return order.kind === 'authorize' && (await tx.movements(networkOf(order), order.payment.hash)).length > 0
}

/**
 * A lock that was given back holds, or held, money all the same. Everything that moved is booked; what is held goes
 * back by a void that must land, unless the task lives by this very payment. Answers that void, to be attempted.
 */
export async function takeStray(
  deps: MarketDeps,
  settlement: Settlement,
  movements: readonly Movement[],
): Promise<Settlement | null> {
  const { order } = settlement
  if (order.kind !== 'authorize') return null
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(settlement.taskId)
    const current = await tx.lockSettlement(settlement.id)
    if (task === null || current === null || current.status !== 'refused') return null
    const place = { deps, tx, task, now }
    const isIts = await livesBy(place, order.payment.hash)
    if (!isIts) for (const movement of movements) await bookMovement(place, order.payment, movement, null)
    const { capturable } = totalsOf(movements)
    const { payment } = order
    const { executorId } = settlement
    const stray =
      isIts || capturable === 0n
        ? null
        : strayOf(place, { payment, executorId, subject: payment.hash, atomic: capturable, to: 'payer', movements })
    const isClaimed = stray !== null && (await tx.claimSettlement(stray, leaseEnd(now)))
    await tx.endSettlement(current.id, { status: 'refused' }, now)
    return isClaimed ? stray : null
  })
}
