import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { totalsOf, type Movement } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import { askedFor, parseUsd, splitFee, type Amount } from '../money/amount.ts'
import { signedOn } from '../network.ts'
import type { TypedData } from '../ports/signatures.ts'
import type { Tx } from '../ports/store.ts'
import {
  offerLimits,
  settleable,
  shareOf,
  termsOf,
  type Offer,
  type OfferPayments,
} from '../settlement-offers/offer.ts'
import { turnOf } from '../settlement-offers/turn.ts'
import type { Task } from '../tasks/task.ts'
import { writtenWords } from '../tasks/task-words.ts'
import type { MarketDeps } from './deps.ts'
import { endOffersBy } from './end-offer.ts'
import { demandDivisible, readPayments, requireHandedIn } from './offer-payments.ts'
import { readable } from './readable.ts'
import { sidesOf, type Sides } from './sides.ts'

export type OfferChallenge = {
  readonly taskId: string
  readonly typedData: TypedData
  readonly toWorker: Amount
  readonly toPayer: Amount
  readonly nonce: string
  readonly expiresAt: Date
  /** Mode fase1: what the payer signs as well to pay what it offers; null wherever nothing of the kind is asked for. */
  readonly payments: OfferPaymentsAsked | null
}
export type OfferPaymentsAsked = { readonly payout: Asked; readonly fee: Asked | null }
type Asked = { readonly typedData: TypedData; readonly envelope: Readonly<Record<string, unknown>> }

export type OfferInput = {
  readonly toWorker: string
  readonly expiresAt: Date
  readonly nonce: string
  readonly signature: string
  readonly message: string | null
  readonly payments: OfferPayments | null
}

/** What the task holds now, as the chain says; in mode fase1 what its bounty is. */
export type Held = {
  readonly payment: Payment | null
  readonly atomic: bigint
  readonly moved: readonly Movement[]
}

/** @throws CHAIN_UNAVAILABLE, OFFER_NOT_OPEN where nothing could be divided */
export async function heldNow(deps: MarketDeps, task: Task): Promise<Held> {
  if (task.escrowStatus === 'none') {
    if ((await deps.store.meterTerms(task.id)) !== null)
      throw new MarketError('OFFER_NOT_OPEN', { task_id: task.id, is_metered: true }, { message: metered })
    return { payment: null, atomic: task.bounty.atomic, moved: [] }
  }
  const payment = await deps.store.escrowPayment(task.id)
  if (payment === null || task.escrowStatus !== 'authorized')
    throw new MarketError('OFFER_NOT_OPEN', { task_id: task.id, escrow_status: task.escrowStatus })
  const rail = deps.rails(payment.network)
  const state = await readable(() => rail.escrowState(payment))
  if (state === null) throw new MarketError('CHAIN_UNAVAILABLE', { network: payment.network })
  if (state.capturable === payment.maxAmount) return { payment, atomic: payment.maxAmount, moved: [] }
  const moved = await readable(() => rail.movements(payment))
  if (moved === null || totalsOf(moved).capturable !== state.capturable)
    throw new MarketError('CHAIN_UNAVAILABLE', { network: payment.network })
  return { payment, atomic: state.capturable, moved }
}
const metered = 'A metered task is settled by closing its channel.'

