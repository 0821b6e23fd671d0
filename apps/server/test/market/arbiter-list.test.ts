import { randomUUID } from 'node:crypto'
import { createMarket, type WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusedWith, rule } from './settle-stage.ts'
import { arbiter, openStage, publisher, submittedJob, worker, type Stage } from './stage.ts'

const split = { verdict: 'split', splitPct: 40 } as const
const stranger = { ...arbiter, wallet: '0x6666666666666666666666666666666666666666', agentId: 6 }

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

async function rejectedJob() {
  const job = await submittedJob(stage)
  const { dispute } = await stage.market.reject(publisher, job.submissionId, { reason: 'Too dark.', criteria: [] })
  return { ...job, disputeId: dispute.id }
}

/** Of a registered worker, known by its wallet. */
async function agentOf(wallet: string): Promise<number> {
  const agentId = (await stage.store.workerByWallet(wallet))?.agentId ?? null
  if (agentId === null) throw new Error(`${wallet} has no identity`)
  return agentId
}

/** Makes each of them a worker that is paid for metered work at this address. */
async function paidAt(wallets: readonly string[], address: string | null): Promise<void> {
  for (const wallet of wallets)
    if ((await stage.store.workerByWallet(wallet)) === null)
      await stage.store.putWorker({ id: randomUUID(), wallet, at: stage.clock.now() })
  await stage.pool.query('update workers set solana_payout_address = $2 where wallet = any($1)', [wallets, address])
}

test('an arbiter finds what it may rule on, and nothing else, and the list leaves no line', async () => {
  const job = await rejectedJob()
  const named = createMarket({
    ...stage.deps,
    settings: {
      ...stage.deps.settings,
      arbiters: [arbiter, stranger, publisher, worker].map(({ wallet }) => wallet),
    },
  })
  const found = async (caller: WalletCaller, taskId = job.taskId, market = named) => {
    const filter = { status: null, taskId, isArbiter: true }
    return (await market.disputes(caller, filter, { limit: 5, offset: 0, cursor: null })).rows.map(({ id }) => id)
  }
  expect(await found(arbiter)).toEqual([job.disputeId])
  expect(await found(stranger)).toEqual([job.disputeId])
  expect(await found(stranger, job.taskId, stage.market)).toEqual([])
  expect([await found(publisher), await found(worker)]).toEqual([[], []])
  // Neither a side by its wallet alone, nor whoever has an identity or an address to be paid at in common with one.
  const alone: WalletCaller = { ...publisher, agentId: null }
  const kin = [{ ...arbiter, agentId: 1 }, { ...arbiter, agentId: await agentOf(worker.wallet) }, alone]
  for (const one of kin) {
    expect([one.wallet, await found(one)]).toEqual([one.wallet, []])
    await expect(rule(stage, one, job.disputeId, split)).rejects.toEqual(refusedWith('FORBIDDEN'))
  }
  await paidAt([arbiter.wallet, worker.wallet], 'one address')
  expect(await found(arbiter)).toEqual([])
  await expect(rule(stage, arbiter, job.disputeId, split)).rejects.toEqual(refusedWith('FORBIDDEN'))
  await paidAt([worker.wallet], null)
  const narrowed = await submittedJob(stage, { arbiter: arbiter.wallet })
  const { dispute } = await stage.market.reject(publisher, narrowed.submissionId, { reason: 'No.', criteria: [] })
  expect([await found(arbiter, narrowed.taskId), await found(stranger, narrowed.taskId)]).toEqual([[dispute.id], []])
  await rule(stage, arbiter, job.disputeId, split)
  expect(await found(arbiter)).toEqual([])
  const asked = { status: null, taskId: null, isArbiter: true }
  await expect(named.disputes({ kind: 'admin' }, asked, { limit: 5, offset: 0, cursor: null })).rejects.toEqual(
    refusedWith('VALIDATION_FAILED', { field: 'role' }),
  )
  const { rows } = await stage.pool.query(
    "select 1 from audit_log where action = 'dispute.read' and after->>'task_id' = any($1)",
    [[job.taskId, narrowed.taskId]],
  )
  expect(rows).toEqual([])
})
