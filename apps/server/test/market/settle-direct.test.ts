import { nextAction, type DirectPayment, type RailOrder, type WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accept, offer, refusedWith } from './settle-stage.ts'
import {
  approval,
  assignJob,
  ledgerDisagreements,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

/** Agreements that are paid directly, as nothing is held (decision 0167). */

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase1')
})
afterAll(() => stage[Symbol.asyncDispose]())

const next: WalletCaller = { ...worker, wallet: '0x7777777777777777777777777777777777777777', agentId: 7 }

const statusOf = async (taskId: string) => (await stage.store.task(taskId))?.status

async function changesAsked() {
  const job = await submittedJob(stage)
  await stage.market.requestChanges(publisher, job.submissionId, 'More light.')
  return job
}

/** The payout of an agreement was refused for good, so that its offer is open again; answers what was signed. */
async function refusedOnce(taskId: string) {
  const { id } = await offer(stage, publisher, taskId, '4')
  const sent: DirectPayment[] = []
  stage.chain.fault = (method, order) => {
    if (method !== 'send' || order?.kind !== 'charge') return 'none'
    sent.push(order.transfer)
    return 'refused'
  }
  await expect(accept(stage, worker, id)).rejects.toEqual(refusedWith('LOCK_REVERTED'))
  stage.chain.fault = () => 'none'
  expect(await stage.market.readOffer(worker, id)).toMatchObject({ status: 'open' })
  const [transfer] = sent
  return { id, transfer: transfer ?? expect.unreachable() }
}

/** Whoever has the signature brings it to the chain. */
async function carry(transfer: DirectPayment) {
  const order: RailOrder = { kind: 'charge', key: `past us ${transfer.nonce}`, transfer }
  const { outcome } = await stage.chain.rail.send(order, 1_000, new Date(stage.clock.now().getTime() + 30_000))
  expect(outcome).toBe('settled')
  await untilQuiet(stage)
}

describe('what the payer signed for an agreement, and carries out itself after its refusal', () => {
  test.each([
    ['refused', worker],
    ['withdrawn', publisher],
  ] as const)('ends no task by an offer that is %s', async (status, by) => {
    const job = await submittedJob(stage)
    await stage.market.reject(publisher, job.submissionId, { reason: 'Too dark.', criteria: ['Light'] })
    const { id, transfer } = await refusedOnce(job.taskId)
    expect(await stage.market.closeOffer(by, id)).toMatchObject({ status })
    await carry(transfer)
    expect(await statusOf(job.taskId)).toBe('disputed')
    expect(await stage.market.readOffer(worker, id)).toMatchObject({ status })
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('ends it as agreed while the offer is open, whatever the task waits for', async () => {
    const job = await changesAsked()
    const { id, transfer } = await refusedOnce(job.taskId)
    await carry(transfer)
    expect(await statusOf(job.taskId)).toBe('completed')
    expect(await stage.market.readOffer(worker, id)).toMatchObject({ status: 'settled' })
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})

test('a bounty that is being paid without escrow says so until it is paid, and asks for no second signature', async () => {
  const { taskId, submissionId } = await submittedJob(stage)
  const signed = await approval(stage, submissionId)
  const { executorId } = await stage.market.readTask(publisher, taskId)
  const page = { limit: 100, offset: 0, cursor: null }
  const all = { status: null, category: null, network: null, publisher: publisher.wallet } as const
  const turns = async () => {
    const lists = await Promise.all([
      stage.market.listTasks(publisher, all, page),
      stage.market.workerTasks(worker, executorId ?? '', null, page),
    ])
    const tasks = [
      await stage.market.readTask(publisher, taskId),
      ...lists.map(({ rows }) => rows.find(({ id }) => id === taskId)),
    ]
    return tasks.map((task) => task && nextAction(task)?.who)
  }
  const says = async () => {
    const [who, ...others] = await turns()
    expect(others).toEqual([who, who])
    return [(await stage.market.payment(publisher, taskId)).status, who]
  }
  expect(await says()).toEqual(['none', 'publisher'])
  stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
  expect(await stage.market.approve(publisher, submissionId, signed)).toMatchObject({ state: 'approving' })
  expect(await says()).toEqual(['releasing', 'service'])
  await expect(stage.market.approveChallenge(publisher, submissionId)).rejects.toEqual(
    refusedWith('APPROVAL_IN_FLIGHT'),
  )
  stage.chain.fault = () => 'none'
  await untilQuiet(stage)
  expect(await statusOf(taskId)).toBe('completed')
  expect(await says()).toEqual(['none', undefined])
})

test('what an earlier worker handed in is no work of the next, so no agreement pays for it', async () => {
  const job = await changesAsked()
  await stage.market.ensureIdentity(next.wallet)
  await stage.market.withdraw(worker, job.taskId, null)
  const { executorId } = await stage.market.apply(next, job.taskId, { executorId: null, message: 'I am near.' })
  await assignJob(stage, { ...job, executorId })
  await expect(offer(stage, publisher, job.taskId, '4')).rejects.toEqual(refusedWith('OFFER_NOT_OPEN'))
  const { id } = await offer(stage, next, job.taskId, '4')
  await expect(accept(stage, publisher, id)).rejects.toEqual(refusedWith('OFFER_NOT_OPEN'))
})
