import { addressOf, knownToken, requireSigner, type Trust } from './agreement.ts'
import { poll, sent, settlementFailure, failures } from './await-settlement.ts'
import { requireAddress, requireSame } from './challenge-mismatch.ts'
import type { OperationsClient, Output } from './client.ts'
import { signDirectPayment } from './direct-payment.ts'
import { splitFee } from '@ergon/contract/facts'
import { atomicOf, usdOf } from './money.ts'

/** The task that FEE_UNPAID names; `treasury_wallet` pins who is paid. */
export type PayUnpaidFeeInput = { readonly task_id: string; readonly treasury_wallet?: string }

type Fee = Output<'payments.payFee'>
type Offer = NonNullable<Output<'payments.feeChallenge'>['settlement_auth_fee']>

/**
 * Pays the fee of a task whose worker was paid while the fee was not (mode fase1): fetches the challenge, holds it
 * against the bounty of the task, signs it and waits until it is paid. Where what was signed before may still land, it
 * signs nothing and waits for that: the money has to be on the wallet.
 *
 * @throws ChallengeMismatch when the challenge asks for anything else; nothing is signed then.
 * @throws SettlementPending when the fee is still under way after the client's patience.
 */
export async function payUnpaidFee(trust: Trust, { task_id, treasury_wallet }: PayUnpaidFeeInput): Promise<Fee> {
  const { client } = trust
  const signer = requireSigner(client)
  const [task, challenge] = await Promise.all([
    client.tasks.get({ task_id }),
    client.payments.feeChallenge({ task_id }),
  ])
  requireSame('task', task_id, task.id)
  requireAddress('payer', signer.address, task.agent_id)
  const { token, decimals } = knownToken(trust.networks, task.payment_network, task.payment_token)
  const { fee } = splitFee(atomicOf(task.bounty_usd, decimals))
  const paid = { task_id, platform_fee_usdc: usdOf(fee, decimals) }
  const before = new Set((await failures(client, task_id)).map(({ id }) => id))
  const offer = challenge.settlement_auth_fee
  if (offer === null) return awaitFee(client, paid, before)
  const terms = {
    to: treasury_wallet === undefined ? undefined : addressOf('treasury', treasury_wallet),
    amount: fee,
    now: Math.floor(client.transport.now() / 1_000),
  }
  return payWith(client, paid, before, await signDirectPayment(offer satisfies Offer, { signer, token }, terms))
}

type Paid = Pick<Fee, 'task_id' | 'platform_fee_usdc'>

async function payWith(
  client: OperationsClient,
  paid: Paid,
  before: ReadonlySet<string>,
  settlement_auth_fee: string,
): Promise<Fee> {
  const call = await sent(
    client.call('payments.payFee', { task_id: paid.task_id, settlement_auth_fee }),
    'APPROVAL_IN_FLIGHT',
  )
  if ('answer' in call && call.answer.data.status === 'paid') return call.answer.data
  return awaitFee(client, paid, before, 'answer' in call ? call.answer.idempotencyKey : call.doubt.idempotencyKey)
}

async function awaitFee(
  client: OperationsClient,
  { task_id, platform_fee_usdc }: Paid,
  before: ReadonlySet<string>,
  idempotencyKey?: string,
): Promise<Fee> {
  return poll(client, { taskId: task_id, subject: `the fee of task ${task_id}`, idempotencyKey }, async () => {
    const { fee_tx } = await client.payments.get({ task_id })
    if (fee_tx !== null) return { task_id, status: 'paid' as const, platform_fee_usdc, fee_tx }
    const failed = (await failures(client, task_id)).some(({ id }) => !before.has(id))
    return failed ? settlementFailure(client, task_id, 'SETTLEMENT_FAILED') : undefined
  })
}
