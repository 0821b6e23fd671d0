import { localRoles } from '@ergon/contracts'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc, startRig, type Rig } from '../adapters/rig.ts'
import { aTask, expectStatus, startLiveMarket } from './live-market.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** What registering strangers may cost whoever pays their gas (decision 0092). */
let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

const sent = async (): Promise<number> =>
  Number(await rpc(rig.chain.rpcUrl, 'eth_getTransactionCount', [localRoles.facilitator.address, 'latest']))
const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('an identity is registered last', () => {
  test('what is refused registers nobody, whatever is wrong with it', async () => {
    await using market = await startLiveMarket({}, rig)
    const publisher = await market.party(0n)
    const published = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask({ min_reputation: 90 })), 201)
    const listing = expectStatus(
      await publisher.call('POST', '/api/v1/services', {
        title: 'I translate menus',
        description: 'I will translate your menu for you.',
        category: 'content_generation',
        unit_price_usd: 1,
      }),
      201,
    )
    const before = await sent()
    const bodies: readonly (readonly [string, unknown])[] = [
      ['/api/v1/tasks', {}],
      ['/api/v1/tasks', aTask({ bounty_usd: 0.000001 })],
      [
        '/api/v1/tasks',
        aTask({
          title: 'I am selling my photos',
          instructions: 'I offer my services: hire me to take photos for you, pay me here.',
        }),
      ],
      ['/api/v1/tasks', aTask({ payment_network: 'base' })],
      [`/api/v1/tasks/${nobody}/apply`, {}],
      [`/api/v1/tasks/${String(published.body['id'])}/apply`, {}],
      [`/api/v1/tasks/${String(published.body['id'])}/submit`, { evidence: { text_response: 'It is open.' } }],
      [`/api/v1/services/${nobody}/order`, {}],
      [`/api/v1/services/${String(listing.body['id'])}/order`, { bounty_usd_override: 3 }],
      ['/api/v1/services', {}],
      ['/api/v1/workers/register', { executor_type: 'ghost' }],
    ]
    const codes = await Promise.all(
      bodies.map(async ([target, body]) => {
        const reply = await (await market.party(0n)).call('POST', target, body)
        return [target, reply.status < 400 || reply.status >= 500 ? reply.status : 'refused']
      }),
    )
    expect(codes).toEqual(bodies.map(([target]) => [target, 'refused']))
    expect((await sent()) - before).toBe(0)
  })
})

describe('the registrations of a day', () => {
  test('are bounded for one address, through a restart, and known wallets go on', async () => {
    await using database = await createTestDatabase(serverSchema)
    const env = { DATABASE_URL: database.url, SVC_REGISTER_PER_ADDRESS: '2' }
    let first
    {
      await using market = await startLiveMarket(env, rig)
      first = await market.party(0n)
      expectStatus(await first.call('POST', '/api/v1/tasks', aTask()), 201)
      expectStatus(await (await market.party(0n)).call('POST', '/api/v1/reputation/register', {}), 201)
      const refused = expectStatus(await (await market.party(0n)).call('POST', '/api/v1/tasks', aTask()), 429)
      expect(refused.body).toMatchObject({
        code: 'RATE_LIMITED',
        details: { limit: 2, remaining: 0, reset_at: expect.stringMatching(/T00:00:00.000Z$/) as string },
      })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expectStatus(await first.call('POST', '/api/v1/tasks', aTask()), 201)
    }
    await using again = await startLiveMarket(env, rig)
    expect(expectStatus(await (await again.party(0n)).call('POST', '/api/v1/tasks', aTask()), 429).body.code).toBe(
      'RATE_LIMITED',
    )
    expect((await again.get('/api/v1/health/identity')).body).toMatchObject({
      status: 'healthy',
      registrations: { today: 2, limit: 2_000 },
    })
  })

  test('are bounded in all, and health says so', async () => {
    await using market = await startLiveMarket({ SVC_REGISTER_PER_DAY: '1' }, rig)
    expectStatus(await (await market.party(0n)).call('POST', '/api/v1/tasks', aTask()), 201)
    const before = await sent()
    const refused = expectStatus(await (await market.party(0n)).call('POST', '/api/v1/tasks', aTask()), 503)
    expect(refused.body).toMatchObject({ code: 'GAS_BUDGET_SPENT', details: { limit: 1, remaining: 0 } })
    expect((await market.get('/api/v1/health/identity')).body).toMatchObject({
      status: 'degraded',
      registrations: { today: 1, limit: 1 },
    })
    expect((await sent()) - before).toBe(0)
  })

  test('one wallet that asks again on the same day is counted once', async () => {
    await using database = await createTestDatabase(serverSchema)
    await using market = await startLiveMarket({ DATABASE_URL: database.url, SVC_REGISTER_PER_ADDRESS: '1' }, rig)
    const party = await market.party(0n)
    await rig.facilitatorLine.close()
    expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 503)
    await rig.facilitatorLine.open()
    expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201)
    expectStatus(await (await market.party(0n)).call('POST', '/api/v1/tasks', aTask()), 429)
  })
})
