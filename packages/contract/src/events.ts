import * as Type from 'typebox'
import { id, instant, nullable, open, optional, txHash, usd, wallet } from './schema.ts'
import { savedFilter, searchName, searchSlot } from './resources/saved-search.ts'
import { disputeVerdicts } from './vocabulary.ts'

/**
 * What happens, said once: the dotted name webhooks carry, the CamelCase name rooms carry (spec §6), and the data.
 * A flow adds an event in the transaction that makes it true.
 */
const task = { task_id: id('The task.') }
const worker = { executor_id: id('The worker.'), worker_wallet: wallet('The wallet of the worker.') }
const submission = { submission_id: id('The submission.') }
const cashOut = {
  nonce: Type.String({ description: 'Of the authorization; the cash-out is read by it.' }),
  network: Type.String(),
  token: Type.String(),
  amount_usd: usd('What was to be sent.'),
  to: wallet('Where to.'),
}
const payment = Type.Object({ chain: Type.String(), token: Type.String(), tx_hash: txHash('The transaction.') })

export const events = {
  'task.created': {
    room: 'TaskCreated',
    data: open({
      ...task,
      title: Type.String(),
      category: Type.String(),
      bounty_usd: usd('Bounty.'),
      network: Type.String(),
      listing_id: optional(id('The listing that it orders; then its buyer alone is told.')),
    }),
  },
  'task.updated': { room: 'TaskUpdated', data: open({ ...task }) },
  'task.assigned': {
    room: 'WorkerAssigned',
    data: open({
      ...task,
      ...worker,
      bounty_usd: usd('Bounty.'),
      escrow_tx: txHash('The lock.'),
      notes: optional(Type.String({ description: 'What the publisher wrote to the worker.' })),
    }),
  },
  'task.assign_failed': {
    room: 'WorkerUnassigned',
    data: open({ ...task, code: Type.String(), retryable: Type.Boolean() }),
  },
  'task.submitted': { room: 'TaskUpdated', data: open({ ...task, ...submission }) },
  'task.completed': {
    room: 'TaskCompleted',
    data: open({ ...task, executor_id: id('The worker.'), bounty_usd: usd('Bounty.'), payment }),
  },
  'task.cancelled': { room: 'TaskCancelled', data: open({ ...task, refund_tx: txHash('The refund.') }) },
  'task.expired': { room: 'TaskExpired', data: open({ ...task }) },
  'worker.applied': {
    room: 'ApplicationReceived',
    data: open({
      ...task,
      application_id: id('The application.'),
      executor_id: id('The worker.'),
      listing_id: optional(id('The listing that was ordered: the order counts as the application of its seller.')),
    }),
  },
  'worker.not_chosen': {
    room: 'ApplicationNotChosen',
    data: open({
      ...task,
      application_id: id('The application.'),
      executor_id: id('Whoever applied; told to nobody else.'),
      reason: Type.Enum(['another_worker', 'task_ended'], {
        description: 'another_worker: should that one step down, the application still waits.',
      }),
    }),
  },
  'worker.application_withdrawn': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      application_id: id('The application.'),
      executor_id: id('Whoever applied, waited and takes it back; told to this one and the publisher.'),
      reason: optional(Type.String({ description: 'Why, as the worker wrote it.' })),
    }),
  },
  'worker.invited': {
    room: 'TaskUpdated',
    data: open({ ...task, executor_id: id('The worker whom the publisher asks to look at the task.') }),
  },
  'portfolio.asked': {
    room: 'TaskUpdated',
    data: open({ ...task, executor_id: id('The worker who asks to show the work on its profile.') }),
  },
  'portfolio.answered': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      executor_id: id('The worker.'),
      allowed: Type.Boolean({ description: 'False: declined, or taken off the profile by the publisher.' }),
    }),
  },
  'submission.received': {
    room: 'SubmissionReceived',
    data: open({ ...task, ...submission, evidence_types: Type.Array(Type.String()) }),
  },
  'submission.verified': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      ...submission,
      executor_id: id('The worker.'),
      pre_check_score: nullable(Type.Number()),
      coverage: nullable(Type.Number()),
    }),
  },
  'submission.approved': {
    room: 'SubmissionApproved',
    data: open({ ...task, ...submission, payment_tx: txHash('The payment.') }),
  },
  'submission.rejected': { room: 'SubmissionRejected', data: open({ ...task, ...submission, reason: Type.String() }) },
  'submission.revision_requested': {
    room: 'SubmissionRevisionRequested',
    data: open({ ...task, ...submission, reason: Type.String() }),
  },
  'dispute.opened': { room: 'TaskUpdated', data: open({ ...task, ...submission, dispute_id: id('The dispute.') }) },
  'dispute.evidence_submitted': {
    room: 'TaskUpdated',
    data: open({ ...task, dispute_id: id('The dispute.'), side: Type.Enum(['publisher', 'worker']) }),
  },
  'dispute.resolved': {
    room: 'TaskUpdated',
    data: open({ ...task, ...submission, dispute_id: id('The dispute.'), verdict: Type.Enum([...disputeVerdicts]) }),
  },
  'dispute.ruled': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      dispute_id: id('The dispute.'),
      verdict: Type.Enum([...disputeVerdicts]),
      arbiter: wallet('Who ruled.'),
      appeal_until: instant('Until when a party may appeal; then it is carried out.'),
    }),
  },
  'dispute.appealed': {
    room: 'TaskUpdated',
    data: open({ ...task, dispute_id: id('The dispute.'), by: Type.Enum(['publisher', 'worker']) }),
  },
  'settlement.offered': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      offer_id: id('The offer.'),
      by: Type.Enum(['publisher', 'worker'], { description: 'Who offers; the other side answers.' }),
      expires_at: instant('Until when it can be accepted.'),
    }),
  },
  'settlement.accepted': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      offer_id: id('The offer.'),
      worker_amount: usd('What goes to the worker, fee included.'),
      payer_amount: usd('What goes back to the payer.'),
    }),
  },
  'settlement.closed': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      offer_id: id('The offer.'),
      outcome: Type.Enum(['refused', 'withdrawn', 'expired'], { description: 'How it ended without a settlement.' }),
    }),
  },
  'message.sent': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      message_id: id('The message; its text is read with the task.'),
      executor_id: id('The worker whose thread it is in.'),
      by: Type.Enum(['publisher', 'worker'], { description: 'Who wrote; it is news to the other side.' }),
    }),
  },
  'question.asked': {
    room: 'TaskUpdated',
    data: open({ ...task, question_id: id('The question.'), executor_id: id('Who asks.') }),
  },
  'question.answered': {
    room: 'TaskUpdated',
    data: open({ ...task, question_id: id('The question.'), executor_id: id('Who asked.') }),
  },
  'task.withdrawn': {
    room: 'WorkerUnassigned',
    data: open({
      ...task,
      executor_id: id('The worker who stepped down.'),
      refund_tx: txHash('The refund.'),
      reason: optional(Type.String({ description: 'Why, as the worker wrote it.' })),
    }),
  },
  'task.handed_on': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      executor_id: id('The next who waits; told to this one and the publisher.'),
      application_id: id('The application.'),
      was: id('The worker who did not begin, or stepped down.'),
      challenge: nullable(Type.String({ description: 'What to sign to lock the bounty for the next; null: nothing.' })),
    }),
  },
  'task.deadline_moved': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      deadline: instant('When the task expires now.'),
      was: instant('When it would have expired.'),
      reason: Type.Enum(['submitted', 'revision', 'disputed', 'ruled', 'extended'], {
        description:
          'Work was handed in, changes were asked for, a dispute opened, an arbiter ruled on it, or its publisher gave more time.',
      }),
    }),
  },
  'worker.deadline_moved': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      executor_id: id('The worker at work, or one who waits to be chosen; told to nobody else.'),
      deadline: instant('When the task ends now: its publisher gave more time.'),
      was: instant('When it would have ended.'),
    }),
  },
  'review.reminder': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      ...submission,
      elapsed_pct: Type.Enum([50, 90], { description: 'How much of the review time is over.' }),
      review_until: instant('When it ends.'),
      otherwise: Type.Enum(['release', 'dispute'], { description: 'What happens then, as the policy says.' }),
    }),
  },
  'review.lapsed': {
    room: 'TaskUpdated',
    data: open({
      ...task,
      ...submission,
      outcome: Type.Enum(['release', 'dispute'], { description: 'What nobody deciding in time came to.' }),
      checks: Type.Array(open({ name: Type.String(), result: Type.String() }), {
        description: 'The checks it went by.',
      }),
    }),
  },
  'payment.escrowed': { room: 'PaymentEscrowed', data: open({ ...task, amount_usd: usd('Amount held.'), payment }) },
  'payment.released': {
    room: 'PaymentReleased',
    data: open({ ...task, worker_amount: usd('Payout.'), platform_fee: usd('Fee.'), payment }),
  },
  'payment.refunded': {
    room: 'PaymentRefunded',
    data: open({ ...task, amount_usd: usd('Amount returned.'), payment }),
  },
  'payment.failed': { room: 'PaymentFailed', data: open({ ...task, code: Type.String() }) },
  'cash_out.sent': { room: 'NotificationNew', data: open({ ...cashOut, tx_hash: txHash('The transfer.') }) },
  'cash_out.failed': {
    room: 'NotificationNew',
    data: open({ ...cashOut, code: Type.String({ description: 'Why nothing was sent.' }) }),
  },
  'reputation.updated': {
    room: 'NotificationNew',
    data: open({ ...task, agent_id: nullable(Type.Integer()), score: Type.Integer(), tx_hash: txHash('The rating.') }),
  },
  'search.found': {
    room: 'NotificationNew',
    data: open({
      slot: searchSlot,
      name: searchName,
      filter: savedFilter,
      task_ids: Type.Array(id('A task that is new and matches.'), { description: 'In the order of publishing.' }),
      has_more: Type.Boolean({ description: 'More are new; the list of open tasks has them.' }),
    }),
  },
  'endpoint.disabled': {
    room: 'NotificationNew',
    data: open({
      webhook_id: id('The endpoint that gets nothing any more.'),
      url: Type.String(),
      reason: Type.Enum(['gone', 'failing']),
      failing_since: nullable(instant('The first failure after the last success.')),
    }),
  },
} as const

export type EventName = keyof typeof events
export type EventData<N extends EventName = EventName> = Type.Static<(typeof events)[N]['data']>
/** The date webhook consumers pin (spec §9.2). */
export const eventApiVersion = '2026-11-21'
