import { requireUnlocked, type Pins } from '../agreement.ts'
import { poll, sent } from '../await-settlement.ts'
import { requireAddress } from '../challenge-mismatch.ts'
import type { Input, OperationsClient, Output } from '../client.ts'
import { ErgonError } from '../ergon-error.ts'
import { railOf } from '../rail.ts'

type Task = Output<'tasks.get'>
type Submission = Output<'submissions.get'>
type Approval = Output<'submissions.approve'>
type Approving = {
  readonly task: Task
  readonly submission: Pick<Submission, 'id' | 'executor_id' | 'status'>
  readonly pins: Pins
  readonly words: Pick<Input<'submissions.approve'>, 'rating' | 'feedback'>
}

/**
 * Approves metered work. Nothing is signed: its channel holds the money, and what was accepted is signed for. The
 * approval closes the channel, which pays that and gives the rest back. Made again, it goes on where it is.
 *
 * @throws SettlementPending when it is still under way after the client's patience; the service carries on
 * @throws TypeError for a bounty on Solana without a meter, for which its payer's own key there has to sign
 */
export async function approveMetered(client: OperationsClient, approving: Approving): Promise<Approval> {
  const { task, submission, words } = approving
  await demandTerms(client, approving)
  // A party may have closed the channel meanwhile; what that pays is paid first.
  if (isEnding(await meterOf(client, task.id))) await atRest(client, approving, undefined)
  if ((await verdictOf(client, submission.id)) !== 'approved') {
    const decided = await sent(
      railOf(client).approve(task.id, { submission_id: submission.id, ...words }),
      'APPROVAL_IN_FLIGHT',
    )
    const { idempotencyKey } = 'doubt' in decided ? decided.doubt : decided.answer
    if ('doubt' in decided || decided.answer.data.status === 'approving')
      await atRest(client, approving, idempotencyKey)
    if ('doubt' in decided && (await verdictOf(client, submission.id)) !== 'approved') throw decided.doubt
  }
  return approvalOf(client, task, submission.id)
}

async function demandTerms(client: OperationsClient, { task, submission, pins }: Approving): Promise<void> {
  if (client.signer !== undefined) requireAddress('payer', client.signer.address, task.agent_id)
  await requireUnlocked(client, task, submission.executor_id, pins)
}

/** Of a task that has none the answer is an error. */
async function meterOf(client: OperationsClient, task_id: string): Promise<Output<'meters.get'>> {
  try {
    return await client.meters.get({ task_id })
  } catch (cause) {
    if (!(cause instanceof ErgonError && (cause.is('TASK_NOT_FOUND') || cause.is('FEATURE_DISABLED')))) throw cause
    const how = 'sign the transaction of submissions.approveChallenge by it, and send that with submissions.approve'
    throw new TypeError(`this bounty is paid by a key on Solana: ${how}`, { cause })
  }
}

const isEnding = ({ state }: Output<'meters.get'>): boolean => state === 'closing' || state === 'settling'

async function verdictOf(client: OperationsClient, submission_id: string): Promise<Submission['status']> {
  return (await client.submissions.get({ submission_id })).status
}

/** Waits until the end of the channel, if that is under way, is over, and with it the approval. */
async function atRest(client: OperationsClient, { task, submission }: Approving, key: string | undefined) {
  const about = { taskId: task.id, subject: `the payment of submission ${submission.id}`, idempotencyKey: key }
  await poll(client, about, async () => !isEnding(await meterOf(client, task.id)) || undefined)
}

/** What was paid, as the task, its payment and its meter say now. */
async function approvalOf(client: OperationsClient, { id: task_id }: Task, submission_id: string): Promise<Approval> {
  const [task, payment, meter, { payment_mode }] = await Promise.all([
    client.tasks.get({ task_id }),
    client.payments.get({ task_id }),
    meterOf(client, task_id),
    client.service.config(),
  ])
  return {
    ...{ submission_id, task_id, status: 'approved', network: task.payment_network, token: task.payment_token },
    ...{
      payment_tx: task.payment_tx,
      fee_tx: payment.fee_tx ?? meter.settlement_tx,
      escrow_release_tx: payment.release_tx,
    },
    payment_mode: payment.payment_mode ?? payment_mode,
    gross_amount_usdc: meter.settled_usd,
    worker_net_usdc: meter.worker_usd,
    platform_fee_usdc: meter.fee_usd,
  }
}
