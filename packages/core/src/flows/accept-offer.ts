import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { placeOf, type Movement } from '../escrow/movement.ts'
import type { Payment, SignedReleaseOrder } from '../escrow/payment.ts'
import { askedFor } from '../money/amount.ts'
import type { TypedData } from '../ports/signatures.ts'
import type { RailOrder } from '../settlements/order.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import { shareOf, statusAt, termsOf, type Offer, type OfferPayments } from '../settlement-offers/offer.ts'
import type { Task } from '../tasks/task.ts'
import { agreedBack } from './agreed.ts'
import { chargeOrder, requireBalanceOf } from './approve.ts'
import { bookMovement } from './book-movement.ts'
import { voidOf } from './cancel.ts'
import type { Place } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'
import { existingOffer, notOpen } from './end-offer.ts'
import { readPayments } from './offer-payments.ts'
import {
  askPayments,
  heldNow,
  requireNotRuled,
  requireSettleable,
  requireUndecided,
  type Held,
  type OfferPaymentsAsked,
} from './offer.ts'
import { wire } from './scene.ts'
import { attempt, attemptInTime } from './settle.ts'
import { sidesOf, type Sides } from './sides.ts'

export type AcceptInput = {
  readonly signature: string
  /** The payer's own release order of the worker's share; without one the service's order key signs for both. */
  readonly order: SignedReleaseOrder | null
  readonly payments: OfferPayments | null
}
export type AcceptedOffer = { readonly state: 'settled' | 'settling'; readonly offer: Offer }

export type AcceptChallenge = {
  readonly offer: Offer
  readonly typedData: TypedData
  /** The payer's release order of the worker's share, where it accepts and something is captured. */
  readonly release: { readonly typedData: TypedData; readonly deadline: number; readonly nonce: string } | null
  readonly payments: OfferPaymentsAsked | null
}

/** All that the other side signs to accept. Reads only. */
export async function acceptChallenge(
  deps: MarketDeps,
  caller: WalletCaller,
  offerId: string,
): Promise<AcceptChallenge> {
  const { offer, sides } = await acceptable(deps, caller, offerId)
  const held = await heldNow(deps, sides.task)
  requireSame(offer, held)
  const { toWorker, asset } = offer.words
  const pays = sides.side === 'publisher' && toWorker > 0n
  const amount = { atomic: toWorker, asset }
  return {
    offer,
    typedData: deps.signatures.offerDocument(termsOf(offer)),
    release:
      pays && held.payment !== null ? deps.signatures.releaseChallenge(held.payment, amount, deps.clock.now()) : null,
    payments: pays && held.payment === null ? await askPayments(deps, sides, toWorker) : null,
  }
}

async function acceptable(
  deps: MarketDeps,
  caller: WalletCaller,
  offerId: string,
): Promise<{ readonly offer: Offer; readonly sides: Sides }> {
  const offer = await existingOffer(deps, offerId)
  const sides = await sidesOf(deps, caller, offer.taskId)
  if (offer.side === sides.side)
    throw new MarketError(
      'FORBIDDEN',
      { offer_id: offerId },
      { message: 'The other side accepts this offer; you made it.' },
    )
  requireOpen(deps, offer, sides.task)
  return { offer, sides }
}

function requireOpen({ clock }: MarketDeps, offer: Offer, task: Task): void {
  if (statusAt(offer, clock.now()) !== 'open') throw notOpen(offer, clock.now())
  if (task.executorId !== offer.executorId) throw notOpen({ ...offer, status: 'withdrawn' }, clock.now())
  requireSettleable(task)
  requireUndecided(task)
}

/** What both signed is what is there. @throws OFFER_NOT_OPEN */
function requireSame({ id, words }: Offer, { payment, atomic }: Held): void {
  if ((payment?.hash ?? null) === words.payment && atomic === words.toWorker + words.toPayer) return
  throw new MarketError(
    'OFFER_NOT_OPEN',
    { offer_id: id, offered: String(words.toWorker + words.toPayer), held: String(atomic) },
    { message: 'The task does not hold any more what this offer divides. Make a new one of what is left.' },
  )
}

/**
 * The other side signs the same words, and the money moves as they say: claim, pay, confirm (decision 0167). What
 * cannot be paid opens the offer again.
 */
export async function acceptOffer(
  deps: MarketDeps,
  caller: WalletCaller,
  offerId: string,
  input: AcceptInput,
): Promise<AcceptedOffer> {
  const { offer, sides } = await acceptable(deps, caller, offerId)
  const held = await heldNow(deps, sides.task)
  requireSame(offer, held)
  if (!(await deps.signatures.isOfferSigned(termsOf(offer), caller.wallet, input.signature)))
    throw new MarketError(
      'INVALID_SIGNATURE',
      { reason: 'the offer is not signed by who accepts it', ...askedFor(shareOf(offer)) },
      { message: 'The offer is not signed by who accepts it.' },
    )
  const plan = await planOf(deps, offer, sides, held, input)
  const submissionId = await handedIn(deps, sides.task, offer.executorId)
  const [first, second] = await claim(deps, offer, { ...plan, submissionId }, input)
  const ending = first === undefined ? null : await attempt(deps, first)
  if (ending?.state === 'refused') {
    const { code, details, message } = ending.refusal
    throw new MarketError(code, { ...details, offer_id: offerId }, message === undefined ? {} : { message })
  }
  if (ending?.state === 'confirmed' && second !== undefined) await attemptInTime(deps, second)
  deps.wakeup.settlements()
  const after = await existingOffer(deps, offerId)
  return { state: after.status === 'settled' ? 'settled' : 'settling', offer: after }
}

