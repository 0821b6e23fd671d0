import type { DirectPayment, RailOrder } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import {
  approval,
  findings,
  ledgerDisagreements,
  openStage,
  publisher,
  submittedJob,
  worker,
  type Stage,
} from './stage.ts'

/** Direct payments that a restored database lost are booked by their nonces, or are for a person (decision 0189). */

async function follow({ market }: Stage, lostLocks: 'report' | 'book' = 'book'): Promise<void> {
  for (let rounds = 0; (await market.duties.followChains(lostLocks)) > 0; rounds += 1)
    if (rounds > 20) throw new Error('the chain is never caught up with')
}

type Lost = { readonly payout?: Partial<DirectPayment>; readonly withFee?: boolean }

/** The facilitator carried the payments of an approval out, and no row names them. */
async function lost({ payout = {}, withFee = true }: Lost = {}) {
  const stage = await openStage('fase1')
  stage.chain.now = () => stage.clock.now()
  await follow(stage, 'report')
  const { taskId, submissionId } = await submittedJob(stage)
  const { payoutAuth, feeAuth } = await approval(stage, submissionId)
  const { bounty } = (await stage.store.task(taskId)) ?? expect.unreachable()
  const pay = async (raw: string | null, to: string, atomic: bigint, change: object = {}): Promise<void> => {
    const terms = { network: 'localnet', from: publisher.wallet, to, amount: { ...bounty, atomic } }
    const transfer = await stage.deps.signatures.readDirectPayment(raw ?? '', terms, stage.clock.now())
    const order: RailOrder = { kind: 'charge', key: `lost:${to}`, transfer: { ...transfer, ...change } }
    const sent = await stage.chain.rail.send(order, 1_000, new Date(stage.clock.now().getTime() + 30_000))
    expect(sent.outcome).toBe('settled')
  }
  const fee = (bounty.atomic * 13n) / 100n
  const payFee = () => pay(feeAuth, 'treasury', fee)
  await pay(payoutAuth, worker.wallet, bounty.atomic - fee, payout)
  if (withFee) await payFee()
  return { stage, taskId, submissionId, payFee, approve: { payoutAuth, feeAuth } }
}

const statusOf = async (stage: Stage, taskId: string) => (await stage.market.readTask(publisher, taskId)).status
const unclaimed = async (stage: Stage, taskId: string) =>
  (await findings(stage)).filter((line) => line.startsWith(`unclaimed ${taskId}`)).length

describe('a payout and a fee that no row names', () => {
  test('end their task as it was, and nobody pays a second time', async () => {
    const { stage, taskId, submissionId } = await lost()
    await using _stage = stage
    await follow(stage)
    expect([await statusOf(stage, taskId), await ledgerDisagreements(stage)]).toEqual(['completed', []])
    const words = { rating: null, feedback: null, order: null }
    const again = { payoutAuth: '{}', feeAuth: '{}' }
    await expect(stage.market.approve(publisher, submissionId, { ...words, ...again })).rejects.toMatchObject({
      code: 'SUBMISSION_NOT_REVIEWABLE',
    })
    await expect(stage.market.feeChallenge(publisher, taskId)).rejects.toMatchObject({ code: 'FEE_NOT_OWED' })
    await follow(stage)
    expect([await findings(stage), stage.chain.landings.length]).toEqual([[], 2])
  })

  test('are left alone where no restore was', async () => {
    const { stage, taskId } = await lost()
    await using _stage = stage
    await follow(stage, 'report')
    expect(await statusOf(stage, taskId)).toBe('verifying')
  })

  test('leave the fee owed where it was not paid, until it is found paid', async () => {
    const { stage, taskId, payFee } = await lost({ withFee: false })
    await using _stage = stage
    await follow(stage)
    expect(await statusOf(stage, taskId)).toBe('completed')
    await expect(stage.market.feeChallenge(publisher, taskId)).resolves.toMatchObject({ fee: { atomic: 1_300_000n } })
    await payFee()
    await follow(stage)
    await expect(stage.market.feeChallenge(publisher, taskId)).rejects.toMatchObject({ code: 'FEE_NOT_OWED' })
    expect([await ledgerDisagreements(stage), await findings(stage)]).toEqual([[], []])
  })
})

test.each<[string, Partial<DirectPayment>]>([
  ['another amount', { amount: { atomic: 1n, asset: { symbol: 'USDC', network: 'localnet', decimals: 6 } } }],
  ['another party', { to: '0x00000000000000000000000000000000000000ab' }],
])('a payout under the nonce of a task that paid %s is for a person', async (_what, payout) => {
  const { stage, taskId } = await lost({ payout, withFee: false })
  await using _stage = stage
  await follow(stage)
  expect([await statusOf(stage, taskId), await unclaimed(stage, taskId)]).toEqual(['verifying', 1])
})

test('a nonce of a client’s own making ends nothing and is nobody’s finding', async () => {
  const { stage, taskId } = await lost({ payout: { nonce: `0x${'5e'.repeat(32)}` }, withFee: false })
  await using _stage = stage
  await follow(stage)
  expect([await statusOf(stage, taskId), await unclaimed(stage, taskId)]).toEqual(['verifying', 0])
})
