import { addressOf, isUnlocked, readAgreement, type Agreement, type Pins, type Trust } from './agreement.ts'
import { failures, poll, sent, settlementFailure } from './await-settlement.ts'
import { ChallengeMismatch, requireSame } from './challenge-mismatch.ts'
import type { Input, OperationsClient, Output } from './client.ts'
import { ErgonError } from './ergon-error.ts'
import { signDirectPayment } from './direct-payment.ts'
import { approveMetered } from './metered/approve-metered.ts'
import { usdOf } from './money.ts'
import { railOf } from './rail.ts'
import { signReleaseOrder } from './release-order.ts'

export type ApproveSubmissionInput = {
  readonly submission_id: string
  readonly rating?: number
  readonly feedback?: string
  readonly treasury_wallet?: string
} & Pins

type Approval = Output<'submissions.approve'>
type Challenge = Output<'submissions.approveChallenge'>
type Terms = Pick<Challenge, 'payment_mode' | 'gross_amount_usdc' | 'worker_net_usdc' | 'platform_fee_usdc'>
type Signatures = Pick<
  Input<'submissions.approve'>,
  'lifecycle_order' | 'settlement_auth_worker' | 'settlement_auth_fee'
>

/**
 * Approves a submission and pays its worker: fetches the challenge, holds it against the agreement, signs what the
 * payment mode asks for (a release order, or in fase1 payout and fee), sends it, and waits until it is paid. In a
 * session it takes the rail of people. Made again, it goes on with a payment that is under way or was made. Metered
 * work needs no signature: what was accepted is paid out of its channel.
 *
 * @throws ChallengeMismatch when the challenge asks for anything else; nothing is signed then.
 * @throws SettlementPending when the payment is still under way after the client's patience.
 */
export async function approveSubmission(trust: Trust, input: ApproveSubmissionInput): Promise<Approval> {
  const { client } = trust
  const { submission_id, rating, feedback } = input
  const rail = railOf(client)
  const submission = await client.submissions.get({ submission_id })
  const subject = { submission_id, task_id: submission.task_id }
  const words = { ...(rating === undefined ? {} : { rating }), ...(feedback === undefined ? {} : { feedback }) }
  const task = await client.tasks.get({ task_id: subject.task_id })
  requireSame('task', subject.task_id, task.id)
  if (isUnlocked(task)) return approveMetered(client, { task, submission, pins: input, words })
  const agreement = await readAgreement(trust, subject.task_id, submission.executor_id, input, task)
  const before = new Set((await failures(client, subject.task_id)).map(({ id }) => id))
  const goOn = (): Promise<Approval> => paidFor(client, subject, agreement, { before })
  if (await isPaying(client, subject.task_id, submission.status)) return goOn()
  const challenge = await challengeOf(client, subject)
  if (challenge === undefined) return goOn()
  requireSame('submission', submission_id, challenge.submission_id)
  const signatures = await sign(client, challenge, agreement, input.treasury_wallet)
  const decided = await sent(
    rail.approve(subject.task_id, {
      submission_id,
      ...signatures,
      ...words,
    }),
    'APPROVAL_IN_FLIGHT',
  )
  if ('answer' in decided) {
    const { data, idempotencyKey } = decided.answer
    if (data.status === 'approving') await awaitPayment(client, subject, { before, key: idempotencyKey })
    return approvalOf(client, subject, challenge, data)
  }
  const now = await client.submissions.get({ submission_id }).catch(() => undefined)
  const isUnderWay = now !== undefined && (await isPaying(client, subject.task_id, now.status).catch(() => false))
  if (!isUnderWay) throw decided.doubt
  return paidFor(client, subject, agreement, { before, key: decided.doubt.idempotencyKey })
}

/** What has to be signed; undefined where another window has begun to pay meanwhile. */
async function challengeOf(client: OperationsClient, subject: Subject): Promise<Challenge | undefined> {
  try {
    return await railOf(client).approveChallenge(subject)
  } catch (error) {
    if (error instanceof ErgonError && error.is('APPROVAL_IN_FLIGHT')) return undefined
    throw error
  }
}