/** The orders that carry an offer out, made before the claim because their signatures are checked on a chain. */
type Plan =
  | { readonly kind: 'none' }
  | { readonly kind: 'direct'; readonly payments: Awaited<ReturnType<typeof readPayments>> }
  | {
      readonly kind: 'escrow'
      readonly payment: Payment
      readonly moved: readonly Movement[]
      readonly order: SignedReleaseOrder | null
    }

type Planned<P> = P & { readonly submissionId: string | null }

async function planOf(
  deps: MarketDeps,
  { words, payments: brought }: Offer,
  sides: Sides,
  { payment, moved }: Held,
  { order, payments }: AcceptInput,
): Promise<Plan> {
  const { toWorker, asset } = words
  const now = deps.clock.now()
  if (payment === null) {
    if (toWorker === 0n) return { kind: 'none' }
    const read = await readPayments(deps, sides, toWorker, sides.side === 'publisher' ? payments : brought)
    await requireBalanceOf(deps, read.payout.from, { atomic: toWorker, asset })
    return { kind: 'direct', payments: read }
  }
  if (toWorker > 0n && now.getTime() >= payment.authorizationExpiry * 1_000)
    throw new MarketError('AUTHORIZATION_EXPIRED', { task_id: sides.task.id })
  const isPayers = order !== null && toWorker > 0n && sides.side === 'publisher'
  if (isPayers) await deps.signatures.checkReleaseOrder(order, payment, { atomic: toWorker, asset }, now)
  return { kind: 'escrow', payment, moved, order: isPayers ? order : null }
}

async function claim(
  deps: MarketDeps,
  { id, taskId }: Offer,
  plan: Planned<Plan>,
  { signature }: AcceptInput,
): Promise<readonly Settlement[]> {
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    if (task === null) throw new MarketError('OFFER_NOT_FOUND', { offer_id: id })
    if (await tx.hasOpenSettlement(taskId)) throw new MarketError('APPROVAL_IN_FLIGHT', { offer_id: id })
    const offer = await tx.lockOffer(id)
    if (offer === null) throw new MarketError('OFFER_NOT_FOUND', { offer_id: id })
    requireOpen(deps, offer, task)
    await requireNotRuled(tx, task)
    await tx.endOffer(id, 'accepted', signature, null)
    const { toWorker, toPayer, asset } = offer.words
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'settlement.accepted',
      taskId,
      at: now,
      data: {
        task_id: taskId,
        offer_id: id,
        worker_amount: wire({ atomic: toWorker, asset }),
        payer_amount: wire({ atomic: toPayer, asset }),
      },
    })
    const place = { deps, tx, task, now }
    if (plan.kind === 'none') {
      await agreedBack(place, { ...offer, status: 'accepted', answer: signature }, plan.submissionId, null)
      return []
    }
    const settlements = await settlementsOf(place, offer, plan)
    for (const one of settlements) {
      if (!(await tx.claimSettlement(one, leaseEnd(now)))) throw new MarketError('APPROVAL_IN_FLIGHT', { offer_id: id })
    }
    if (plan.kind === 'escrow')
      await tx.changeTask(taskId, { escrowStatus: toWorker === 0n ? 'refunding' : 'releasing' }, now)
    return settlements
  })
}

async function settlementsOf(
  { deps, tx, task, now }: Place,
  offer: Offer,
  plan: Planned<Exclude<Plan, { readonly kind: 'none' }>>,
): Promise<readonly Settlement[]> {
  const { words, executorId } = offer
  const { submissionId } = plan
  const one = (
    purpose: Settlement['purpose'],
    subject: string,
    orderOf: (id: string) => RailOrder,
    mustLand: boolean,
  ): Settlement => {
    const id = deps.ids.next()
    const of = { taskId: task.id, submissionId, executorId, offerId: offer.id }
    return claimed(id, now, { ...of, purpose, subject, order: orderOf(id), mustLand })
  }
  if (plan.kind === 'direct') {
    const { payout, fee } = plan.payments
    const about = submissionId ?? offer.id
    const paying = one('payout', `payout:${about}`, chargeOrder(payout), false)
    return fee === null ? [paying] : [paying, one('fee', `fee:${about}`, chargeOrder(fee), true)]
  }
  const { payment, moved, order } = plan
  for (const movement of moved) await bookMovement({ deps, tx, task, now }, payment, movement, null)
  const { network, hash, asset } = payment
  if (words.toWorker === 0n) {
    const back = await voidOf(tx, payment, '', now)
    return [one('return', hash, (id) => ({ ...back, key: `return:${network}:${hash}:${id}` }), false)]
  }
  const last = moved.at(-1)
  const after = last === undefined ? {} : { after: placeOf(last) }
  const common = { payment, issuedAt: Math.floor(now.getTime() / 1_000), ...after }
  const amount = (atomic: bigint) => ({ atomic, asset })
  const paying = one(
    'award',
    hash,
    (id) => ({ ...common, kind: 'capture', key: `award:${hash}:${id}`, amount: amount(words.toWorker), order }),
    false,
  )
  if (words.toPayer === 0n) return [paying]
  const back = one(
    'remainder',
    hash,
    (id) => ({ ...common, kind: 'void', key: `remainder:${hash}:${id}`, amount: amount(words.toPayer) }),
    true,
  )
  return [paying, back]
}

/** What the worker handed in last, if it did. */
async function handedIn({ store }: MarketDeps, { id }: Task, executorId: string): Promise<string | null> {
  return (await store.submissions(id)).find((one) => one.executorId === executorId)?.id ?? null
}
