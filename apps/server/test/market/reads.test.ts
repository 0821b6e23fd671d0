import { executorReputation, type WalletCaller } from '@ergon/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

const page = { limit: 20, offset: 0, cursor: null } as const
const first = { limit: 20, offset: 0 } as const
const wallets = { third: `0x${'3'.repeat(40)}`, fourth: `0x${'4'.repeat(40)}` }
const stranger: WalletCaller = { kind: 'wallet', wallet: wallets.third, agentId: null, via: 'signature' }

describe('the ranking of workers (spec §2: effective score, unrated last)', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
  })

  test('the score in SQL is the effective score of the domain, whatever the facts', async () => {
    const { id } = await stage.market.registerWorker(stranger, { name: null, party: 'agent' })
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.integer({ min: 0, max: 100 })),
        fc.integer({ min: 0, max: 12 }),
        async (onchain, tasksCompleted) => {
          const { rows } = await stage.pool.query<{ effective_score: number | null }>(
            'update workers set onchain_score = $2, tasks_completed = $3 where id = $1 returning effective_score',
            [id, onchain, tasksCompleted],
          )
          expect(rows[0]?.effective_score).toBe(executorReputation({ onchain, tasksCompleted }).effective)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('rows come best first, the unrated at the end, and both filters hold', async () => {
    await stage.pool.query('delete from workers')
    const scores = [70, null, 95, 0, null, 60]
    for (const [at, score] of scores.entries()) {
      const { id } = await stage.market.registerWorker(
        { kind: 'wallet', wallet: `0x${String(at).repeat(40)}`, agentId: null, via: 'signature' },
        { name: `w${String(at)}`, party: 'agent' },
      )
      await stage.pool.query('update workers set onchain_score = $2, tasks_completed = $3 where id = $1', [
        id,
        score,
        score === 95 ? 4 : 0,
      ])
    }
    const names = async (
      filter: { minReputation?: number; hasCompleted?: boolean },
      slice = { limit: 20, offset: 0 },
    ) => {
      const found = await stage.market.rankedWorkers(
        { minReputation: filter.minReputation ?? null, hasCompleted: filter.hasCompleted ?? null },
        slice,
      )
      return { names: found.rows.map((row) => row.displayName), total: found.total, hasMore: found.hasMore }
    }
    expect(await names({})).toEqual({ names: ['w2', 'w0', 'w5', 'w3', 'w1', 'w4'], total: 6, hasMore: false })
    expect(await names({}, { limit: 2, offset: 1 })).toEqual({ names: ['w0', 'w5'], total: 6, hasMore: true })
    expect(await names({ minReputation: 60 })).toEqual({ names: ['w2', 'w0', 'w5'], total: 3, hasMore: false })
    expect((await names({ minReputation: 50 })).names, 'a floor that an unrated worker clears at every gate').toEqual([
      'w2',
      'w0',
      'w5',
      'w1',
      'w4',
    ])
    expect((await names({ minReputation: 51 })).names).toEqual(['w2', 'w0', 'w5'])
    expect((await names({ hasCompleted: true })).names).toEqual(['w2'])
    expect((await names({ hasCompleted: false })).total).toBe(5)
  })

  test('the directory lists agents and robots only, by capability and rating', async () => {
    await stage.pool.query('delete from workers')
    const register = async (wallet: string, party: 'human' | 'agent' | 'robot') =>
      stage.market.registerWorker(
        { kind: 'wallet', wallet, agentId: null, via: party === 'human' ? 'session' : 'signature' },
        { name: null, party },
      )
    await register(`0x${'a'.repeat(40)}`, 'human')
    const agent = await register(wallets.third, 'agent')
    await register(wallets.fourth, 'robot')
    await stage.market.updateWorker(stranger, agent.id, {
      profile: { capabilities: ['maps', 'ocr'], bio: 'Reads maps.', pricing: { page: 0.1 } },
    })
    await stage.pool.query('update workers set onchain_score = 80 where id = $1', [agent.id])
    const all = await stage.market.directory({ capability: null, minRating: null }, { limit: 20, offset: 0 })
    expect(all.rows.map((row) => row.worker.wallet)).toEqual([wallets.third, wallets.fourth])
    expect(all.rows[0]).toMatchObject({
      profile: { capabilities: ['maps', 'ocr'], bio: 'Reads maps.', pricing: { page: 0.1 } },
      activeTasks: 0,
      tasksPublished: 0,
      bountyPublished: 0n,
    })
    expect((await stage.market.directory({ capability: 'ocr', minRating: null }, { limit: 20, offset: 0 })).total).toBe(
      1,
    )
    expect(
      (await stage.market.directory({ capability: 'music', minRating: null }, { limit: 20, offset: 0 })).total,
    ).toBe(0)
    expect((await stage.market.directory({ capability: null, minRating: 81 }, { limit: 20, offset: 0 })).total).toBe(0)
  })
})