type Subject = { readonly submission_id: string; readonly task_id: string }
/** The failures that were there before, and the key that the payment was asked for under. */
type Sought = { readonly before: ReadonlySet<string>; readonly key?: string | undefined }

type Verdict = Output<'submissions.get'>['status']

/** Whether a payment for this submission is under way or was made. */
async function isPaying(client: OperationsClient, task_id: string, status: Verdict): Promise<boolean> {
  if (status !== 'pending_review') return status === 'approved'
  return (await client.payments.get({ task_id })).status === 'releasing'
}

async function paidFor(
  client: OperationsClient,
  subject: Subject,
  agreement: Agreement,
  awaited: Sought,
): Promise<Approval> {
  await awaitPayment(client, subject, awaited)
  const { payment_mode = (await client.service.config()).payment_mode } = await client.payments.get({
    task_id: subject.task_id,
  })
  const { gross, payout, fee } = agreement
  const usd = (atomic: bigint): number => usdOf(atomic, agreement.decimals)
  const terms = {
    payment_mode,
    gross_amount_usdc: usd(gross),
    worker_net_usdc: usd(payout),
    platform_fee_usdc: usd(fee),
  }
  return approvalOf(client, subject, terms, { payment_tx: null, fee_tx: null })
}

async function sign(
  client: OperationsClient,
  challenge: Challenge,
  agreement: Agreement,
  treasury: string | undefined,
): Promise<Signatures> {
  const now = Math.floor(client.transport.now() / 1_000)
  // Which of the two ways is taken is decided by the task that was published, not by what the challenge offers.
  if (agreement.task.escrow_status !== 'none') {
    if (challenge.lifecycle_order === null) throw new ChallengeMismatch('document', 'a release order', 'none')
    return { lifecycle_order: await signReleaseOrder(challenge.lifecycle_order, agreement, now) }
  }
  const { settlement_auth_worker: payout, settlement_auth_fee: fee } = challenge
  if (payout === null || fee === null) throw new ChallengeMismatch('document', 'payout and fee', 'none')
  return {
    settlement_auth_worker: await signDirectPayment(payout, agreement, {
      to: agreement.worker,
      amount: agreement.payout,
      now,
    }),
    settlement_auth_fee: await signDirectPayment(fee, agreement, {
      to: treasury === undefined ? undefined : addressOf('treasury', treasury),
      amount: agreement.fee,
      now,
    }),
  }
}

async function awaitPayment(
  client: OperationsClient,
  { submission_id, task_id }: Subject,
  { before, key }: Sought,
): Promise<void> {
  const subject = `the payment of submission ${submission_id}`
  await poll(client, { taskId: task_id, subject, idempotencyKey: key }, async () => {
    const { status } = await client.submissions.get({ submission_id })
    if (status === 'approved') return true
    const failed = (await failures(client, task_id)).some(({ id }) => !before.has(id))
    return failed || status === 'rejected' ? settlementFailure(client, task_id, 'SETTLEMENT_FAILED') : undefined
  })
}

type Paid = Pick<Approval, 'payment_tx' | 'fee_tx'>

/** What was paid, as the task and its payment say now. */
async function approvalOf(
  client: OperationsClient,
  { submission_id, task_id }: Subject,
  terms: Terms,
  decided: Paid,
): Promise<Approval> {
  const [task, payment] = await Promise.all([client.tasks.get({ task_id }), client.payments.get({ task_id })])
  const { payment_mode, gross_amount_usdc, worker_net_usdc, platform_fee_usdc } = terms
  return {
    submission_id,
    task_id,
    status: 'approved',
    payment_tx: decided.payment_tx ?? task.payment_tx,
    fee_tx: decided.fee_tx ?? payment.fee_tx,
    escrow_release_tx: payment.release_tx,
    network: task.payment_network,
    token: task.payment_token,
    payment_mode,
    gross_amount_usdc,
    worker_net_usdc,
    platform_fee_usdc,
  }
}
