import type { EscrowStatus } from '@ergon/contract'
import type { LogPlace } from '../escrow/movement.ts'
import type { Split } from '../money/amount.ts'
import type { Tx } from '../ports/store.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { verdictOf, type Offer } from '../settlement-offers/offer.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import { endDispute, type Place } from './close-dispute.ts'
import { completeTask } from './complete.ts'
import { endOffersBy } from './end-offer.ts'
import { paid as paidWith, wire } from './scene.ts'

const reason = 'Publisher and worker settled it between themselves.'

/** The offer that a settlement carries out; null for every other. */
export async function agreementOf(tx: Tx, { offerId }: Pick<Settlement, 'offerId'>): Promise<Offer | null> {
  return offerId === null ? null : tx.lockOffer(offerId)
}

export type AgreedPayment = {
  readonly settlement: Pick<Settlement, 'submissionId' | 'executorId' | 'rating'>
  readonly landed: Pick<LogPlace, 'blockNumber'> & { readonly txHash: string }
  readonly escrowStatus: EscrowStatus
  /** All that the worker was paid of this task. */
  readonly captured: bigint
  readonly released: Split | null
}

/** The worker has its share: work that was handed in is completed, a job that was called off pays for the way. */
export async function agreedPaid(place: Place, offer: Offer, payment: AgreedPayment): Promise<void> {
  const { deps, tx, task, now } = place
  const { settlement, landed, escrowStatus, captured, released } = payment
  const part = captured === task.bounty.atomic ? {} : { captured }
  if (settlement.submissionId !== null)
    return completeTask(place, {
      settlement,
      landed,
      move: 'settlePaid',
      escrowStatus,
      released,
      gross: task.bounty,
      ...part,
    })
  const changes = { escrowStatus, paymentTx: landed.txHash, paymentBlock: landed.blockNumber, captured }
  if (isFinal(task.status)) return tx.changeTask(task.id, changes, now)
  if (released !== null)
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'payment.released',
      taskId: task.id,
      at: now,
      data: {
        task_id: task.id,
        worker_amount: wire(released.payout),
        platform_fee: wire(released.fee),
        payment: paidWith({ atomic: offer.words.toWorker, asset: task.bounty.asset }, landed),
      },
    })
  await cancelled(place, null, changes)
}

/** All that is left of what the two agreed on is done. */
export async function closeAgreed(place: Place, offer: Offer, submissionId: string | null): Promise<void> {
  const { tx, task, now } = place
  if (offer.status === 'settled') return
  await tx.endOffer(offer.id, 'settled', null, now)
  await endOffersBy(place, null, 'withdrawn')
  await tx.changeTask(task.id, { turn: null }, now)
  const dispute = submissionId === null ? null : await tx.lockDisputeOf(submissionId)
  if (dispute === null || (dispute.status !== 'open' && dispute.status !== 'resolving')) return
  await endDispute(place, dispute, { ...verdictOf(offer.words), reason })
}

/** Nothing goes to the worker, and the payer has its money, or nothing was held. */
export async function agreedBack(
  place: Place,
  offer: Offer,
  submissionId: string | null,
  refundTx: string | null,
): Promise<void> {
  const { tx, task, now } = place
  const submission = submissionId === null ? null : await tx.lockSubmission(submissionId)
  if (submission?.status === 'pending_review')
    await tx.decideSubmission(submission.id, { status: 'rejected', at: now, reason })
  const changes = task.escrowStatus === 'none' ? {} : ({ escrowStatus: 'refunded', refundTx } as const)
  if (isFinal(task.status)) await tx.changeTask(task.id, changes, now)
  else await cancelled(place, refundTx, changes)
  await closeAgreed(place, offer, submissionId)
}

async function cancelled(
  { deps, tx, task, now }: Place,
  refundTx: string | null,
  changes: Parameters<Tx['changeTask']>[1],
): Promise<void> {
  await tx.moveTask(task.id, 'cancelled', now, changes)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.cancelled',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, refund_tx: refundTx },
  })
}

/** A claim that was given back: the offer is open as before. */
export async function reopenOffer(tx: Tx, settlement: Pick<Settlement, 'offerId'>): Promise<void> {
  const offer = await agreementOf(tx, settlement)
  if (offer?.status === 'accepted') await tx.endOffer(offer.id, 'open', null, null)
}
