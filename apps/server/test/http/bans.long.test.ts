import { a2aPath, operations, pathFields, takesSession, type Operation, type RestBinding } from '@ergon/contract'
import { request } from 'node:http'
import { createTestDatabase, type TestDatabase, ownClock } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { signed } from '../dispatch/tiny-service.ts'
import { aTask, eventually, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'
import { adminKey, asAdmin, expectShape } from './live-admin.ts'
import { signedIn, type Person } from './live-people.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

let database: TestDatabase
let market: LiveMarket
let other: LiveMarket
let banned: Party
let person: Person
let bystander: Party

const ban = (who: string, isBanned = true) =>
  asAdmin(
    market,
    'PUT',
    `/api/v1/admin/workers/${who}/ban`,
    { banned: isBanned, reason: 'Fake evidence.' },
    { 'x-admin-actor': 'ada' },
  )

beforeAll(async () => {
  database = await createTestDatabase(serverSchema)
  const env = { SVC_ADMIN_KEY: adminKey, DATABASE_URL: database.url, SVC_PUBLISH_PER_HOUR: '0' }
  market = await startLiveMarket(env)
  other = await startLiveMarket(env, market.rig)
  banned = await market.party(0n)
  bystander = await market.party(0n)
  expectStatus(await (await signedIn(market, banned)).call('POST', '/api/v1/workers/register', {}), 201)
  expectShape('admin.ban', await ban(banned.wallet))
  // Signing in is open: without it a person could not fetch or delete what is kept of them.
  person = await signedIn(market, banned)
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await market[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** The operations that a banned wallet keeps, written by hand. */
const kept = [
  'account.export',
  'account.remove',
  'auth.closeSession',
  'cashOuts.get',
  'cashOuts.list',
  'channels.close',
  'channels.get',
  'escrow.reclaim',
  'grants.list',
  'grants.log',
  'grants.revoke',
  'grants.revokeAll',
  'payments.balance',
  'payments.events',
  'payments.get',
  'streams.stop',
  'tasks.escrow',
  'taximetro.history',
  'taximetro.stream',
  'workers.earnings',
]
/** Sections that are off here: what is switched off answers nobody, whoever asks. */
const off: readonly string[] = ['channels', 'meters', 'places', 'streams', 'taximetro']
/** Notices by mail are off, too: no setting names a mail server here. */
const isOff = (name: string, section: string): boolean => off.includes(section) || name.startsWith('mail.')
const refusals = (name: string, section: string): readonly (readonly [number, string])[] =>
  isOff(name, section)
    ? [
        [404, 'FEATURE_DISABLED'],
        [501, 'NOT_WIRED'],
      ]
    : [[403, 'WALLET_BLOCKED']]
const calls = Object.entries<Operation>(operations).flatMap(([name, operation]) =>
  operation.rest.map((binding) => [`${binding.method} ${binding.path}`, name, operation, binding] as const),
)

function targetOf({ path }: RestBinding): string {
  return pathFields(path).reduce(
    (target, field) =>
      target.replace(`{${field}}`, field === 'wallet' ? banned.wallet : '01950000-0000-7000-8000-000000000001'),
    path,
  )
}

async function ask(as: Party, binding: RestBinding): Promise<Reply> {
  return as.call(
    binding.method,
    targetOf(binding),
    binding.method === 'GET' || binding.method === 'DELETE' ? undefined : {},
  )
}

/** Resolves once the stream is open; the answer resolves with all it told when the service ends it. */
async function openStream(
  target: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<() => Promise<string>> {
  const { port } = new URL(market.url)
  const [open, end] = [Promise.withResolvers<undefined>(), Promise.withResolvers<string>()]
  const method = body === undefined ? 'GET' : 'POST'
  const outgoing = request({ host: '127.0.0.1', port, path: target, method, headers, agent: false }, (incoming) => {
    let told = ''
    incoming.on('data', (chunk: Buffer) => {
      told += chunk.toString()
      open.resolve(undefined)
    })
    incoming.on('end', () => {
      end.resolve(told)
    })
  })
  outgoing.on('error', (error) => {
    open.reject(error)
  })
  outgoing.end(body)
  await open.promise
  return () => end.promise
}

describe('a banned wallet (decision 0057)', () => {
  test('keeps exactly what the contract says it keeps', () => {
    const admitted = calls
      .filter(([, , { access }]) => access.by !== 'admin' && access.banned === 'admitted')
      .map(([, name]) => name)
    expect([...new Set(admitted)].sort()).toEqual(kept)
  })

  // Forgetting the account comes last, in a test of its own.
  test.each(calls.filter(([, name]) => name !== 'account.remove' && name !== 'auth.closeSession'))(
    '%s signed',
    async (_route, name, operation, binding) => {
      const reply = await ask(banned, binding)
      if (operation.access.by === 'admin') expect(reply.body['code']).toBe('INVALID_API_KEY')
      else if (kept.includes(name)) expect(reply.body['code']).not.toBe('WALLET_BLOCKED')
      else expect(refusals(name, operation.section)).toContainEqual([reply.status, reply.body['code']])
    },
  )

  test.each(calls.filter(([, name, { access }]) => takesSession(access) && !kept.includes(name)))(
    '%s over a session',
    async (_route, name, operation, binding) => {
      const reply = await ask(person, binding)
      expect(refusals(name, operation.section)).toContainEqual([reply.status, reply.body['code']])
    },
  )

  test('is shut out of the other processes within two seconds, and let in again', async () => {
    const stranger = await market.party(0n)
    const there = async () =>
      (
        await send(
          other.url,
          'GET',
          '/api/v1/health',
          await signed('GET', '/api/v1/health', undefined, { key: stranger.key }),
        )
      ).status
    expect(await there()).toBe(200)
    const ownMs = ownClock()
    expectShape('admin.ban', await ban(stranger.wallet))
    expect((await stranger.call('GET', '/api/v1/health')).status).toBe(403)
    await eventually(there, (status) => status === 403)
    expect(await ownMs()).toBeLessThan(2_000)
    expectShape('admin.ban', await ban(stranger.wallet, false))
    expect((await stranger.call('GET', '/api/v1/health')).status).toBe(200)
    await eventually(there, (status) => status === 200)
  })

  test('loses the stream that it had open', async () => {
    const listener = await market.party(0n)
    const target = '/api/v1/events/stream?scope=public'
    const ended = await openStream(target, await signed('GET', target, undefined, { key: listener.key }))
    expectShape('admin.ban', await ban(listener.wallet))
    // Something happens, and the stream looks at its door before it goes on.
    expectStatus(await bystander.call('POST', '/api/v1/tasks', aTask()), 201)
    expect(await ended()).not.toContain('task.created')
  })

  test('loses the task that it followed as an agent', async () => {
    const listener = await market.party(0n)
    const task = expectStatus(await bystander.call('POST', '/api/v1/tasks', aTask()), 201)
    const params = { id: task.body['id'] }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params })
    const ended = await openStream(a2aPath, await signed('POST', a2aPath, body, { key: listener.key }), body)
    expectShape('admin.ban', await ban(listener.wallet))
    expectStatus(await bystander.call('DELETE', `/api/v1/tasks/${String(task.body['id'])}`), 200)
    const told = await ended()
    expect(told).toContain(String(task.body['id']))
    expect(told).not.toContain('status-update')
  })

  test('fetches what is kept of it, leaves, and is no less banned', async () => {
    expect((await banned.call('GET', '/api/v1/account/export')).status).toBe(200)
    expectStatus(await person.call('DELETE', '/api/v1/auth/session'), 200)
    expectStatus(await banned.call('DELETE', '/api/v1/account'), 200)
    expect((await banned.call('GET', '/api/v1/tasks')).status).toBe(403)
    expect(
      expectShape(
        'admin.workers',
        await asAdmin(market, 'GET', `/api/v1/admin/workers?status=banned&search=${banned.wallet}`),
      ),
    ).toMatchObject({ total: 1, workers: [{ status: 'banned', banned_by: 'ada' }] })
  })
})
