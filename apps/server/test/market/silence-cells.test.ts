import { paymentModes, type Party } from '@ergon/contract'
import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cells, delivered, workerOf } from './cell-stage.ts'
import { silenceOn } from './silence-stage.ts'
import { openStage, publisher, untilQuiet, type Stage } from './stage.ts'

/**
 * Silence in every cell and every payment mode (decisions 0157, 0158): whoever publishes for whomever, delivered work
 * whose checks passed is paid by the word that was signed, else disputed and then paid by default, and never refunded.
 * Where nothing is held there is nothing to pay and nothing to refund.
 */
describe.each(paymentModes)('in mode %s', (mode) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(mode)
  })
  afterAll(() => stage[Symbol.asyncDispose]())
  const { verified, after, statusOf } = silenceOn(() => stage)

  const handedIn = async (from: Party, by: WalletCaller, signs: boolean) =>
    verified(await delivered(stage, [from, by], { policy: { reviewHours: 10, disputeHours: 48 }, signs }))

  test.each(cells)('a silent %s does not keep what the %s has earned', async (from, to) => {
    const by = await workerOf(stage, to)
    const before = { worker: stage.chain.balance(by.wallet), payer: stage.chain.balance(publisher.wallet) }
    const [signed, unsigned] = [await handedIn(from, by, true), await handedIn(from, by, false)]
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
