import { queryDatabase, type Chain } from '@ergon/dev-env'
import { createTestDatabase, type TestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Facilitator } from '../src/index.ts'
import { facilitatorEnv } from './harness-env.ts'
import {
  balanceOf,
  createClient,
  eventually,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
  type Client,
} from './harness.ts'
import { startPgProxy, type PgFate, type PgProxy } from './pg-proxy.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import {
  addresses,
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  exactV2,
  nowSec,
  payer,
  releaseBody,
  treasury,
  worker,
} from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain.stop()
})

type Stage = AsyncDisposable & {
  readonly client: Client
  readonly line: PgProxy
  readonly database: TestDatabase
  readonly service: Facilitator
  readonly env: Record<string, string>
}

/** A facilitator whose database is at the end of a line that can fail. */
async function stage(env: Record<string, string> = {}): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const line = stack.use(await startPgProxy(database.url))
  const all = facilitatorEnv(chain.rpcUrl, line.url, { FACILITATOR_SETTLE_WAIT_MS: '1500', ...env })
  const service = stack.use(await startFacilitator(all))
  const client = createClient(await service.listen())
  const owned = stack.move()
  return { client, line, database, service, env: all, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Does this to the n-th question that names `what`, and carries everything else. */
function failing(line: PgProxy, what: string, fate: PgFate, nth = 1): void {
  let seen = 0
  line.decide = (question) => {
    // The name of a prepared statement ends with a zero.
    if (!question.includes(`${what}\0`)) return 'carry'
    seen += 1
    return seen === nth ? fate : 'carry'
  }
}

const later = ({ status, body }: { status: number; body: Record<string, unknown> }): boolean => {
  // Every one of these payments is good, so whatever else is said would be a lie.
  if (status !== 200 && body['errorCode'] !== 'settlement_pending' && body['status'] !== 'pending')
    throw new Error(JSON.stringify(body))
  return status === 200
}

describe('an answer of the database that is lost', () => {
  test.each<[string, PgFate]>([
    ['after the commit', 'lose-answer'],
    ['before the statement arrived', 'lose-question'],
    ['with the statement still under way', 'hold'],
  ])('%s: an intent whose insert answered nothing is carried out once or proven never written', async (_when, fate) => {
    await using rig = await stage()
    const before = {
      sent: await sentByFacilitator(chain.rpcUrl),
      worker: await balanceOf(chain.rpcUrl, worker.address),
    }
    const body = exactV2(aTransfer({ value: 12_345n }))
    failing(rig.line, 'intents-insert', fate)
    const key = { 'idempotency-key': `insert ${fate}`.replaceAll(' ', '-') }
    const answer = await eventually(() => rig.client.post('/settle', body, key), later, 'the settlement')
    // What was held arrives at last, behind its tombstone.
    rig.line.release()
    expect(answer.body).toMatchObject({ success: true })
    expect((await rig.client.post('/settle', body, key)).body['transaction']).toBe(answer.body['transaction'])
    const next = exactV2(aTransfer())
    expect((await eventually(() => rig.client.post('/settle', next), later, 'the next settlement')).body).toMatchObject(
      { success: true },
    )
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before.worker + 12_345n + 50_000n)
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(before.sent + 2)
    const rows = await queryDatabase(
      rig.database.url,
      "select status, count(*)::int as count from intents where status <> 'void' group by status",
    )
    expect(rows).toEqual([{ status: 'succeeded', count: 2 }])
  })

  // Only the tombstone prevents a second transaction of these: they have neither key nor once-key.
  test.each<PgFate>(['lose-answer', 'lose-question', 'hold'])(
    'leaves an order without any key written once (%s)',
    async (fate) => {
      await using rig = await stage({ FACILITATOR_SETTLE_WAIT_MS: '5000' })
      const info = aPaymentInfo()
      await rig.client.post('/settle', authorizeBody(info))
      await rig.client.post('/settle', releaseBody(info, 1_000_000n))
      const sent = await sentByFacilitator(chain.rpcUrl)
      failing(rig.line, 'intents-insert', fate)
      const answer = await rig.client.post('/fees/distribute', { network: 'localnet', token: addresses.token })
      expect(answer).toMatchObject({ status: 200, body: { success: true, amount: '130000' } })
      rig.line.release()
      // What was released comes before this on its way, if it comes at all.
      await rig.client.post('/settle', exactV2(aTransfer()))
      const sweeps = await queryDatabase(rig.database.url, "select status from intents where kind = 'distribute_fees'")
      expect(sweeps).toEqual([{ status: 'succeeded' }])
      expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent + 2)
    },
  )

  test('and a process that ends before it knows: the next one carries the order out once, and the answer is never "not sent"', async () => {
    await using rig = await stage({ FACILITATOR_SETTLE_WAIT_MS: '300' })
    const before = {
      sent: await sentByFacilitator(chain.rpcUrl),
      worker: await balanceOf(chain.rpcUrl, worker.address),
    }
    const body = exactV2(aTransfer({ value: 23_456n }))
    let isAway = false
    rig.line.decide = (question) => {
      if (isAway) return 'lose-question'
      if (!question.includes('intents-insert')) return 'carry'
      isAway = true
      return 'lose-answer'
    }
    const key = { 'idempotency-key': 'ended' }
    for (const answer of [await rig.client.post('/settle', body, key), await rig.client.post('/settle', body, key)]) {
      expect(answer).toMatchObject({
        status: 502,
        body: { errorCode: 'settlement_pending', broadcast: true, final: false },
      })
    }
    await rig.service[Symbol.asyncDispose]()
    rig.line.decide = () => 'carry'
    await using next = await startFacilitator(rig.env)
    const client = createClient(await next.listen())
    await eventually(() => client.post('/settle', body, key), later, 'the settlement')
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before.worker + 23_456n)
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(before.sent + 1)
  })

  test.each(['intents-find', 'keys-find', 'intents-settle', 'keys-bind'])(
    'to %s leaves no payment unpaid and none paid twice',
    async (question) => {
      await using rig = await stage()
      const before = await balanceOf(chain.rpcUrl, worker.address)
      const good = exactV2(aTransfer({ value: 1_111n }))
      const bad = exactV2(aTransfer({ validBefore: 1n }))
      failing(rig.line, question, 'lose-answer')
      await eventually(() => rig.client.post('/settle', good, { 'idempotency-key': 'good' }), later, 'the settlement')
      const refused = await eventually(
        () => rig.client.post('/settle', bad, { 'idempotency-key': 'bad' }),
        ({ status }) => status === 400,
        'the refusal',
      )
      expect(refused.body).toMatchObject({ errorCode: 'expired_authorization', final: true })
      expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 1_111n)
    },
  )

  test('leaves a sweep of fees found under its key, although there is nothing to sweep any more', async () => {
    await using rig = await stage({ FACILITATOR_SETTLE_WAIT_MS: '5000' })
    const info = aPaymentInfo()
    await rig.client.post('/settle', authorizeBody(info))
    await rig.client.post('/settle', releaseBody(info, 1_000_000n))
    const before = await balanceOf(chain.rpcUrl, treasury.address)
    const sweep = { network: 'localnet', token: addresses.token }
    const key = { 'idempotency-key': 'sweep' }
    const first = await rig.client.post('/fees/distribute', sweep, key)
    expect(first).toMatchObject({ status: 200, body: { success: true } })
    expect(await balanceOf(chain.rpcUrl, treasury.address)).toBeGreaterThan(before)
    expect((await rig.client.post('/fees/distribute', sweep, key)).body).toEqual(first.body)
    // A key that found nothing to sweep is bound to that.
    const empty = { 'idempotency-key': 'empty' }
    expect((await rig.client.post('/fees/distribute', sweep, empty)).body).toEqual({
      success: true,
      transaction: null,
      amount: '0',
      network: 'localnet',
    })
    const another = aPaymentInfo()
    await rig.client.post('/settle', authorizeBody(another))
    await rig.client.post('/settle', releaseBody(another, 1_000_000n))
    expect((await rig.client.post('/fees/distribute', sweep, empty)).body['amount']).toBe('0')
  })

  test.each<[string, PgFate]>([
    ['registrations-insert', 'lose-answer'],
    ['registrations-insert', 'lose-question'],
    ['registrations-insert', 'hold'],
    ['registrations-update', 'lose-answer'],
    ['intents-insert', 'lose-answer'],
  ])('to %s (%s) leaves an agent registered once', async (question, fate) => {
    await using rig = await stage({ FACILITATOR_SETTLE_WAIT_MS: '5000' })
    const supply = async (): Promise<number> =>
      Number((await rig.client.get('/identity/localnet/total-supply')).body['totalSupply'])
    const before = await supply()
    failing(rig.line, question, fate)
    const body = {
      x402Version: 1,
      network: 'localnet',
      agentUri: `https://agents.example/${question}/${fate}`,
      recipient: worker.address,
    }
    const key = { 'idempotency-key': `register-${question}-${fate}` }
    const answer = await eventually(() => rig.client.post('/register', body, key), later, 'the registration')
    rig.line.release()
    expect(answer.body).toMatchObject({ success: true, owner: worker.address })
    expect((await rig.client.post('/register', body, key)).body['agentId']).toBe(answer.body['agentId'])
    expect(await supply()).toBe(before + 1)
  })
})

