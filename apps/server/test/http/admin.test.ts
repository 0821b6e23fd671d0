import { queryDatabase } from '@ergon/dev-env'
import { createTestDatabase, type TestDatabase, ownClock } from '@ergon/dev-env/testing'
import { localRoles } from '@ergon/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aTask,
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { adminKey, asAdmin, expectShape } from './live-admin.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

const reason = 'It was asked for.'
let database: TestDatabase
let market: LiveMarket
/** Another process of the same service. */
let other: LiveMarket
let publisher: Party
let worker: Party

beforeAll(async () => {
  database = await createTestDatabase(serverSchema)
  const env = { SVC_ADMIN_KEY: adminKey, DATABASE_URL: database.url, SVC_RATE_ANON_PER_MIN: '1000' }
  market = await startLiveMarket(env, undefined, { withoutDuties: true })
  other = await startLiveMarket(env, market.rig, { withoutDuties: true })
  publisher = await market.party(50n)
  worker = await market.party(0n)
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await market[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function lockedJob() {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return job
}

const config = async (of: LiveMarket): Promise<Readonly<Record<string, unknown>>> =>
  expectShape('service.config', await of.get('/api/v1/config'))
const change = (key: string, value: unknown) =>
  asAdmin(market, 'PUT', '/api/v1/admin/config', { key, value, reason }, { 'x-admin-actor': 'ada' })

test('a whole wallet finds whoever has it, and nobody who took it for a name', async () => {
  const [party, impostor] = [await market.party(0n), await market.party(0n)]
  const known = { name: 'Ada', executor_type: 'agent' }
  expectStatus(await party.call('POST', '/api/v1/workers/register', known), 201)
  const named = { ...known, name: party.wallet.toLowerCase() }
  expectStatus(await impostor.call('POST', '/api/v1/workers/register', named), 201)
  const found = async (query: string): Promise<unknown> => {
    const { workers, total } = expectShape(
      'admin.workers',
      await asAdmin(market, 'GET', `/api/v1/admin/workers?${query}`),
    )
    return [(workers as readonly { readonly wallet_address: string }[]).map((one) => one.wallet_address), total]
  }
  const wallet = party.wallet.toLowerCase()
  expect(await found(`search=${party.wallet}`)).toEqual([[wallet], 1])
  expect(await found(`search=${party.wallet}&offset=1`)).toEqual([[], 1])
  expect(await found(`search=${party.wallet}&status=banned`)).toEqual([[], 0])
  expect(await found(`search=${wallet.slice(0, 12)}`)).toEqual([[impostor.wallet.toLowerCase()], 1])
})

describe('money (spec §4 Admin)', () => {
  test('differences between the books and the chains are read one by one, the oldest first', async () => {
    const { taskId } = await applied(publisher, worker)
    await queryDatabase(
      database.url,
      `insert into money_findings (kind, scope, subject, task_id, network, token, decimals, amount_atomic, detail,
        first_seen, last_seen, resolved_at) values
      ('orphaned', 'test', 'the younger', $1, 'localnet', 'USDC', 6, 1070000, 'held for a task that is over',
        '2026-11-21T10:00:00Z', '2026-11-21T10:05:00Z', null),
      ('mismatch', 'test', 'localnet:USDC', null, 'localnet', null, null, null, 'too little with the operator',
        '2026-11-21T09:00:00Z', '2026-11-21T10:05:00Z', null),
      ('stuck', 'test', 'gone', $1, 'localnet', null, null, null, 'it was in doubt',
        '2026-11-20T10:00:00Z', '2026-11-20T10:05:00Z', '2026-11-20T10:10:00Z')`,
      [taskId],
    )
    const read = async (query = ''): Promise<Readonly<Record<string, unknown>>> =>
      expectShape('admin.findings', await asAdmin(market, 'GET', `/api/v1/admin/findings${query}`))
    expect(await read()).toEqual({
      count: 2,
      has_more: false,
      offset: 0,
      findings: [
        {
          kind: 'mismatch',
          subject: 'localnet:USDC',
          task_id: null,
          settlement_id: null,
          network: 'localnet',
          token: null,
          amount_usd: null,
          detail: 'too little with the operator',
          first_seen_at: '2026-11-21T09:00:00.000Z',
          last_seen_at: '2026-11-21T10:05:00.000Z',
        },
        {
          kind: 'orphaned',
          subject: 'the younger',
          task_id: taskId,
          settlement_id: null,
          network: 'localnet',
          token: 'USDC',
          amount_usd: 1.07,
          detail: 'held for a task that is over',
          first_seen_at: '2026-11-21T10:00:00.000Z',
          last_seen_at: '2026-11-21T10:05:00.000Z',
        },
      ],
    })
    expect(await read('?limit=1')).toMatchObject({ count: 1, has_more: true })
    await queryDatabase(database.url, "delete from money_findings where scope = 'test'")
  })

  test('a sweep moves exactly the fees to the treasury, on chain, and a second one finds nothing', async () => {
    const treasury = localRoles.treasury.address
    const before = await market.balance(treasury)
    for (const bounty_usd of [1.07, 3]) {
      const job = await applied(publisher, worker, { bounty_usd })
      expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
      const submissionId = await submit(worker, job.taskId)
      expectStatus(
        await publisher.call(
          'POST',
          `/api/v1/submissions/${submissionId}/approve`,
          await approveFields(publisher, submissionId),
        ),
        200,
      )
    }
    // 13 % of 1070000, rounded down, and of 3000000.
    const fees = 139_100n + 390_000n
    const metrics = expectShape('admin.metrics', await asAdmin(market, 'GET', '/api/v1/admin/metrics'))
    expect(metrics).toMatchObject({
      tasks: { completed: 2 },
      money: {
        assets: [
          {
            network: 'localnet',
            token: 'USDC',
            fees_accrued_usd: 0.5291,
            fees_swept_usd: 0,
            paid_usd: 3.5409,
            locked_usd: 0,
          },
        ],
        findings_unresolved: 0,
      },
      settlements: { in_doubt: 0 },
    })
    expect((await market.balance(treasury)) - before).toBe(0n)
    const swept = expectShape(
      'admin.sweepFees',
      await asAdmin(
        market,
        'POST',
        '/api/v1/admin/fees/sweep',
        { network: 'localnet', reason },
        { 'x-admin-actor': 'ada' },
      ),
    )
    expect(swept['sweeps']).toEqual([
      {
        network: 'localnet',
        token: 'USDC',
        accrued_usd: 0.5291,
        state: 'swept',
        amount_usd: 0.5291,
        tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
      },
    ])
    expect((await market.balance(treasury)) - before).toBe(fees)
    expect(
      expectShape('admin.sweepFees', await asAdmin(market, 'POST', '/api/v1/admin/fees/sweep', {}))['sweeps'],
    ).toEqual([])
    expect(expectShape('admin.metrics', await asAdmin(market, 'GET', '/api/v1/admin/metrics'))).toMatchObject({
      money: { assets: [{ fees_accrued_usd: 0, fees_swept_usd: 0.5291 }] },
    })
    expect(
      expectShape('admin.audit', await asAdmin(market, 'GET', '/api/v1/admin/audit?subject=localnet:USDC'))['lines'],
    ).toMatchObject([{ actor: 'ada', action: 'fees.sweep', reason, before: { accrued_atomic: '529100' } }])
    expect((await asAdmin(market, 'POST', '/api/v1/admin/fees/sweep', { network: 'nowhere' })).body['code']).toBe(
      'NETWORK_NOT_ACCEPTED',
    )
  })

  test('a forced cancellation gives the payer everything back on chain; nothing is forced into accepted or completed', async () => {
    const before = await market.balance(publisher.wallet)
    const { taskId } = await lockedJob()
    const force = (status: string) => asAdmin(market, 'PUT', `/api/v1/admin/tasks/${taskId}`, { status, reason })
    for (const status of ['completed', 'submitted', 'published', 'disputed'])
      expect((await force(status)).body).toMatchObject({
        code: 'TASK_STATE_NOT_FORCEABLE',
        details: { asked: status },
      })
    expect(expectShape('admin.forceTask', await force('cancelled'))).toMatchObject({
      state: 'forced',
      task: { status: 'cancelled', escrow_status: 'refunded', refund_tx: expect.stringMatching(/^0x/) as string },
    })
    expect(await market.balance(publisher.wallet)).toBe(before)
    expect(expectShape('admin.forceTask', await force('cancelled'))['state']).toBe('unchanged')
    expect(
      expectShape(
        'admin.tasks',
        await asAdmin(market, 'GET', `/api/v1/admin/tasks?status=cancelled&search=${publisher.wallet}`),
      )['tasks'],
    ).toMatchObject([{ id: taskId }])
    const { lines } = expectShape('admin.audit', await asAdmin(market, 'GET', `/api/v1/admin/audit?subject=${taskId}`))
    expect(lines).toMatchObject([
      {
        actor: 'admin',
        action: 'task.force',
        before: { status: 'accepted', escrow_status: 'authorized' },
        after: { status: 'cancelled', refund: true },
        reason,
      },
    ])
  })

  test('a dispute that the operator opens is resolved like any other', async () => {
    const before = await market.balance(publisher.wallet)
    const { taskId } = await lockedJob()
    await submit(worker, taskId)
    expect(
      (await asAdmin(market, 'PUT', `/api/v1/admin/tasks/${taskId}`, { status: 'cancelled', reason })).body['code'],
    ).toBe('TASK_STATE_NOT_FORCEABLE')
    expectShape(
      'admin.forceTask',
      await asAdmin(market, 'PUT', `/api/v1/admin/tasks/${taskId}`, { status: 'disputed', reason }),
    )
    const { disputes } = expectShape(
      'disputes.list',
      await asAdmin(market, 'GET', `/api/v1/disputes?task_id=${taskId}`),
    ) as { disputes?: readonly { readonly id: string; readonly opened_by: string }[] } // the contract's output
    expect(disputes).toMatchObject([{ opened_by: 'admin', description: reason }])
    expectStatus(
      await asAdmin(
        market,
        'POST',
        `/api/v1/disputes/${String(disputes?.[0]?.id)}/resolve`,
        { verdict: 'refund', reason },
        { 'x-admin-actor': 'ada' },
      ),
      200,
    )
    expect(
      expectShape(
        'admin.audit',
        await asAdmin(market, 'GET', `/api/v1/admin/audit?subject=${String(disputes?.[0]?.id)}`),
      )['lines'],
    ).toMatchObject([{ actor: 'ada', action: 'dispute.resolve', after: { verdict: 'refund', split_pct: null } }])
    expect(await market.balance(publisher.wallet)).toBe(before)
  })
})

describe('settings of the running service (decision 0058)', () => {
  test('reach every process within two seconds, without a restart, and go back to what the deployment set', async () => {
    const ownMs = ownClock()
    expect(expectShape('admin.changeConfig', await change('bounty.max_usd', 2))).toMatchObject({
      key: 'bounty.max_usd',
      value: 2,
      default: 100,
      changed: true,
    })
    expect((await config(market))['max_bounty']).toBe(2)
    expect((await publisher.call('POST', '/api/v1/tasks', aTask({ bounty_usd: 3 }))).body).toMatchObject({
      code: 'INVALID_BOUNTY',
      details: { max: 2 },
    })
    await eventually(
      () => config(other),
      (seen) => seen['max_bounty'] === 2,
    )
    expect(await ownMs()).toBeLessThan(2_000)
    expectShape('admin.changeConfig', await change('bounty.max_usd', null))
    await eventually(
      () => config(other),
      (seen) => seen['max_bounty'] === 100,
    )
    expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask({ bounty_usd: 3 })), 201)
  })

  test('a rate limit holds from the next request on', async () => {
    const stranger = await market.party(0n)
    expectShape('admin.changeConfig', await change('rates.wallet_per_minute', 3))
    const statuses: number[] = []
    for (let call = 0; call < 5; call += 1) statuses.push((await stranger.call('GET', '/api/v1/health')).status)
    expectShape('admin.changeConfig', await change('rates.wallet_per_minute', null))
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect((await stranger.call('GET', '/api/v1/health')).status).toBe(200)
    expect(
      expectShape('admin.metrics', await asAdmin(market, 'GET', '/api/v1/admin/metrics'))['rate_limit_refusals'],
    ).toBe(2)
  })

  test('a feature that is off answers as one that is not there', async () => {
    expectShape('admin.changeConfig', await change('features.services', false))
    expect((await market.get('/api/v1/services')).body).toMatchObject({ code: 'FEATURE_DISABLED' })
    expect((await market.get('/api/v1/services')).status).toBe(404)
    expect((await config(market))['features']).toEqual(expect.objectContaining({ services: false, h2a: true }))
    expectShape('admin.changeConfig', await change('features.services', null))
    expect((await market.get('/api/v1/services')).status).toBe(200)
  })

  test.each([
    ['fee_bps', 0, 'CONFIG_NOT_CHANGEABLE'],
    ['payment_mode', 1, 'CONFIG_NOT_CHANGEABLE'],
    ['__proto__', 1, 'CONFIG_NOT_CHANGEABLE'],
    ['bounty.max_usd', 100.01, 'VALIDATION_FAILED'],
    ['bounty.max_usd', true, 'VALIDATION_FAILED'],
    ['bounty.min_usd', 0, 'VALIDATION_FAILED'],
    ['rates.anonymous_per_minute', 1.5, 'VALIDATION_FAILED'],
    ['rates.anonymous_per_minute', -1, 'VALIDATION_FAILED'],
    ['features.h2a', 1, 'VALIDATION_FAILED'],
    ['features.h2a', 'false', 'VALIDATION_FAILED'],
  ])('%s set to %j is refused with %s', async (key, value, code) => {
    const reply = await change(key, value)
    expect([reply.status, reply.body.code]).toEqual([422, code])
  })

  test('are listed with those that cannot change, and the log has every change with who made it', async () => {
    const body = expectShape('admin.readConfig', await asAdmin(market, 'GET', '/api/v1/admin/config'))
    expect(body['fixed']).toMatchObject({ fee_bps: 1300, payment_mode: 'fase2' })
    // The contract's output.
    expect((body['settings'] as readonly { readonly changed: boolean }[]).every(({ changed }) => !changed)).toBe(true)
    const { lines } = expectShape(
      'admin.audit',
      await asAdmin(market, 'GET', '/api/v1/admin/audit?subject=bounty.max_usd'),
    )
    expect(lines).toMatchObject([
      { actor: 'ada', action: 'config.set', before: { value: 2 }, after: { value: null }, reason },
      { before: { value: null }, after: { value: 2 } },
    ])
    expect(
      (
        await asAdmin(
          market,
          'PUT',
          '/api/v1/admin/config',
          { key: 'features.h2a', value: true, reason },
          { 'x-admin-actor': 'a'.repeat(101) },
        )
      ).status,
    ).toBe(422)
  })
})