/** The words to sign for an offer of so much to the worker, the rest back to the payer. Reads only. */
export async function offerChallenge(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  input: { readonly toWorker: string; readonly validHours: number | null },
): Promise<OfferChallenge> {
  const sides = await sidesOf(deps, caller, taskId)
  requireSettleable(sides.task)
  requireUndecided(sides.task)
  const held = await heldNow(deps, sides.task)
  const now = deps.clock.now()
  const wanted = now.getTime() + (input.validHours ?? offerLimits.hoursDefault) * 3_600_000
  const end = held.payment === null ? wanted : Math.min(wanted, held.payment.authorizationExpiry * 1_000)
  const expiresAt = new Date(Math.floor(end / 1_000) * 1_000)
  const nonce = deps.signatures.freshNonce()
  const words = wordsOf(deps, sides, held, parseShare(sides.task, input.toWorker), nonce)
  const { asset } = words
  const payments =
    sides.side === 'publisher' && held.payment === null && words.toWorker > 0n
      ? await askPayments(deps, sides, words.toWorker)
      : null
  return {
    taskId,
    typedData: deps.signatures.offerDocument({ ...words, taskId, expiresAt }),
    toWorker: { atomic: words.toWorker, asset },
    toPayer: { atomic: words.toPayer, asset },
    nonce,
    expiresAt,
    payments,
  }
}

/** What the payer signs to pay a share directly. */
export async function askPayments(
  deps: MarketDeps,
  { task, worker }: Pick<Sides, 'task' | 'worker'>,
  toWorker: bigint,
): Promise<OfferPaymentsAsked> {
  demandDivisible(deps, task)
  await requireHandedIn(deps, { task, worker })
  const { asset } = task.bounty
  const { payout, fee } = splitFee({ atomic: toWorker, asset })
  const terms = { taskId: task.id, network: asset.network, from: task.publisherWallet }
  const now = deps.clock.now()
  const treasury = fee.atomic === 0n ? null : await deps.signatures.treasury(asset.network, asset)
  return {
    payout: deps.signatures.directChallenge({ ...terms, part: 'payout', to: worker.wallet, amount: payout }, now),
    fee:
      treasury === null
        ? null
        : deps.signatures.directChallenge({ ...terms, part: 'fee', to: treasury, amount: fee }, now),
  }
}

function parseShare(task: Task, text: string): bigint {
  if (Number(text) === 0) return 0n
  return parseUsd(text, task.bounty.asset).atomic
}

function wordsOf(
  deps: MarketDeps,
  { task, worker }: Sides,
  { payment, atomic }: Held,
  toWorker: bigint,
  nonce: string,
): Offer['words'] {
  const { asset } = task.bounty
  if (toWorker > atomic) throw tooMuch(toWorker, atomic)
  if (toWorker > 0n && splitFee({ atomic: toWorker, asset }).payout.atomic <= 0n)
    throw new MarketError('PAYOUT_NON_POSITIVE', { task_id: task.id })
  if (toWorker > 0n) demandDivisible(deps, task)
  return {
    network: signedOn(deps, asset.network),
    payment: payment?.hash ?? null,
    payer: task.publisherWallet,
    worker: worker.wallet,
    asset,
    toWorker,
    toPayer: atomic - toWorker,
    nonce,
  }
}

const tooMuch = (received: bigint, most: bigint): MarketError =>
  new MarketError('VALIDATION_FAILED', {
    field: 'worker_amount_usd',
    constraint: `at most what the task holds, ${String(most)} atomic units`,
    received: String(received),
  })

export function requireSettleable(task: Task): void {
  if (!settleable.includes(task.status))
    throw new MarketError('OFFER_NOT_OPEN', { task_id: task.id, status: task.status })
}

/** Offers a settlement to the other side; an earlier open one of this side is withdrawn. No money moves. */
export async function proposeOffer(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  input: OfferInput,
): Promise<Offer> {
  const sides = await sidesOf(deps, caller, taskId)
  requireSettleable(sides.task)
  const now = deps.clock.now()
  requireTime(input.expiresAt, now)
  const held = await heldNow(deps, sides.task)
  const words = wordsOf(deps, sides, held, parseShare(sides.task, input.toWorker), input.nonce)
  const offer: Offer = {
    id: deps.ids.next(),
    taskId,
    executorId: sides.worker.id,
    side: sides.side,
    words,
    message: writtenWords(input.message),
    signature: input.signature,
    answer: null,
    payments: held.payment === null && sides.side === 'publisher' && words.toWorker > 0n ? input.payments : null,
    status: 'open',
    createdAt: now,
    expiresAt: input.expiresAt,
    endedAt: null,
  }
  if (!(await deps.signatures.isOfferSigned(termsOf(offer), caller.wallet, input.signature)))
    throw new MarketError(
      'INVALID_SIGNATURE',
      { reason: 'the offer is not signed by who makes it', ...askedFor(shareOf(offer)) },
      { message: 'The offer is not signed by who makes it.' },
    )
  if (held.payment === null && words.toWorker > 0n && sides.side === 'publisher')
    await readPayments(deps, sides, words.toWorker, input.payments)
  await deps.store.transaction((tx) => insert(deps, tx, offer, now))
  return offer
}