test('a worker changes its own profile, field by field, and nobody else’s', async () => {
  await using stage = await openStage()
  const own = await stage.market.registerWorker(worker, { name: 'Ada', party: 'robot' })
  await stage.market.updateWorker(worker, own.id, { profile: { bio: 'Hello.', agentCardUrl: 'https://a.test/card' } })
  const changed = await stage.market.updateWorker(worker, own.id, { name: 'Ada L.', profile: { bio: null } })
  expect(changed.worker).toMatchObject({ displayName: 'Ada L.', party: 'robot' })
  expect(changed.profile).toEqual({
    bio: null,
    avatarUrl: null,
    agentCardUrl: 'https://a.test/card',
    mcpEndpointUrl: null,
    capabilities: null,
    pricing: null,
  })
  await expect(stage.market.updateWorker(stranger, own.id, { profile: { bio: 'Mine.' } })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  await expect(
    stage.market.updateWorker(worker, '01950000-0000-7000-8000-00000000dead', { profile: {} }),
  ).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' })
})

describe('submissions of a caller', () => {
  test('each side finds them, an outsider and an unsigned caller find none, and the publisher’s reading is stamped', async () => {
    await using stage = await openStage()
    const { market } = stage
    const job = await submittedJob(stage)
    const filter = { status: null, taskId: null }
    expect(await market.listSubmissions({ kind: 'anonymous' }, filter, page)).toMatchObject({ rows: [], total: 0 })
    expect(await market.listSubmissions(stranger, filter, page)).toMatchObject({ rows: [], total: 0 })
    expect((await market.listSubmissions(worker, filter, page)).rows).toMatchObject([
      { id: job.submissionId, evidenceAccessedAt: null },
    ])
    const seen = await market.listSubmissions(publisher, filter, page)
    expect(seen.rows).toMatchObject([{ id: job.submissionId, evidenceAccessedAt: stage.clock.now() }])
    expect((await market.listSubmissions(worker, filter, page)).rows[0]?.evidenceAccessedAt).toEqual(stage.clock.now())
    expect((await market.listSubmissions(publisher, { status: 'approved', taskId: null }, page)).total).toBe(0)
    expect(
      (await market.listSubmissions(publisher, { status: 'pending_review', taskId: job.taskId }, page)).total,
    ).toBe(1)
    expect((await market.listSubmissions(publisher, { status: null, taskId: job.submissionId }, page)).total).toBe(0)
  })

  test('the cursor goes through every row once', async () => {
    await using stage = await openStage()
    const made = new Set<string>()
    for (let at = 0; at < 5; at += 1) made.add((await submittedJob(stage)).submissionId)
    const read: string[] = []
    let cursor: string | null = null
    do {
      const found: Awaited<ReturnType<typeof stage.market.listSubmissions>> = await stage.market.listSubmissions(
        publisher,
        { status: null, taskId: null },
        { limit: 2, offset: 0, cursor },
      )
      read.push(...found.rows.map((row) => row.id))
      cursor = found.nextCursor
    } while (cursor !== null)
    expect(read).toHaveLength(5)
    expect(new Set(read)).toEqual(made)
  })
})

test('earnings are what reached the worker: payout after the fee, what is pending beside it, and for the worker alone', async () => {
  await using stage = await openStage()
  const { market } = stage
  const job = await submittedJob(stage)
  const before = await market.earnings(worker, job.executorId, page)
  expect(before).toMatchObject({
    paid: [],
    pending: [{ count: 1, gross: { atomic: 10_000_000n } }],
    page: { rows: [], total: 0 },
  })
  await market.approve(publisher, job.submissionId, {
    ...(await approval(stage, job.submissionId)),
    rating: 88,
    feedback: 'Well done.',
  })
  await untilQuiet(stage)
  const after = await market.earnings(worker, job.executorId, page)
  expect(after).toMatchObject({
    paid: [{ count: 1, paid: { atomic: 8_700_000n } }],
    pending: [],
    page: { total: 1, rows: [{ taskId: job.taskId, payout: { atomic: 8_700_000n }, gross: { atomic: 10_000_000n } }] },
  })
  expect(after.page.rows[0]?.txHash).not.toBeNull()
  await expect(market.earnings(publisher, job.executorId, page)).rejects.toMatchObject({ code: 'FORBIDDEN' })

  const { received, worker: rated } = await market.workerStanding(job.executorId, first)
  expect(received).toMatchObject({
    average: 88,
    count: 1,
    latest: { rows: [{ taskId: job.taskId, comment: 'Well done.' }] },
  })
  expect(rated.reputation.effective).not.toBeNull()
  expect((await market.publisherStanding(publisher.wallet, first)).received).toEqual({
    average: null,
    count: 0,
    latest: { rows: [], total: 0, offset: 0, hasMore: false },
  })
})

test('outsiders see a worker’s tasks in public statuses, the worker in every one', async () => {
  await using stage = await openStage()
  const { market } = stage
  const kept = await appliedJob(stage)
  const ended = await appliedJob(stage)
  await assignJob(stage, kept)
  await assignJob(stage, ended)
  await market.cancel(publisher, ended.taskId, null)
  await untilQuiet(stage)
  const ids = async (caller: Parameters<typeof market.workerTasks>[0], status: 'cancelled' | null = null) =>
    (await market.workerTasks(caller, kept.executorId, status, page)).rows.map((row) => row.id)
  expect(await ids({ kind: 'anonymous' })).toEqual([kept.taskId])
  expect(await ids(stranger, 'cancelled')).toEqual([])
  expect(await ids(worker)).toEqual([ended.taskId, kept.taskId])
  expect(await ids(worker, 'cancelled')).toEqual([ended.taskId])
})

describe('identities', () => {
  test('an agent id leads to its wallet and its publisher record; nobody’s id is IDENTITY_NOT_FOUND', async () => {
    await using stage = await openStage()
    const { market } = stage
    const { agentId } = await market.identityOf(publisher.wallet, null)
    expect(await market.agentHolder(agentId, null)).toMatchObject({
      agentId,
      network: 'localnet',
      wallet: publisher.wallet,
      worker: null,
    })
    expect(await market.publisherStanding(String(agentId), first)).toMatchObject({ wallet: publisher.wallet })
    await expect(market.agentHolder(999, null)).rejects.toMatchObject({ code: 'IDENTITY_NOT_FOUND' })
    await expect(market.agentHolder(agentId, 'mars')).rejects.toMatchObject({ code: 'NETWORK_NOT_ACCEPTED' })
  })

  test('a cross-chain snapshot tells unregistered from unrated', async () => {
    await using stage = await openStage()
    expect(await stage.market.crossChain(publisher.wallet, ['localnet'])).toMatchObject([
      { network: 'localnet', agentId: 1, status: 'unrated' },
    ])
    expect(await stage.market.crossChain(wallets.fourth, ['localnet'])).toEqual([
      { network: 'localnet', agentId: null, score: null, count: 0, registry: null, status: 'unregistered' },
    ])
  })
})
