import { operations } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { listen, type Listening } from './event-lines.ts'
import { liveChannels, metered, opened, perScan } from './live-channels.ts'
import { expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

const { fake, wired } = liveChannels()
const cheap = { ...perScan, price_per_unit: '0.000001' }
let market: LiveMarket
let database: pg.Pool
let publisher: Party
let worker: Party
let stranger: Party
beforeAll(async () => {
  const env = { SVC_METER_STREAMS_PER_ADDRESS: '3', SVC_METER_STREAMS: '5' }
  market = await startLiveMarket(env, undefined, { channels: wired, withoutDuties: true })
  database = new pg.Pool({ connectionString: market.databaseUrl, max: 1 })
  publisher = await market.party(0n)
  worker = await market.party(0n)
  stranger = await market.party(0n)
})
afterAll(async () => {
  await database.end()
  await market[Symbol.asyncDispose]()
})

const path = (taskId: string, rest: string): string => `/api/v1/tasks/${taskId}/${rest}`
const tick = (taskId: string) => worker.call('POST', path(taskId, 'tick'), { evidence: { boats: 3 } })
const watch = (taskId: string): Promise<Listening> =>
  listen(market.url, path(taskId, 'meter/stream'), { host: authority })
const asParty = async (by: Party, target: string): Promise<Listening> =>
  listen(market.url, target, await signed('GET', target, undefined, { key: by.key }))
const codeOf = async (stream: Listening): Promise<readonly unknown[]> => {
  await stream.ended
  return [stream.status, (JSON.parse(stream.text()) as { code: string }).code]
}

async function bound(): Promise<{ readonly taskId: string; readonly channelId: string }> {
  const job = await metered(publisher, worker, cheap)
  const fields = opened(fake, publisher, job)
  expectStatus(await publisher.call('POST', path(job.taskId, 'channel'), fields), 200)
  return { taskId: job.taskId, channelId: fields.channel_id }
}

/** As the engine closes and settles it. */
async function force(taskId: string, status: string): Promise<void> {
  await database.query('update channels set status = $2, updated_at = clock_timestamp() where task_id = $1', [
    taskId,
    status,
  ])
}

describe('the stream of a meter', () => {
  const meter = Compile(operations['meters.get'].output)

  test('tells how it is, each change, and that it is over; never a voucher', async () => {
    const { taskId } = await bound()
    expectStatus(await tick(taskId), 200)
    await using stream = await watch(taskId)
    await expect.poll(() => stream.frames().length).toBe(1)
    expect(stream.frames()[0]?.data).toMatchObject({ state: 'open', consumed_uusdc: 1 })
    expectStatus(await tick(taskId), 200)
    await expect.poll(() => stream.frames().at(-1)?.data).toMatchObject({ consumed_uusdc: 2, units_accepted: 2 })
    await force(taskId, 'closing')
    await expect.poll(() => stream.frames().at(-1)?.data['state']).toBe('closing')
    await force(taskId, 'settled')
    await stream.ended
    expect(stream.frames().at(-1)).toMatchObject({ event: 'end', data: {} })
    const meters = stream.frames().slice(0, -1)
    expect(meters.at(-1)?.data).toMatchObject({ state: 'settled', settled_usd: 0.000002 })
    for (const { event, id, data } of meters) {
      expect([event, id]).toEqual(['meter', String(Date.parse(String(data['updated_at'])))])
      expect([...meter.Errors(data)]).toEqual([])
    }
    for (const secret of ['signature', 'evidence', 'boats', 'author']) expect(stream.text()).not.toContain(secret)
  })

  test('shows those who listen one state, and at the end the newest', async () => {
    const { taskId } = await bound()
    await using one = await watch(taskId)
    await using other = await watch(taskId)
    await Promise.all(Array.from({ length: 20 }, () => tick(taskId)))
    for (const stream of [one, other]) await expect.poll(() => stream.frames().at(-1)?.data['consumed_uusdc']).toBe(20)
    const seen = one.frames().map(({ data }) => Number(data['consumed_uusdc']))
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  test('has seats for so many from an address, and gives them back', async () => {
    const { taskId } = await bound()
    {
      await using _one = await watch(taskId)
      await using _two = await watch(taskId)
      await using _three = await watch(taskId)
      await using refused = await watch(taskId)
      expect(await codeOf(refused)).toEqual([429, 'RATE_LIMITED'])
    }
    await expect
      .poll(async () => {
        await using again = await watch(taskId)
        return again.status
      })
      .toBe(200)
  })

  test('of a task that is not there, or not metered, is no stream', async () => {
    await using refused = await watch('01890a5d-ac96-774b-bcce-b302099a8057')
    expect(await codeOf(refused)).toEqual([404, 'TASK_NOT_FOUND'])
  })
})

describe('the vouchers of a channel', () => {
  test('are replayed and then told as they come, until the channel is settled', async () => {
    const { taskId, channelId } = await bound()
    for (let count = 0; count < 3; count += 1) expectStatus(await tick(taskId), 200)
    await using stream = await asParty(worker, `/api/v1/taximetro/${channelId}/stream?replay_limit=2`)
    await using silent = await asParty(publisher, `/api/v1/taximetro/${channelId}/stream?replay=false`)
    await expect.poll(() => stream.frames().length).toBe(3)
    expect(stream.frames()[0]).toMatchObject({
      event: 'hello',
      data: { channel_id: channelId, replay: true, replay_limit: 2 },
    })
    expectStatus(await tick(taskId), 200)
    await expect.poll(() => stream.frames().length).toBe(4)
    await force(taskId, 'settled')
    await Promise.all([stream.ended, silent.ended])
    const told = (one: Listening) =>
      one.frames().map(({ event, data }) => [event, data['voucher_index'], data['replay']])
    expect(told(stream).slice(1)).toEqual([
      ['voucher_accepted', 2, true],
      ['voucher_accepted', 3, true],
      ['voucher_accepted', 4, undefined],
      ['session_close', 4, undefined],
      ['settlement_complete', 4, undefined],
    ])
    expect(told(silent).map(([event]) => event)).toEqual([
      'hello',
      'voucher_accepted',
      'session_close',
      'settlement_complete',
    ])
  })

  test('are read back, the oldest of the last ones first', async () => {
    const { taskId, channelId } = await bound()
    for (let count = 0; count < 3; count += 1) expectStatus(await tick(taskId), 200)
    const read = async (query: string) => {
      const { body } = expectStatus(await publisher.call('GET', `/api/v1/taximetro/${channelId}/history${query}`), 200)
      expect([...Compile(operations['taximetro.history'].output).Errors(body)]).toEqual([])
      return (body['events'] as readonly { event: string; cumulative_uusdc: number }[]).map(
        ({ event, cumulative_uusdc: all }) => `${event} ${String(all)}`,
      ) // the contract's output
    }
    const all = ['session_open 0', 'voucher_accepted 1', 'voucher_accepted 2', 'voucher_accepted 3']
    expect(await read('')).toEqual(all)
    expect(await read('?limit=2')).toEqual(all.slice(-2))
    expect(await read('?limit=2&offset=2')).toEqual(all.slice(0, 2))
    expect(await read('?limit=2&offset=1')).toEqual(all.slice(1, 3))
    expect(await read('?offset=3')).toEqual(all.slice(0, 1))
    expect(await read('?offset=4')).toEqual([])
    await force(taskId, 'settled')
    const ended = [...all, 'session_close 3', 'settlement_complete 3']
    for (let offset = 0; offset < 7; offset += 1)
      for (const limit of [1, 2, 4])
        expect(
          await read(`?limit=${String(limit)}&offset=${String(offset)}`),
          `${String(limit)} after ${String(offset)}`,
        ).toEqual(ended.slice(Math.max(0, 6 - offset - limit), 6 - Math.min(6, offset)))
  })

  test('are for the publisher and the worker alone, and nobody learns of a channel by asking', async () => {
    const { channelId } = await bound()
    const nowhere = channelId.replace(/^./, (first) => (first === '2' ? '3' : '2'))
    for (const id of [channelId, nowhere])
      for (const rest of ['stream', 'history']) {
        await using refused = await asParty(stranger, `/api/v1/taximetro/${id}/${rest}`)
        expect(await codeOf(refused)).toEqual([403, 'FORBIDDEN'])
        await using unsigned = await listen(market.url, `/api/v1/taximetro/${id}/${rest}`, { host: authority })
        expect(await codeOf(unsigned)).toEqual([403, 'SIGNATURE_REQUIRED'])
      }
    for (const id of ['abc', '0'.repeat(40), `${channelId}/more`]) {
      const { status } = await worker.call('GET', `/api/v1/taximetro/${id}/history`)
      expect([404, 422], id).toContain(status)
    }
  })
})

test('where the gateway is off its routes answer 404, and channels stay', async () => {
  await using without = await startLiveMarket({ SVC_GATEWAY: 'false' }, market.rig, {
    channels: wired,
    withoutDuties: true,
  })
  for (const rest of ['health', 'abc/stream', 'abc/history', 'abc/anything'])
    expect((await without.get(`/api/v1/taximetro/${rest}`)).body.code).toBe('FEATURE_DISABLED')
  const { features } = (await without.get('/api/v1/config')).body
  expect(features).toMatchObject({ channels: true, meters: true, taximetro: false })
  expect((await market.get('/api/v1/taximetro/health')).body).toMatchObject({ enabled: true })
  expect((await market.get('/api/v1/taximetro/abc/anything')).body.code).toBe('NOT_FOUND')
})
