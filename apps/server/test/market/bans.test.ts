import type { AdminAct, WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appliedJob, assignJob, openStage, publisher, worker, type Stage } from './stage.ts'

const act: AdminAct = { actor: 'ada', reason: 'Fake evidence, three times.', requestId: 'request-1' }
const page = { limit: 100, offset: 0, cursor: null }
const anyone = { kind: 'anonymous' } as const
const seller: WalletCaller = {
  kind: 'wallet',
  wallet: '0x3333333333333333333333333333333333333333',
  agentId: null,
  via: 'signature',
}
let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  await stage.market.ensureIdentity(seller.wallet)
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
})

const ban = (who: string) => stage.market.setBan(who, true, act)
const lift = (who: string) => stage.market.setBan(who, false, { ...act, reason: 'It was a mistake.' })

/** Everything that shows a task of a publisher, a worker or a listing to others. */
async function shown(taskId: string, executorId: string, listingId: string) {
  const { market } = stage
  const any = { status: null, category: null, network: null, publisher: null }
  const [list, available, ranked, directory, browsed, applications] = await Promise.all([
    market.listTasks(anyone, any, page),
    market.availableTasks(
      anyone,
      { category: null, network: null, target: null, minBountyUsd: null, maxBountyUsd: null },
      page,
    ),
    stage.store.rankedWorkers({ minReputation: null, hasCompleted: null }, { limit: 100, offset: 0 }),
    stage.store.directory({ capability: null, minRating: null }, { limit: 100, offset: 0 }),
    market.browseListings(
      { category: null, skills: null, seller: null, minReputation: null, maxPriceUsd: null },
      'recent',
      page,
    ),
    market.applications(publisher, taskId, page),
  ])
  const matched = (await market.matchListings(publisher, taskId, { limit: 10, offset: 0 })).rows
  return {
    list: list.rows.some(({ id }) => id === taskId),
    available: available.rows.some(({ id }) => id === taskId),
    ranked: ranked.rows.some(({ id }) => id === executorId),
    directory: directory.rows.some((one) => one.worker.id === executorId),
    browsed: browsed.rows.some(({ id }) => id === listingId),
    matched: matched.some(({ id }) => id === listingId),
    applied: applications.rows.some((one) => one.executorId === executorId),
    counted: applications.total,
  }
}

const all = {
  list: true,
  available: true,
  ranked: true,
  directory: true,
  browsed: true,
  matched: true,
  applied: true,
  counted: 1,
}

describe('a banned wallet (decision 0057)', () => {
  test('as a worker is found by nobody, gets no work and no orders, and is back when the ban is lifted', async () => {
    const listing = await stage.market.postListing(seller, {
      title: 'Photos of gates',
      description: 'I photograph gates.',
      category: 'simple_action',
      unitPriceUsd: '5',
      skills: [],
      evidence: ['photo'],
      network: null,
      acceptedNetworks: null,
    })
    const job = await appliedJob(stage, seller)
    const order = { bountyUsd: null, deadlineHours: 24, instructions: null, network: null, paymentAuth: null }
    expect(await shown(job.taskId, job.executorId, listing.id)).toEqual(all)
    expect(await ban(job.executorId)).toMatchObject({
      wallet: seller.wallet,
      worker: { id: job.executorId },
      ban: { reason: act.reason, actor: 'ada' },
    })
    expect(await shown(job.taskId, job.executorId, listing.id)).toEqual({
      ...all,
      ranked: false,
      directory: false,
      browsed: false,
      matched: false,
      applied: false,
      counted: 0,
    })
    await expect(assignJob(stage, job)).rejects.toMatchObject({ code: 'WORKER_BLOCKED' })
    await expect(stage.market.assignChallenge(publisher, job.taskId, job.executorId)).rejects.toMatchObject({
      code: 'WORKER_BLOCKED',
    })
    await expect(stage.market.orderListing(publisher, listing.id, order)).rejects.toMatchObject({
      code: 'WORKER_BLOCKED',
    })
    await lift(job.executorId)
    expect(await shown(job.taskId, job.executorId, listing.id)).toEqual(all)
    await assignJob(stage, job)
    expect((await stage.market.orderListing(publisher, listing.id, order)).task.status).toBe('published')
  })

  test('as a publisher shows its tasks to nobody and takes no applications, whether it ever worked or not', async () => {
    const job = await appliedJob(stage)
    await ban(publisher.wallet.toUpperCase().replace('0X', '0x'))
    expect(await stage.market.adminWorkers({ status: 'banned', search: null }, { limit: 10, offset: 0 })).toMatchObject(
      { total: 1, rows: [{ wallet: publisher.wallet, worker: null, ban: { actor: 'ada' } }] },
    )
    expect(
      (await stage.market.listTasks(anyone, { status: null, category: null, network: null, publisher: null }, page))
        .rows,
    ).toEqual([])
    expect(
      (
        await stage.market.availableTasks(
          anyone,
          { category: null, network: null, target: null, minBountyUsd: null, maxBountyUsd: null },
          page,
        )
      ).rows,
    ).toEqual([])
    await expect(stage.market.apply(seller, job.taskId, { executorId: null, message: null })).rejects.toMatchObject({
      code: 'TASK_NOT_OPEN',
    })
    expect((await stage.market.adminTasks({ status: null, search: job.taskId }, page)).rows).toMatchObject([
      { id: job.taskId },
    ])
    await lift(publisher.wallet)
    expect(
      (
        await stage.market.listTasks(anyone, { status: null, category: null, network: null, publisher: null }, page)
      ).rows.map(({ id }) => id),
    ).toContain(job.taskId)
  })

  test('leaves work under way to run: what it locked is paid by the rules of the escrow, not taken', async () => {
    const job = await appliedJob(stage)
    await assignJob(stage, job)
    await ban(job.executorId)
    expect(await stage.store.task(job.taskId)).toMatchObject({ status: 'accepted', escrowStatus: 'authorized' })
    await lift(job.executorId)
    const { submission } = await stage.market.submit(worker, job.taskId, {
      executorId: null,
      evidence: { text_response: 'It is open.' },
      notes: null,
      deviceMetadata: null,
    })
    expect(submission.status).toBe('pending_review')
  })

  test('is banned once and freed once, whoever asks how often, each with one line in the log', async () => {
    const wallet = '0x4444444444444444444444444444444444444444'
    await Promise.all(Array.from({ length: 5 }, () => ban(wallet)))
    await Promise.all(Array.from({ length: 5 }, () => lift(wallet)))
    expect(
      (await stage.market.auditLines(wallet, page)).rows.map(({ action, before, after, requestId }) => ({
        action,
        before,
        after,
        requestId,
      })),
    ).toEqual([
      {
        action: 'wallet.unban',
        before: { banned: true, reason: act.reason, banned_by: 'ada' },
        after: { banned: false },
        requestId: 'request-1',
      },
      { action: 'wallet.ban', before: { banned: false }, after: { banned: true }, requestId: 'request-1' },
    ])
    await expect(ban('01950000-0000-7000-8000-000000000000')).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' })
  })
})
