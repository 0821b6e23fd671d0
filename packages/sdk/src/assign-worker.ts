import { checkPaymentAuth, parsePaymentAuth, receiveWithAuthorizationTypedData, signEscrowAuthorization } from '@ergon/protocols'
import { readAgreement, type Agreement, type Pins, type Trust } from './agreement.ts'
import { poll, settlementFailure } from './await-settlement.ts'
import { ChallengeMismatch, requireSame, requireSameDocument } from './challenge-mismatch.ts'
import type { OperationsClient, Output } from './client.ts'
import { railOf } from './rail.ts'
import { limits } from '@ergon/contract'

export type AssignWorkerInput = { readonly task_id: string; readonly executor_id: string; readonly notes?: string } & Pins

/** Longest time after the deadline for which funds may stay locked before the payer can take them back alone. */
const longestLockSec = 60 * 86_400

/**
 * Assigns a worker and locks the bounty: fetches the challenge, holds it against the task, the worker, the pins and
 * the table of networks, signs it, sends it, and waits until the lock stands. In a session it takes the rail of people.
 *
 * @throws ChallengeMismatch when the challenge asks for anything else; nothing is signed then.
 */
export async function assignWorker(trust: Trust, input: AssignWorkerInput): Promise<Output<'tasks.assign'>> {
  const { client } = trust
  const { task_id, executor_id, notes } = input
  const agreement = await readAgreement(trust, task_id, executor_id, input)
  const payment_auth = agreement.task.escrow_status === 'none' ? undefined : await signLock(trust, agreement, executor_id)
  const begun = await railOf(client).assign({
    task_id, executor_id, ...(notes === undefined ? {} : { notes }), ...(payment_auth === undefined ? {} : { payment_auth }),
  })
  return begun.status === 'assigning' ? awaitLock(client, begun) : begun
}

async function signLock(trust: Trust, agreement: Agreement, executorId: string): Promise<string> {
  const { client } = trust
  const challenge = await railOf(client).assignChallenge({ task_id: agreement.task.id, executor_id: executorId })
  const [offer] = challenge.accepts
  if (offer === undefined) throw new ChallengeMismatch('offer', 'one way to pay', 'none')
  const { envelope } = offer.extra
  checkLock(envelope, agreement, Math.floor(client.transport.now() / 1_000))
  // The domain of the token is that of our own table: the envelope does not carry it.
  requireSameDocument(receiveWithAuthorizationTypedData(agreement.token, parsePaymentAuth(envelope).authorization), offer.extra.typed_data)
  return signEscrowAuthorization({ typed_data: offer.extra.typed_data, envelope }, agreement.signer)
}

/** Holds an unsigned envelope against the agreement. */
function checkLock(envelope: unknown, agreement: Agreement, now: number): void {
  const { network, token, signer, worker, gross, task } = agreement
  const { escrow } = network
  if (escrow === undefined) throw new ChallengeMismatch('network', 'a network with escrow', network.name)
  const auth = parsePaymentAuth(envelope)
  const fault = checkPaymentAuth(auth, {
    chainId: network.chainId, escrow: escrow.escrow, collector: escrow.collector, operator: escrow.operator, token,
    payer: signer.address, receiver: worker, amount: gross, feeBps: limits.feeBps, now,
  })
  // The signature is what is still missing; it is checked last, so everything before it has passed.
  if (fault?.code !== 'signature') throw new ChallengeMismatch(fault?.code ?? 'signature', 'the terms of the task', fault?.reason ?? 'signed already')
  requireSame('highest fee', limits.feeBps, auth.paymentInfo.maxFeeBps)
  const unlocksAt = auth.paymentInfo.authorizationExpiry
  const latest = Math.max(now, Date.parse(task.deadline) / 1_000) + longestLockSec
  if (!(unlocksAt <= latest)) throw new ChallengeMismatch('expiry', `at most ${latest}`, unlocksAt)
}

async function awaitLock(client: OperationsClient, begun: Output<'tasks.assign'>): Promise<Output<'tasks.assign'>> {
  const task = await poll(client, `the assignment of task ${begun.task_id}`, async () => {
    const current = await client.tasks.get({ task_id: begun.task_id })
    return current.status === 'assigning' ? undefined : current
  })
  if (task.executor_id !== begun.executor_id) throw await settlementFailure(client, begun.task_id, 'LOCK_REVERTED')
  return { ...begun, status: 'accepted', escrow_tx: task.escrow_tx, escrow_status: task.escrow_status }
}