describe('a registration without a key whose insert has no answer', () => {
  const body = (name: string): object => ({
    x402Version: 1,
    network: 'localnet',
    agentUri: `https://agents.example/${name}`,
    recipient: worker.address,
  })

  test('is finished when it was written', async () => {
    await using rig = await stage({ FACILITATOR_SETTLE_WAIT_MS: '5000' })
    failing(rig.line, 'registrations-insert', 'lose-answer')
    const answer = await rig.client.post('/register', body('written'))
    expect(answer).toMatchObject({ status: 502, body: { errorCode: 'settlement_pending', broadcast: true } })
    const status = await eventually(
      () => rig.client.get(`/register/status/${String(answer.body['jobId'])}`),
      ({ body: one }) => one['status'] === 'done',
      'the registration',
    )
    expect(status.body).toMatchObject({ success: true, owner: worker.address })
  })

  test('never appears when it was not', async () => {
    await using rig = await stage({ FACILITATOR_SETTLE_WAIT_MS: '5000' })
    failing(rig.line, 'registrations-insert', 'hold')
    const answer = await rig.client.post('/register', body('unwritten'))
    expect(answer).toMatchObject({ status: 502, body: { errorCode: 'settlement_pending' } })
    const rows = (): Promise<readonly object[]> => queryDatabase(rig.database.url, 'select status from registrations')
    expect(await eventually(rows, (found) => found.length > 0, 'the tombstone')).toEqual([{ status: 'void' }])
    rig.line.release()
    expect((await rig.client.post('/register', body('unwritten'))).body).toMatchObject({ success: true })
    expect((await rig.client.get(`/register/status/${String(answer.body['jobId'])}`)).status).toBe(404)
    expect(await rows()).toHaveLength(2)
  })
})

