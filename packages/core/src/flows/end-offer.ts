import type { WalletCaller } from '../caller.ts'
import type { Side } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import type { Timer } from '../ports/store-timers.ts'
import { statusAt, type Offer, type OfferStatus } from '../settlement-offers/offer.ts'
import { turnOf } from '../settlement-offers/turn.ts'
import type { Place } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask } from './read.ts'
import { sidesOf } from './sides.ts'

export async function existingOffer(deps: MarketDeps, offerId: string): Promise<Offer> {
  const offer = await deps.store.offer(offerId)
  if (offer === null) throw new MarketError('OFFER_NOT_FOUND', { offer_id: offerId })
  return offer
}

export const notOpen = (offer: Offer, now: Date): MarketError =>
  new MarketError('OFFER_NOT_OPEN', { offer_id: offer.id, status: statusAt(offer, now) })

/** What was offered about a task, to its two sides, newest first; to its publisher also while it has no worker. */
export async function offers(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<readonly Offer[]> {
  const task = await existingTask(deps, taskId)
  if (task.executorId !== null || task.publisherWallet !== caller.wallet) await sidesOf(deps, caller, taskId)
  const now = deps.clock.now()
  return (await deps.store.offers(taskId)).map((one) => ({ ...one, status: statusAt(one, now) }))
}

/** One offer, to the two sides of its task. */
export async function readOffer(deps: MarketDeps, caller: WalletCaller, offerId: string): Promise<Offer> {
  const offer = await existingOffer(deps, offerId)
  await sidesOf(deps, caller, offer.taskId)
  return { ...offer, status: statusAt(offer, deps.clock.now()) }
}

/** Whoever made an offer withdraws it; the other side refuses it. */
export async function closeOffer(deps: MarketDeps, caller: WalletCaller, offerId: string): Promise<Offer> {
  const { taskId } = await existingOffer(deps, offerId)
  const { side } = await sidesOf(deps, caller, taskId)
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    const offer = await tx.lockOffer(offerId)
    if (task === null || offer === null) throw new MarketError('OFFER_NOT_FOUND', { offer_id: offerId })
    if (statusAt(offer, now) !== 'open') throw notOpen(offer, now)
    const status = offer.side === side ? 'withdrawn' : 'refused'
    await end({ deps, tx, task, now }, offer, status)
    await nextTurn({ deps, tx, task, now })
    return { ...offer, status, endedAt: now }
  })
}

/** Ends the open offers of one side, or with null of both. */
export async function endOffersBy(place: Place, side: Side | null, status: OfferStatus): Promise<void> {
  const open = (await place.tx.lockOffers(place.task.id)).filter(
    (one) => one.status === 'open' && (side === null || one.side === side),
  )
  for (const offer of open) await end(place, offer, statusAt(offer, place.now) === 'expired' ? 'expired' : status)
}

async function end({ deps, tx, task, now }: Place, offer: Offer, status: OfferStatus): Promise<void> {
  await tx.endOffer(offer.id, status, null, now)
  if (status !== 'withdrawn' && status !== 'refused' && status !== 'expired') return
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'settlement.closed',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, offer_id: offer.id, outcome: status },
  })
}

/** The turn goes to who has the other open offer to answer, if there is one. */
async function nextTurn({ tx, task, now }: Place): Promise<void> {
  if (task.turn !== null && task.turn.kind !== 'offer') return
  const [other] = (await tx.lockOffers(task.id)).filter((one) => statusAt(one, now) === 'open')
  await tx.changeTask(task.id, { turn: other === undefined ? null : turnOf(other) }, now)
  if (other !== undefined) await tx.putTimer(task.id, 'offer_end', other.expiresAt)
}

/** An offer that nobody answered in time. */
export async function expireOffers({ store, ...deps }: MarketDeps, timer: Timer): Promise<void> {
  const now = deps.clock.now()
  await store.transaction(async (tx) => {
    const task = await tx.lockTask(timer.taskId)
    if (task === null) return tx.dropTimer(timer)
    const place = { deps: { ...deps, store }, tx, task, now }
    const over = (await tx.lockOffers(task.id)).filter((one) => one.status === 'open' && one.expiresAt <= now)
    for (const offer of over) await end(place, offer, 'expired')
    await tx.dropTimer(timer)
    await nextTurn(place)
  })
}
