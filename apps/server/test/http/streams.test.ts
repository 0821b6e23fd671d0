import { operations } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import { listen } from './event-lines.ts'
import { bindPayout, ledgerKey, liveChannels, metered, opened, streamed, type Streamed } from './live-channels.ts'
import { expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

const { fake, wired } = liveChannels()
let market: LiveMarket
let publisher: Party
let worker: Party
let stranger: Party
beforeAll(async () => {
  market = await startLiveMarket({}, undefined, { channels: wired, withoutDuties: true })
  publisher = await market.party(0n)
  worker = await market.party(0n)
  stranger = await market.party(0n)
})
afterAll(() => market[Symbol.asyncDispose]())

const path = ({ taskId }: Pick<Streamed, 'taskId'>, rest = ''): string => `/api/v1/streams/session/${taskId}${rest}`
const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['code']]
const tick = (by: Party, session: Streamed, headers: Record<string, string> = {}) =>
  by.call('POST', path(session, '/tick'), { evidence: { seen: 3 } }, headers)

async function funded(deposit = 5_000_000n, changed: object = {}): Promise<Streamed> {
  const session = await streamed(publisher, worker, changed)
  const fields = opened(fake, publisher, session, deposit)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${session.taskId}/channel`, fields), 200)
  return session
}

describe('a session', () => {
  test('is begun, funded, paid as time passes and stopped, and everybody may read it from first to last', async () => {
    const session = await streamed(publisher, worker, { note: 'Watching the harbour.', hours: 3 })
    const first = expectStatus(await market.get(path(session)), 200)
    expect([...Compile(operations['streams.get'].output).Errors(first.body)]).toEqual([])
    expect(first.body).toMatchObject({
      ...{ session_id: session.taskId, executor_id: session.executorId, note: 'Watching the harbour.' },
      buyer_wallet: publisher.wallet.toLowerCase(),
      ...{ state: 'unbound', unit: 'second', price_per_unit: '1', cap_usd: 5, consumed_usd: 0, is_over: false },
    })
    const { created_at: begun, ends_at: ends } = first.body as { created_at: string; ends_at: string } // the contract's
    expect(Date.parse(ends) - Date.parse(begun)).toBe(3 * 3_600_000)
    expect(refusal(await tick(worker, session))).toEqual([409, 'no_channel_bound'])
    const fields = opened(fake, publisher, session, 5_000_000n)
    expectStatus(await publisher.call('POST', `/api/v1/tasks/${session.taskId}/channel`, fields), 200)
    const running = await worker.call('GET', `/api/v1/tasks/${session.taskId}`)
    expect(running.body['next_action']).toEqual({ who: 'worker', what: 'tick', by: ends, otherwise: null })
    const key = { 'x-idempotency-key': 'the-first-tick' }
    const ticked = expectStatus(await tick(worker, session, key), 200)
    expect((await tick(worker, session, key)).body).toMatchObject({ data: { replayed: true } })
    const { data } = ticked.body as { data: { amount_uusdc: number } } // the contract's output
    expect(data.amount_uusdc).toBeGreaterThan(0)
    const stopped = expectStatus(await worker.call('POST', path(session, '/stop'), {}), 200)
    expect(stopped.body).toMatchObject({ state: 'settled', is_over: true, consumed_uusdc: data.amount_uusdc })
    expect((await market.get(path(session))).body).toEqual(stopped.body)
    expectStatus(await publisher.call('POST', path(session, '/stop'), {}), 200)
    expect(refusal(await tick(worker, session))).toEqual([409, 'CHANNEL_EXPIRED'])
    const task = await publisher.call('GET', `/api/v1/tasks/${session.taskId}`)
    expect(task.body).toMatchObject({
      status: 'completed',
      payment_tx: stopped.body['settlement_tx'],
      next_action: null,
    })
  })

  test('that nobody worked in is stopped without a payment, funded or not', async () => {
    const unfunded = await streamed(publisher, worker)
    expect((await publisher.call('POST', path(unfunded, '/stop'), {})).body).toMatchObject({
      state: 'unbound',
      is_over: true,
    })
    const late = opened(fake, publisher, unfunded)
    expect(refusal(await publisher.call('POST', `/api/v1/tasks/${unfunded.taskId}/channel`, late))).toEqual([
      409,
      'TASK_NOT_SUBMITTABLE',
    ])
    const idle = await funded(2_000_000n)
    expect((await worker.call('POST', path(idle, '/stop'), {})).body).toMatchObject({
      state: 'settled',
      is_over: true,
      consumed_usd: 0,
      refund_usd: 2,
    })
    expect((await publisher.call('GET', `/api/v1/tasks/${idle.taskId}`)).body['status']).toBe('cancelled')
  })

  test('is between two: strangers neither tick nor stop it, no list of tasks has it, nothing is handed in', async () => {
    const session = await funded()
    expect(refusal(await tick(stranger, session))).toEqual([403, 'FORBIDDEN'])
    expect(refusal(await stranger.call('POST', path(session, '/stop'), {}))).toEqual([403, 'FORBIDDEN'])
    const work = { evidence: { text_response: 'Done.' } }
    expect(refusal(await worker.call('POST', `/api/v1/tasks/${session.taskId}/submit`, work))).toEqual([
      409,
      'TASK_NOT_SUBMITTABLE',
    ])
    expect(refusal(await worker.call('POST', `/api/v1/tasks/${session.taskId}/withdraw`, {}))).toEqual([
      409,
      'TASK_NOT_WITHDRAWABLE',
    ])
    const unfunded = await streamed(publisher, worker)
    expect(refusal(await worker.call('POST', `/api/v1/tasks/${unfunded.taskId}/withdraw`, {}))).toEqual([
      409,
      'TASK_NOT_WITHDRAWABLE',
    ])
    const listed = await market.get('/api/v1/tasks?limit=100')
    expect(JSON.stringify(listed.body)).not.toContain(session.taskId)
    const worked = `/api/v1/workers/${session.executorId}/tasks?limit=100`
    expect(JSON.stringify((await market.get(worked)).body)).not.toContain(session.taskId)
    expect(JSON.stringify((await worker.call('GET', worked)).body)).toContain(session.taskId)
    const told = await market.get('/api/v1/events?scope=public&limit=500')
    expect(JSON.stringify(told.body)).not.toContain(session.taskId)
  })

  test('is on its way to the worker as far as it was worked, not as far as it may go', async () => {
    const other = await market.party(0n)
    const session = await streamed(publisher, other)
    const pending = async (): Promise<unknown> => {
      const { body } = await other.call('GET', `/api/v1/workers/${session.executorId}/earnings`)
      return body['pending']
    }
    expect(await pending()).toEqual([])
    const fields = opened(fake, publisher, session, 5_000_000n)
    expectStatus(await publisher.call('POST', `/api/v1/tasks/${session.taskId}/channel`, fields), 200)
    expect(await pending()).toEqual([])
    const ticked = expectStatus(await tick(other, session), 200)
    const { data } = ticked.body as { data: { amount_uusdc: number } } // the contract's output
    expect(await pending()).toMatchObject([{ gross_usd: data.amount_uusdc / 1_000_000, count: 1 }])
  })

  test('is listed to each of its sides, newest first and page by page, and to nobody else', async () => {
    const [buyer, other] = [await market.party(0n), await market.party(0n)]
    const list = async (by: Party | null, query = '') => {
      const target = `/api/v1/streams/session${query}`
      const { body } = expectStatus(await (by === null ? market.get(target) : by.call('GET', target)), 200)
      expect([...Compile(operations['streams.list'].output).Errors(body)]).toEqual([])
      const { sessions, total, next_cursor } = body as {
        sessions: { session_id: string; state: string; cap_usd: number; is_over: boolean }[]
        total: number
        next_cursor: string | null
      } // the contract's output
      return { sessions, ids: sessions.map(({ session_id: id }) => id), total, next_cursor }
    }
    const idle = await streamed(buyer, other, { cap_usd: '3' })
    const bound = await streamed(buyer, other)
    const fields = opened(fake, buyer, bound, 5_000_000n)
    expectStatus(await buyer.call('POST', `/api/v1/tasks/${bound.taskId}/channel`, fields), 200)
    expectStatus(await buyer.call('POST', path(idle, '/stop'), {}), 200)
    const mine = await list(buyer)
    expect(mine).toMatchObject({ ids: [bound.taskId, idle.taskId], total: 2, next_cursor: null })
    expect(mine.sessions).toMatchObject([
      { state: 'open', cap_usd: 5, is_over: false },
      { state: 'unbound', cap_usd: 3, is_over: true },
    ])
    expect((await list(other, '?role=worker')).ids).toEqual(mine.ids)
    const first = await list(other, '?role=worker&limit=1')
    expect((await list(other, `?role=worker&limit=1&cursor=${String(first.next_cursor)}`)).ids).toEqual([idle.taskId])
    for (const [by, query] of [
      [buyer, '?role=worker'],
      [other, '?role=buyer'],
      [stranger, ''],
      [null, ''],
    ] as const)
      expect(await list(by, query)).toMatchObject({ ids: [], total: 0 })
    // A task that asks for something to be handed in is no session.
    await metered(buyer, other)
    expect((await list(buyer)).total).toBe(2)
  })

  test('is watched as it is paid', async () => {
    const session = await funded()
    await using stream = await listen(market.url, path(session, '/events'), { host: authority })
    const consumed = (): number | undefined => {
      const last = stream.frames().at(-1)?.data['consumed_uusdc']
      return last === undefined ? undefined : Number(last)
    }
    await expect.poll(consumed).toBe(0)
    expectStatus(await tick(worker, session), 200)
    await expect.poll(consumed).toBeGreaterThan(0)
  })

  test('that was stopped before it was funded is watched to its end, and no longer', async () => {
    const session = await streamed(publisher, worker)
    expectStatus(await publisher.call('POST', path(session, '/stop'), {}), 200)
    await using stream = await listen(market.url, path(session, '/events'), { host: authority })
    await stream.ended
    expect(stream.frames().map(({ event, data }) => [event, data['state']])).toEqual([
      ['meter', 'unbound'],
      ['end', undefined],
    ])
  })
})

describe('beginning a session', () => {
  const begin = (executor_id: string, changed: object = {}, by = publisher) =>
    by.call('POST', '/api/v1/streams/session', { executor_id, price_per_unit: '0.1', cap_usd: '5', ...changed })

  test('is refused with the code of what is wrong', async () => {
    const { executorId } = await streamed(publisher, worker)
    const { max_bounty: most } = (await market.get('/api/v1/config')).body as { max_bounty: number } // the contract's
    const above = await begin(executorId, { cap_usd: String(most + 1) })
    expect(above.body).toMatchObject({ code: 'SESSION_CAP_EXCEEDED', details: { limit_usd: most } })
    expect(above.status).toBe(422)
    expectStatus(await begin(executorId, { cap_usd: String(most) }), 201)
    for (const changed of [
      { price_per_unit: '0' },
      { price_per_unit: '5.000001' },
      { cap_usd: '0.001', price_per_unit: '0.0001' },
      { unit: 'scan' },
      { hours: 721 },
      { colour: 'red' },
    ])
      expect((await begin(executorId, changed)).status, JSON.stringify(changed)).toBe(422)
    expect(refusal(await begin('01890a5d-ac96-774b-bcce-b302099a8057'))).toEqual([404, 'WORKER_NOT_FOUND'])
    expect(refusal(await begin(executorId, {}, worker))).toEqual([409, 'SELF_PAYMENT_BLOCKED'])
    const poor = await market.party(0n)
    const { body } = expectStatus(await poor.call('POST', '/api/v1/workers/register', {}), 201)
    expect(refusal(await begin(String(body['id'])))).toEqual([409, 'NO_PAYEE_RESOLVED'])
    expect(refusal(await market.get('/api/v1/streams/session/01890a5d-ac96-774b-bcce-b302099a8057'))).toEqual([
      404,
      'TASK_NOT_FOUND',
    ])
  })

  test('takes ten at a time of one buyer, however many come at once', async () => {
    const [buyer, other] = [await market.party(0n), await market.party(0n)]
    const executorId = String(expectStatus(await other.call('POST', '/api/v1/workers/register', {}), 201).body['id'])
    await bindPayout(other, executorId, ledgerKey())
    const answers = await Promise.all(Array.from({ length: 14 }, () => begin(executorId, {}, buyer)))
    const begun = answers.filter(({ status }) => status === 201)
    expect(begun).toHaveLength(10)
    expect(new Set(answers.filter(({ status }) => status !== 201).map((one) => one.body['code']))).toEqual(
      new Set(['SESSION_CAP_EXCEEDED']),
    )
    expectStatus(await buyer.call('POST', path({ taskId: String(begun[0]?.body['session_id']) }, '/stop'), {}), 200)
    expectStatus(await begin(executorId, {}, buyer), 201)
  })

  test('under one key begins one', async () => {
    const { executorId } = await streamed(publisher, worker)
    const key = { 'x-idempotency-key': 'one-session' }
    const fields = { executor_id: executorId, price_per_unit: '0.1', cap_usd: '5' }
    const [one, two] = [
      await publisher.call('POST', '/api/v1/streams/session', fields, key),
      await publisher.call('POST', '/api/v1/streams/session', fields, key),
    ]
    expect([one.status, two.body['session_id']]).toEqual([201, one.body['session_id']])
  })
})

test('where streams are off every path answers 404, and tasks are metered as before', async () => {
  await using without = await startLiveMarket({ SVC_STREAMS: 'false' }, market.rig, {
    channels: wired,
    withoutDuties: true,
  })
  for (const rest of ['', '/session', '/session/abc', '/anything/at/all'])
    expect((await without.get(`/api/v1/streams${rest}`)).body.code).toBe('FEATURE_DISABLED')
  const { features } = (await without.get('/api/v1/config')).body
  expect(features).toMatchObject({ channels: true, streams: false })
  expect((await market.get('/api/v1/config')).body['features']).toMatchObject({ channels: true, streams: true })
})