describe('Settle-Before', () => {
  test('a request past its Settle-Before is refused and nothing is sent', async () => {
    await using rig = await stage()
    const sent = await sentByFacilitator(chain.rpcUrl)
    const late = { 'settle-before': String(nowSec()) }
    const transfer = exactV2(aTransfer())
    expect(await rig.client.post('/settle', transfer, late)).toMatchObject({
      status: 400,
      body: { success: false, errorCode: 'order_expired', final: false },
    })
    const keyed = await rig.client.post('/settle', transfer, { ...late, 'idempotency-key': 'late' })
    expect(keyed).toMatchObject({ status: 400, body: { errorCode: 'order_expired', final: true } })
    expect(Date.parse(keyed.headers.get('date') ?? '')).toBeGreaterThanOrEqual(Number(late['settle-before']) * 1000)
    // A copy with a later deadline comes too late as well: its key has been answered for good.
    expect(
      (
        await rig.client.post('/settle', transfer, {
          'settle-before': String(nowSec() + 60),
          'idempotency-key': 'late',
        })
      ).body,
    ).toMatchObject({ errorCode: 'order_expired', final: true })
    const sweep = { network: 'localnet', token: addresses.token }
    expect((await rig.client.post('/fees/distribute', sweep, late)).body).toMatchObject({ errorCode: 'order_expired' })
    const register = { network: 'localnet', agentUri: 'https://agents.example/late', recipient: worker.address }
    expect((await rig.client.post('/register', register, { ...late, 'idempotency-key': 'late' })).body).toMatchObject({
      errorCode: 'order_expired',
      final: false,
    })
    const feedback = { agentId: 0, value: 1, tag1: 'late' }
    expect((await rig.client.post('/feedback', { network: 'localnet', feedback }, late)).body).toMatchObject({
      errorCode: 'order_expired',
    })
    expect((await rig.client.post('/settle', transfer, { 'settle-before': 'soon' })).body).toMatchObject({
      errorCode: 'invalid_payload',
    })
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
  })

  test('a Settle-Before more than a day ahead is refused, and its key is bound to nothing', async () => {
    await using rig = await stage()
    const transfer = exactV2(aTransfer())
    const key = { 'idempotency-key': 'far' }
    const far = await rig.client.post('/settle', transfer, { ...key, 'settle-before': '999999999999' })
    expect(far).toMatchObject({ status: 400, body: { errorCode: 'invalid_payload' } })
    expect(
      (await rig.client.post('/settle', transfer, { ...key, 'settle-before': String(nowSec() + 60) })).body,
    ).toMatchObject({ success: true })
  })

  test('a request past its Settle-Before is refused and nothing is sent, also when it waited in the queue', async () => {
    await using proxy = await startRpcProxy(chain.rpcUrl)
    await using rig = await stage({
      FACILITATOR_RPC_LOCALNET: proxy.url,
      FACILITATOR_SETTLE_WAIT_MS: '10000',
      FACILITATOR_RPC_TIMEOUT_MS: '300',
    })
    const info = aPaymentInfo()
    await rig.client.post('/settle', authorizeBody(info))
    const before = {
      sent: await sentByFacilitator(chain.rpcUrl),
      worker: await balanceOf(chain.rpcUrl, worker.address),
    }
    proxy.decide = (methods) => (methods.some((method) => /send|mine/i.test(method)) ? 'drop' : 'forward')
    const asked = proxy.seen.length
    const first = rig.client.post('/settle', releaseBody(info, 600_000n))
    await eventually(
      () => Promise.resolve(proxy.seen.slice(asked)),
      (methods) => methods.includes('eth_sendRawTransaction'),
      'the broadcast',
    )
    const deadline = nowSec() + 2
    const body = releaseBody(info, 300_000n)
    const waiting = rig.client.post('/settle', body, { 'idempotency-key': 'waited', 'settle-before': String(deadline) })
    await eventually(
      () => Promise.resolve(nowSec()),
      (now) => now > deadline,
      'the deadline',
    )
    proxy.decide = () => 'forward'
    expect(await first).toMatchObject({ status: 200, body: { success: true } })
    expect(await waiting).toMatchObject({ status: 400, body: { errorCode: 'order_expired', final: true } })
    expect((await rig.client.post('/settle', body, { 'idempotency-key': 'waited' })).body).toMatchObject({
      errorCode: 'order_expired',
      final: true,
    })
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(before.sent + 1)
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before.worker + 522_000n)
  })

  test('an order that was written in time is followed, whatever the hour', async () => {
    await using rig = await stage()
    const before = await balanceOf(chain.rpcUrl, payer.address)
    const body = authorizeBody(aPaymentInfo())
    const first = await rig.client.post('/settle', body, {
      'idempotency-key': 'in-time',
      'settle-before': String(nowSec() + 60),
    })
    expect(first.body['success']).toBe(true)
    const copy = await rig.client.post('/settle', body, { 'idempotency-key': 'in-time', 'settle-before': '1' })
    expect(copy).toMatchObject({ status: 200, body: first.body })
    expect(await balanceOf(chain.rpcUrl, payer.address)).toBe(before - 1_000_000n)
  })
})
