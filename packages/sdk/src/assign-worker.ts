import {
  checkPaymentAuth,
  parsePaymentAuth,
  receiveWithAuthorizationTypedData,
  signEscrowAuthorization,
} from '@ergon/protocols'
import { isUnlocked, readAgreement, requireUnlocked, type Agreement, type Pins, type Trust } from './agreement.ts'
import { poll, sent, settlementFailure } from './await-settlement.ts'
import { ChallengeMismatch, requireSame, requireSameDocument, understood } from './challenge-mismatch.ts'
import type { Input, OperationsClient, Output } from './client.ts'
import { railOf } from './rail.ts'
import { signStanding } from './sign-standing.ts'
import { limits } from '@ergon/contract'
import { policyLimits } from '@ergon/contract/facts'

export type AssignWorkerInput = {
  readonly task_id: string
  readonly executor_id: string
  readonly notes?: string
} & Pins

/** Longest time after the deadline for which funds may stay locked before the payer can take them back alone. */
const longestLockSec = 60 * 86_400
/** What the longest policy may bind them past the deadline, and a little. */
const longestPolicySec = (policyLimits.boundHoursMax + 24) * 3_600

/**
 * Assigns a worker and locks the bounty: fetches the challenge, holds it against the task, the worker, the pins and
 * the table of networks, signs it, sends it, and waits for the lock. In a session it takes the rail of people.
 * Made again, it goes on with an assignment of this worker that is under way or done.
 *
 * @throws ChallengeMismatch when the challenge asks for anything else; nothing is signed then.
 * @throws SettlementPending when the lock is still under way after the client's patience.
 */
export async function assignWorker(trust: Trust, input: AssignWorkerInput): Promise<Assignment> {
  const { client } = trust
  const { task_id, executor_id, notes } = input
  const task = await client.tasks.get({ task_id })
  if (isUnlocked(task)) return assignUnlocked(client, task, input)
  const agreement = await readAgreement(trust, task_id, executor_id, input, task)
  const earlier = await underWay(client, agreement, executor_id, undefined)
  if (earlier !== undefined) return earlier
  const signed = agreement.task.escrow_status === 'none' ? {} : await signLock(trust, agreement, executor_id)
  const begun = await sent(
    railOf(client).assign({
      task_id,
      executor_id,
      ...(notes === undefined ? {} : { notes }),
      ...signed,
    }),
    'ESCROW_NOT_ASSIGNABLE',
  )
  if ('answer' in begun) {
    const { data, idempotencyKey } = begun.answer
    return data.status === 'assigning' ? lockOf(client, agreement, executor_id, idempotencyKey) : data
  }
  const now = await client.tasks.get({ task_id }).catch(() => undefined)
  const { idempotencyKey } = begun.doubt
  const found =
    now === undefined ? undefined : await underWay(client, { ...agreement, task: now }, executor_id, idempotencyKey)
  if (found === undefined) throw begun.doubt
  return found
}

/** Nothing is signed: the worker's address is paid by a channel, or when its work is approved. */
async function assignUnlocked(
  client: OperationsClient,
  task: Task,
  { task_id, executor_id, notes, ...pins }: AssignWorkerInput,
): Promise<Assignment> {
  await requireUnlocked(client, task, executor_id, pins)
  const { data } = await railOf(client).assign({ task_id, executor_id, ...(notes === undefined ? {} : { notes }) })
  return data
}

type Assignment = Output<'tasks.assign'>
type Task = Output<'tasks.get'>
type Key = string | undefined

/** The assignment of this worker that a task shows: waited for when it is under way; undefined when there is none. */
async function underWay(
  client: OperationsClient,
  agreement: Agreement,
  executorId: string,
  key: Key,
): Promise<Assignment | undefined> {
  const { task } = agreement
  if (task.status === 'assigning') return lockOf(client, agreement, executorId, key)
  return isAssigned(task, executorId) ? assignmentOf(agreement, task, executorId) : undefined
}

