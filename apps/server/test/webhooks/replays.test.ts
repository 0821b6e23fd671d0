import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { appliedJob, assignJob, caughtUp, publisher, worker } from '../market/stage.ts'
import { openHookedStage, type HookedStage, sentTo } from './hooked-stage.ts'
import { startReceiver, type Receiver } from './receiver.ts'

let hooked: HookedStage
let receiver: Receiver
beforeEach(async () => {
  hooked = await openHookedStage()
  receiver = await startReceiver()
})
afterEach(async () => {
  await hooked[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const hour = 3_600_000

describe('replays', () => {
  it('what happened since a cursor, or between two moments, is sent again with the same ids and bytes', async () => {
    const { webhook } = await hooked.active(receiver.url, ['task.created', 'worker.applied'])
    const job = await appliedJob(hooked.stage)
    await caughtUp(hooked.stage)
    const place = await hooked.stage.market.eventHorizon()
    hooked.stage.clock.advance(hour)
    const middle = hooked.stage.clock.now()
    await assignJob(hooked.stage, job)
    await appliedJob(hooked.stage)
    await hooked.round()
    const [first = '', second = '', third = '', fourth = ''] = receiver.events().map(({ id }) => id)
    expect(receiver.events().length).toBe(4)
    const replayed = async (range: {
      readonly after?: string
      readonly from?: Date
      readonly to?: Date
    }): Promise<string[]> => {
      const before = receiver.events().length
      const answer = await hooked.webhooks.replay(publisher.wallet, webhook.id, {
        after: range.after ?? null,
        from: range.from ?? null,
        to: range.to ?? null,
      })
      await hooked.round()
      const again = receiver.events().slice(before)
      expect(answer).toMatchObject({ queued: again.length, hasMore: false })
      return again.map(({ id }) => id).sort()
    }
    expect(await replayed({ after: place })).toEqual([third, fourth].sort())
    expect(await replayed({ from: middle })).toEqual([third, fourth].sort())
    expect(await replayed({ from: new Date(0), to: middle })).toEqual([first, second].sort())
    expect(await replayed({ from: new Date(0) })).toEqual([first, second, third, fourth].sort())
    for (const id of [first, second, third, fourth])
      expect(
        new Set(
          receiver
            .events()
            .filter((one) => one.id === id)
            .map(({ body }) => body),
        ).size,
      ).toBe(1)
    const [one] = await sentTo(hooked, webhook.id)
    await hooked.webhooks.replayDelivery(publisher.wallet, webhook.id, one?.id ?? '')
    await hooked.round()
    expect(receiver.events().at(-1)?.id).toBe(one?.eventId)
    await expect(hooked.webhooks.replayDelivery(worker.wallet, webhook.id, one?.id ?? '')).rejects.toMatchObject({
      code: 'WEBHOOK_NOT_FOUND',
    })
  })

  it('where nothing happened since a moment, going on repeats nothing earlier and misses nothing later', async () => {
    const { webhook } = await hooked.active(receiver.url, ['task.created'])
    await appliedJob(hooked.stage)
    await caughtUp(hooked.stage)
    hooked.stage.clock.advance(hour)
    const replay = (range: { readonly after: string | null; readonly from: Date | null }) =>
      hooked.webhooks.replay(publisher.wallet, webhook.id, { ...range, to: null })
    const empty = await replay({ after: null, from: hooked.stage.clock.now() })
    expect(empty).toMatchObject({ queued: 0, hasMore: false })
    expect(await replay({ after: empty.place, from: null })).toMatchObject({ queued: 0 })
    await appliedJob(hooked.stage)
    await caughtUp(hooked.stage)
    expect(await replay({ after: empty.place, from: null })).toMatchObject({ queued: 1 })
  })

  it('a replay sends at most a thousand events and says where to go on; a wallet replays ten times an hour', async () => {
    const { webhook } = await hooked.active(receiver.url, ['task.created'])
    await appliedJob(hooked.stage)
    await hooked.stage.pool.query(
      `with made as (insert into outbox (id, type, data, at) select gen_random_uuid(), 'task.created', '{}', now()
          from generate_series(1, 1100) returning xid, seq)
       insert into event_recipients (wallet, xid, seq) select $1, xid, seq from made`,
      [publisher.wallet],
    )
    // A feed ends before the oldest transaction of the whole cluster, whichever database that is in.
    const isSeen = 'select bool_and(xid < pg_snapshot_xmin(pg_current_snapshot())) as seen from outbox'
    await vi.waitUntil(async () => (await hooked.stage.pool.query<{ seen: boolean }>(isSeen)).rows[0]?.seen === true, {
      timeout: 15_000,
    })
    const first = await hooked.webhooks.replay(publisher.wallet, webhook.id, {
      after: null,
      from: new Date(0),
      to: null,
    })
    expect(first).toMatchObject({ queued: 1_000, hasMore: true })
    expect(
      await hooked.webhooks.replay(publisher.wallet, webhook.id, { after: first.place, from: null, to: null }),
    ).toMatchObject({ queued: 101, hasMore: false })
    for (let n = 0; n < 8; n += 1)
      await hooked.webhooks.replay(publisher.wallet, webhook.id, { after: first.place, from: null, to: new Date(0) })
    await expect(
      hooked.webhooks.replay(publisher.wallet, webhook.id, { after: first.place, from: null, to: null }),
    ).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})