function requireTime(expiresAt: Date, now: Date): void {
  const left = expiresAt.getTime() - now.getTime()
  // Whole seconds are signed.
  const isWhole = expiresAt.getTime() % 1_000 === 0
  if (isWhole && left > 0 && left <= offerLimits.hoursMax * 3_600_000) return
  throw new MarketError('VALIDATION_FAILED', {
    field: 'expires_at',
    constraint: `a whole second in the next ${String(offerLimits.hoursMax)} hours, as the challenge said`,
    received: expiresAt.toISOString(),
  })
}

async function insert(deps: MarketDeps, tx: Tx, offer: Offer, now: Date): Promise<void> {
  const task = await tx.lockTask(offer.taskId)
  if (task === null || task.executorId !== offer.executorId)
    throw new MarketError('OFFER_NOT_OPEN', { task_id: offer.taskId })
  requireSettleable(task)
  if (await tx.hasOpenSettlement(task.id)) throw new MarketError('APPROVAL_IN_FLIGHT', { task_id: task.id })
  await requireNotRuled(tx, task)
  const earlier = await tx.lockOffers(task.id)
  if (earlier.some(({ words }) => words.nonce === offer.words.nonce))
    throw new MarketError('VALIDATION_FAILED', {
      field: 'nonce',
      constraint: 'of a challenge of its own',
      received: offer.words.nonce,
    })
  // No counter: no time makes room for another.
  if (earlier.length >= offerLimits.perTask)
    throw new MarketError(
      'OFFER_NOT_OPEN',
      { task_id: task.id, offers_max: offerLimits.perTask },
      {
        message: `This task had ${String(offerLimits.perTask)} offers and takes no more: accept one of them.`,
      },
    )
  await endOffersBy({ deps, tx, task, now }, offer.side, 'withdrawn')
  await tx.insertOffer(offer)
  await tx.changeTask(task.id, { turn: turnOf(offer) }, now)
  await tx.putTimer(task.id, 'offer_end', offer.expiresAt)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'settlement.offered',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, offer_id: offer.id, by: offer.side, expires_at: offer.expiresAt.toISOString() },
  })
}

/** Where the dispute is decided the parties settle no more: nothing is signed for it. @throws OFFER_NOT_OPEN */
export function requireUndecided({ id, status, turn }: Task): void {
  if (turn === null || turn.kind === 'offer') return
  throw new MarketError('OFFER_NOT_OPEN', { task_id: id, status, decided: turn.kind }, { message: decided[turn.kind] })
}
const ruledOn = 'The dispute has been ruled on, so the parties settle no more.'
const decided = {
  ruling: ruledOn,
  appealed: ruledOn,
  owed: 'The dispute is decided for the worker: its publisher pays by approving, so the parties settle no more.',
} as const

/** The same under the lock of the task. @throws OFFER_NOT_OPEN */
export async function requireNotRuled(tx: Tx, task: Task): Promise<void> {
  const ruling = await tx.lockRulingOf(task.id)
  if (ruling !== null)
    throw new MarketError(
      'OFFER_NOT_OPEN',
      { task_id: task.id, ruling: ruling.verdict, ruling_status: ruling.status },
      { message: ruledOn },
    )
  requireUndecided(task)
}