function isAssigned({ status, executor_id }: Task, executorId: string): boolean {
  return executor_id === executorId && (status === 'accepted' || status === 'in_progress')
}

async function lockOf(
  client: OperationsClient,
  agreement: Agreement,
  executorId: string,
  idempotencyKey: Key,
): Promise<Assignment> {
  const taskId = agreement.task.id
  const task = await poll(client, { taskId, subject: `the assignment of task ${taskId}`, idempotencyKey }, async () => {
    const current = await client.tasks.get({ task_id: taskId })
    return current.status === 'assigning' ? undefined : current
  })
  if (task.executor_id !== executorId) throw await settlementFailure(client, taskId, 'LOCK_REVERTED')
  return assignmentOf(agreement, task, executorId)
}

function assignmentOf({ worker }: Agreement, { id, escrow_tx, escrow_status }: Task, executor_id: string): Assignment {
  return { task_id: id, executor_id, status: 'accepted', worker_wallet: worker, escrow_tx, escrow_status }
}

/** The authorization, and where the policy of the task says that silence pays, the standing order for it. */
async function signLock(
  trust: Trust,
  agreement: Agreement,
  executorId: string,
): Promise<Pick<Input<'tasks.assign'>, 'payment_auth' | 'standing_order'>> {
  const { client } = trust
  const challenge = await railOf(client).assignChallenge({ task_id: agreement.task.id, executor_id: executorId })
  const now = Math.floor(client.transport.now() / 1_000)
  const { typed_data, envelope, standing_order: order } = understood(() => offerOf(challenge, agreement, now))
  const payment_auth = await signEscrowAuthorization({ typed_data, envelope }, agreement.signer)
  const standing_order = await signStanding(agreement, envelope, order, now)
  return { payment_auth, ...(standing_order === undefined ? {} : { standing_order }) }
}

type Challenge = Output<'tasks.assignChallenge'>

/** What a challenge offers to sign, held against the agreement. */
function offerOf(challenge: Challenge, agreement: Agreement, now: number): Challenge['accepts'][number]['extra'] {
  const [offer] = challenge.accepts
  if (offer === undefined) throw new ChallengeMismatch('offer', 'one way to pay', 'none')
  const { envelope, typed_data } = offer.extra
  checkLock(envelope, agreement, now)
  // The domain of the token is that of our own table: the envelope does not carry it.
  requireSameDocument(
    receiveWithAuthorizationTypedData(agreement.token, parsePaymentAuth(envelope).authorization),
    typed_data,
  )
  return offer.extra
}

/** Holds an unsigned envelope against the agreement. */
function checkLock(envelope: unknown, agreement: Agreement, now: number): void {
  const { network, token, signer, worker, gross, task } = agreement
  const { escrow } = network
  if (escrow === undefined) throw new ChallengeMismatch('network', 'a network with escrow', network.name)
  const auth = parsePaymentAuth(envelope)
  const fault = checkPaymentAuth(auth, {
    chainId: network.chainId,
    escrow: escrow.escrow,
    collector: escrow.collector,
    operator: escrow.operator,
    token,
    payer: signer.address,
    receiver: worker,
    amount: gross,
    feeBps: limits.feeBps,
    now,
  })
  // The signature is what is still missing; it is checked last, so everything before it has passed.
  if (fault?.code !== 'signature')
    throw new ChallengeMismatch(fault?.code ?? 'signature', 'the terms of the task', fault?.reason ?? 'signed already')
  requireSame('highest fee', limits.feeBps, auth.paymentInfo.maxFeeBps)
  const unlocksAt = auth.paymentInfo.authorizationExpiry
  const hasPolicy = (task.policy ?? null) !== null
  const latest = Math.max(now, Date.parse(task.deadline) / 1_000) + (hasPolicy ? longestPolicySec : longestLockSec)
  if (!(unlocksAt <= latest)) throw new ChallengeMismatch('expiry', `at most ${latest}`, unlocksAt)
}
