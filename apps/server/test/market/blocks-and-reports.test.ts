import { describe, expect, test } from 'vitest'
import { appliedJob, openStage, publisher, worker } from './stage.ts'
import { refusedWith } from './refused-with.ts'

const firstPage = { limit: 100, offset: 0, cursor: null }

describe('blocks and reports', () => {
  test('a blocked worker applies to no task of the blocker, nor the blocker to theirs, until the block is taken back', async () => {
    await using quiet = await openStage()
    const { market } = quiet
    await expect(market.block(worker, worker.wallet)).rejects.toThrow(refusedWith('VALIDATION_FAILED'))
    const block = await market.block(publisher, worker.wallet)
    expect((await market.block(publisher, worker.wallet)).id).toBe(block.id)
    await expect(appliedJob(quiet)).rejects.toThrow(refusedWith('PARTY_BLOCKED'))
    const listing = await market.postListing(worker, {
      title: 'I photograph gates',
      description: 'I photograph any gate of the old town.',
      category: 'sensory',
      unitPriceUsd: '2',
      skills: [],
      evidence: ['text_response'],
      network: null,
      acceptedNetworks: null,
    })
    await expect(
      market.orderListing(publisher, listing.id, {
        bountyUsd: null,
        deadlineHours: 24,
        instructions: null,
        network: null,
        paymentAuth: null,
      }),
    ).rejects.toThrow(refusedWith('PARTY_BLOCKED'))
    expect(await market.blocked(publisher, firstPage)).toMatchObject({ total: 1, rows: [{ blocked: worker.wallet }] })
    expect(await market.blocked(worker, firstPage)).toMatchObject({ total: 0 })
    expect([
      await market.unblock(worker, publisher.wallet),
      await market.unblock(publisher, worker.wallet),
      await market.unblock(publisher, worker.wallet),
    ]).toEqual([false, true, false])
    await market.block(worker, publisher.wallet)
    await expect(appliedJob(quiet)).rejects.toThrow(refusedWith('PARTY_BLOCKED'))
    await market.unblock(worker, publisher.wallet)
    expect((await appliedJob(quiet)).executorId).toBe(listing.sellerExecutorId)
  })

  test('the same thing is reported once, and only what exists', async () => {
    await using quiet = await openStage()
    const { market } = quiet
    const { taskId, executorId } = await appliedJob(quiet)
    const first = await market.report(worker, { target: 'task', targetId: taskId, reason: 'fraud', note: null })
    expect(await market.report(worker, { target: 'task', targetId: taskId, reason: 'spam', note: 'again' })).toEqual(
      first,
    )
    await market.report(worker, { target: 'worker', targetId: executorId, reason: 'other', note: null })
    expect(await market.reports(worker, { ...firstPage, limit: 1 })).toMatchObject({
      total: 2,
      hasMore: true,
      rows: [{ target: 'worker' }],
    })
    expect(await market.reports(publisher, firstPage)).toMatchObject({ total: 0, rows: [] })
    for (const [target, code] of [
      ['task', 'TASK_NOT_FOUND'],
      ['submission', 'SUBMISSION_NOT_FOUND'],
      ['worker', 'WORKER_NOT_FOUND'],
      ['listing', 'LISTING_NOT_FOUND'],
    ] as const) {
      await expect(
        market.report(worker, {
          target,
          targetId: '01890a5d-ac96-774b-bcce-b302099a8057',
          reason: 'other',
          note: null,
        }),
      ).rejects.toThrow(refusedWith(code))
    }
  })
})
