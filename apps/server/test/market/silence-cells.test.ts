import { paymentModes, parties, type Party } from '@ergon/contract'
import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silenceOn } from './silence-stage.ts'
import { assignJob, openStage, publisher, untilQuiet, type Stage } from './stage.ts'

/**
 * Silence in every cell and every payment mode (decisions 0157, 0158): whoever publishes for whomever, delivered work
 * whose checks passed is paid by the word that was signed, else disputed and then paid by default, and never refunded.
 * Where nothing is held there is nothing to pay and nothing to refund.
 */
const digits: Readonly<Record<Party, string>> = { human: 'a', agent: 'b', robot: 'c' }
const cells = parties.flatMap((from) => parties.map((to) => [from, to] as const))

describe.each(paymentModes)('in mode %s', (mode) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(mode)
  })
  afterAll(() => stage[Symbol.asyncDispose]())
  const { verified, after, statusOf } = silenceOn(() => stage)

  async function workerOf(party: Party): Promise<WalletCaller> {
    const wallet = `0x${digits[party].repeat(40)}`
    const agentId = await stage.market.ensureIdentity(wallet)
    const caller = { kind: 'wallet', wallet, agentId, via: party === 'human' ? 'session' : 'signature' } as const
    await stage.market.registerWorker(caller, { name: null, party })
    return caller
  }

  /** Handed in and checked, between these two; with the word for silence where it can be signed. */
  async function delivered(from: Party, by: WalletCaller, signs: boolean) {
    const { task } = await stage.market.publish(publisher, {
      title: 'Photograph the gate',
      instructions: 'Stand in front of the gate and write what you see.',
      category: 'simple_action',
      bountyUsd: '10',
      deadlineHours: 24,
      evidenceRequired: ['text_response'],
      evidenceOptional: [],
      locationHint: null,
      minReputation: 0,
      network: null,
      token: null,
      target: 'any',
      publisherType: from,
      paymentAuth: null,
      idempotency: null,
    })
    await stage.market.setPolicy(publisher, task.id, { reviewHours: 10, disputeHours: 48 })
    const { executorId } = await stage.market.apply(by, task.id, { executorId: null, message: null })
    const challenge =
      task.escrowStatus === 'none' ? null : await stage.market.assignChallenge(publisher, task.id, executorId)
    const hash = challenge === null ? null : String(challenge.envelope['hash'])
    await assignJob(stage, {
      taskId: task.id,
      executorId,
      paymentAuth: challenge === null ? null : JSON.stringify(challenge.envelope),
      ...(signs && hash !== null ? { standingOrder: JSON.stringify({ payment: hash }) } : {}),
    })
    const { submission } = await stage.market.submit(by, task.id, {
      executorId: null,
      evidence: { text_response: 'It is open.' },
      notes: null,
      deviceMetadata: null,
    })
    return verified({ taskId: task.id, executorId, paymentAuth: null, submissionId: submission.id })
  }

  test.each(cells)('a silent %s does not keep what the %s has earned', async (from, to) => {
    const by = await workerOf(to)
    const before = { worker: stage.chain.balance(by.wallet), payer: stage.chain.balance(publisher.wallet) }
    const [signed, unsigned] = [await delivered(from, by, true), await delivered(from, by, false)]
    await after(9.9)
    expect([await statusOf(signed), await statusOf(unsigned)]).toEqual(['verifying', 'verifying'])
    await after(0.2)
    await untilQuiet(stage)
    const paid = (): bigint => stage.chain.balance(by.wallet) - before.worker
    const holds = mode !== 'fase1'
    expect([await statusOf(signed), await statusOf(unsigned)]).toEqual([holds ? 'completed' : 'disputed', 'disputed'])
    expect(paid()).toBe(holds ? 8_700_000n : 0n)
    await after(48)
    await untilQuiet(stage)
    const end = holds ? 'completed' : 'expired'
    expect([await statusOf(signed), await statusOf(unsigned)]).toEqual([end, end])
    expect(paid()).toBe(holds ? 17_400_000n : 0n)
    expect(before.payer - stage.chain.balance(publisher.wallet)).toBe(holds ? 20_000_000n : 0n)
  })
})
