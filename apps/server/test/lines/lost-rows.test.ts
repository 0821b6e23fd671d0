import { randomBytes, randomUUID } from 'node:crypto'
import { filterData } from '@ergon/core'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  createAccountProofs,
  createLinkedSigners,
  createMailSubscriptions,
  createOAuthStore,
  createPool,
  createPostgresStore,
  createPushSubscriptions,
  createIsProven,
  createRegistrationBudget,
  createSessionStore,
  joinServers,
  migrate,
  ownMigrations,
} from '../../src/adapters/postgres/index.ts'
import { createSealedText } from '../../src/adapters/sealed-text.ts'
import type { TcpProxy } from '../adapters/tcp-proxy.ts'
import { openStageDatabase, type StageDatabase } from '../market/stage-database.ts'
import { lineTo } from './line-to-database.ts'

/**
 * Rows that are written beside all money: each write is committed and its answer lost. Whoever asked does the same
 * again, and what is there then is as if nothing had been lost, or runs out.
 */
const stack = new AsyncDisposableStack()
let database: StageDatabase
let line: TcpProxy
let pool: Pool
beforeAll(async () => {
  database = await openStageDatabase()
  stack.defer(() => database.drop())
  const to = await lineTo(database.databaseUrl)
  line = stack.use(to.line)
  pool = createPool(to.url)
  stack.defer(() => pool.end())
})
afterAll(() => stack.disposeAsync())

const count = async (table: string, where: string, value: unknown): Promise<number> =>
  Number(
    (await database.pool.query<{ n: string }>(`select count(*) n from ${table} where ${where}`, [value])).rows[0]?.n,
  )

/** Does it, and loses the answer to this statement; what is thrown says that nobody knows. */
async function losing(statement: string, work: () => Promise<unknown>): Promise<void> {
  const loss = line.loseAnswerTo(statement)
  await expect(work()).rejects.toMatchObject({ code: expect.stringMatching(/OUTCOME_UNKNOWN|SERVICE_BUSY/) as string })
  expect(loss.hasHappened()).toBe(true)
}

const browser = (name: string) => ({
  wallet: `0x${name.padEnd(40, '0')}`,
  endpoint: `https://push.example/${name}`,
  p256dh: 'p',
  auth: 'a',
  kinds: ['money'] as const,
  language: 'en' as const,
})
const claiming = { most: 10, leaseMs: 300, perLane: 5, underWay: new Map<string, number>() }

test('a browser that subscribes is there once, one that leaves is gone', async () => {
  const subscriptions = createPushSubscriptions(pool)
  const one = browser('a1')
  await losing('push-subscription-put', () => subscriptions.put(one, 'place', 10))
  const [kept] = await subscriptions.list(one.wallet)
  expect(await subscriptions.put(one, 'later', 10)).toMatchObject({ id: kept?.id })
  expect(await subscriptions.list(one.wallet)).toHaveLength(1)
  await losing('push-subscription-remove', () => subscriptions.remove(one.wallet, kept?.id ?? ''))
  expect(await subscriptions.remove(one.wallet, kept?.id ?? '')).toBe(false)
  expect(await subscriptions.list(one.wallet)).toEqual([])
})

test('a browser that was claimed is due again after its lease, from the place it had; what was heard is not told again', async () => {
  const subscriptions = createPushSubscriptions(pool)
  const { id } = await subscriptions.put(browser('a2'), 'first', 10)
  const claimed = async () => (await subscriptions.claim(claiming)).filter((one) => one.id === id)
  const dueAgain = () =>
    vi.waitFor(
      async () => {
        const [one] = await claimed()
        if (one === undefined) throw new Error('it is not due yet')
        return one
      },
      { timeout: 20_000 },
    )
  await losing('subscriptions-claim', claimed)
  const held = await dueAgain()
  expect(held).toMatchObject({ place: 'first' })
  await losing('subscriptions-heard', () => subscriptions.heard(held, 'second', 0, 0))
  expect(await dueAgain()).toMatchObject({ place: 'second', attempts: 0 })
  await subscriptions.remove(browser('a2').wallet, id)
})

test('an address for mails is there once, is confirmed once, and one that stopped is gone', async () => {
  const mails = createMailSubscriptions(pool)
  const asked = { ...browser('a3'), address: 'lost@mail.example' }
  await losing('mail-subscription-put', () => mails.put(asked, true))
  const kept = await mails.find(asked.wallet)
  expect(await mails.put(asked, false)).toMatchObject({ id: kept?.id, confirmedAt: null })
  const id = kept?.id ?? ''
  await losing('mail-subscription-asked', () => mails.asked(id))
  await losing('mail-subscription-confirm', () => mails.confirm(id, 'first'))
  const confirmed = await mails.find(asked.wallet)
  expect([await mails.confirm(id, 'second'), await mails.find(asked.wallet)]).toEqual([true, confirmed])
  const [due] = await mails.claim(claiming)
  expect(due).toMatchObject({ id, place: 'first' })
  await losing('mail-subscription-stop', () => mails.stop(id))
  expect([await mails.stop(id), await mails.find(asked.wallet)]).toEqual([false, null])
})

test('a search is saved once in its place, and what a look found is told once', async () => {
  const [store, now, wallet] = [createPostgresStore(pool, { identityNetwork: 'localnet' }), new Date(), '0xsearching']
  const filter = { category: null, network: null, target: null, minBountyUsd: null, maxBountyUsd: null, box: null }
  const of = { wallet, slot: 1, name: 'Gates', filter: { ...filter, words: null, allParties: false } } as const
  const saved = {
    ...of,
    party: 'human',
    savedAt: now,
    endsAt: now,
    toldAt: null,
    seen: randomUUID(),
    dueAt: now,
  } as const
  await losing('search-put', () => store.putSearch(saved))
  expect(await store.putSearch({ ...saved, name: 'Doors' })).toMatchObject({ name: 'Doors', seen: saved.seen })
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  await losing('searches-lease', () => store.leaseSearches(now, later(1), 5))
  const [held] = await store.leaseSearches(later(2), later(60_000), 5)
  if (held === undefined) throw new Error('nothing is due')
  const end = { seen: randomUUID(), dueAt: later(120_000), toldAt: now }
  const tell = () =>
    store.transaction(async (tx) => {
      if (!(await tx.endLook(held, end))) return
      const data = { slot: 1, name: 'Doors', filter: filterData(of.filter), task_ids: [], has_more: false }
      await tx.tellWallet(wallet, { id: randomUUID(), type: 'search.found', at: now, data })
    })
  await losing('commit\0', tell)
  await tell()
  expect(await count('event_recipients', 'wallet = $1', wallet)).toBe(1)
  const [next] = await store.leaseSearches(later(120_001), later(180_000), 5)
  if (next === undefined) throw new Error('nothing is due')
  const rest = { ...next, seen: randomUUID(), dueAt: later(240_000), toldAt: null }
  await losing('searches-rest', () => store.restSearches([rest]))
  await store.restSearches([{ ...rest, seen: randomUUID() }])
  expect(await store.searches(wallet)).toMatchObject([{ seen: rest.seen }])
  await losing('search-remove', () => store.removeSearch(wallet, 1))
  expect([await store.removeSearch(wallet, 1), await store.searches(wallet)]).toEqual([false, []])
})

test('a picture is set once, in the place of the one before, and removed once', async () => {
  const [store, id, now] = [createPostgresStore(pool, { identityNetwork: 'localnet' }), randomUUID(), new Date()]
  await store.putWorker({ id, wallet: '0xshowing', at: now })
  const put = (text: string) => store.putPicture(id, Buffer.from(text), now)
  await losing('picture-put', () => put('one'))
  const name = (await put('one')) ?? ''
  expect((await store.worker(id))?.picture).toBe(name)
  await losing('picture-put', () => put('two'))
  expect([await store.picture(name), await count('worker_pictures', 'executor_id = $1', id)]).toEqual([null, 1])
  await losing('picture-remove', () => store.removePicture(id))
  expect([await store.removePicture(id), (await store.worker(id))?.picture]).toEqual([false, null])
  expect(await count('worker_pictures', 'executor_id = $1', id)).toBe(0)
})

test('a client of tools, a sign-in and a session that nobody holds run out; who begins anew is let in', async () => {
  const [oauth, sessions, now] = [createOAuthStore(pool), createSessionStore(pool), new Date()]
  const later = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000)
  const client = () => ({ id: randomUUID(), name: 'Tool', redirectUris: ['https://tool.example/'], createdAt: now })
  await losing('commit\0', () => oauth.putClient(client(), '127.0.0.1'))
  const held = client()
  expect(await oauth.putClient(held, '127.0.0.1')).toBe(true)
  expect(await oauth.findClient(held.id)).toMatchObject({ name: 'Tool' })
  expect(await count('oauth_clients', 'name = $1', 'Tool')).toBe(2)
  const signIn = () => ({
    rid: randomUUID(),
    clientId: held.id,
    clientName: 'Tool',
    clientHost: 'tool.example',
    redirectUri: 'https://tool.example/',
    state: 's',
    scopes: ['task:read'],
    resource: 'https://market.example',
    challenge: 'c',
    csrfHash: 'h',
    expiresAt: later(1),
  })
  await losing('oauth-putSignIn', () => oauth.putSignIn(signIn()))
  const begun = signIn()
  await oauth.putSignIn(begun)
  await losing('oauth-decide', () => oauth.decide(begun.rid, { kind: 'denied' }, now))
  // A second answer to the same page changes nothing, and the browser is sent back as the first one said.
  expect(await oauth.decide(begun.rid, { kind: 'denied' }, now)).toBe(false)
  expect(await oauth.finish(begun.rid, null, now)).toBe(true)
  const session = () => ({ sid: randomUUID(), wallet: '0x1', chainId: 1, createdAt: now, expiresAt: later(1) })
  await losing('session-put', () => sessions.put(session()))
  const own = session()
  await sessions.put(own)
  expect(await sessions.isOpen(own.sid, now)).toBe(true)
  await losing('session-end', () => sessions.end(own.sid))
  await sessions.end(own.sid)
  expect(await sessions.isOpen(own.sid, now)).toBe(false)
  await oauth.purge(later(48), 100)
  await sessions.purge(later(48), 100)
  for (const [table, where, value] of [
    ['oauth_clients', 'name = $1', 'Tool'],
    ['oauth_sign_ins', 'client_id = $1', held.id],
    ['sessions', 'wallet = $1', '0x1'],
  ] as const)
    expect([table, await count(table, where, value)]).toEqual([table, 0])
})

test('a signing key that was begun and not heard of signs in its turn, and one more may follow it', async () => {
  const [oauth, now] = [createOAuthStore(pool), new Date()]
  const before = await oauth.signingEpochs(now)
  const until = new Date(now.getTime() + 3_600_000)
  await losing('oauth-newEpoch', () => oauth.rotateKeys(now, until))
  const epoch = await oauth.rotateKeys(now, until)
  const shown = await oauth.signingEpochs(now)
  expect(shown.map((one) => one.epoch)).toEqual([...before.map((one) => one.epoch), epoch - 1, epoch])
  expect(shown.at(-1)?.shownUntil).toBeNull()
})

test('a signer is linked again in its place, and what it was asked to sign is asked once', async () => {
  const [signers, wallet] = [createLinkedSigners(pool, createSealedText(randomBytes(32))), '0xlinked']
  await losing('linked-link', () => signers.link(wallet, 'first'))
  await signers.link(wallet, 'second')
  expect(await signers.find(wallet)).toEqual({ secret: 'second' })
  const goodUntil = new Date(Date.now() + 60_000)
  const request = () => ({ id: randomUUID(), wallet, subject: 'a lock', asked: 'sign this', goodUntil })
  await losing('linked-begin', () => signers.begin(request()))
  const first = await signers.openRequest(wallet, 'a lock')
  expect(await signers.begin(request())).toEqual(first)
  await losing('linked-signed', () => signers.signed(first?.id ?? '', '0xsigned'))
  expect(await signers.openRequest(wallet, 'a lock')).toMatchObject({ id: first?.id, signature: '0xsigned' })
  await losing('linked-drop', () => signers.drop(first?.id ?? ''))
  expect(await signers.openRequest(wallet, 'a lock')).toBeNull()
  await losing('linked-unlink', () => signers.unlink(wallet))
  expect([await signers.unlink(wallet), await signers.find(wallet)]).toEqual([false, null])
})

test('an account is begun by the first proof, whoever heard of it; a registration is counted once a day', async () => {
  const [proofs, wallet] = [createAccountProofs(pool), '0xbegun']
  await losing('account-begin', () => proofs.begin(wallet, 'key'))
  expect(await proofs.begin(wallet, 'contract@eip155:1')).toEqual({ proof: 'key', hasActed: false })
  await losing('account-keep', () => proofs.keep(wallet))
  expect(await proofs.find(wallet)).toEqual({ proof: 'key', hasActed: true })
  const budget = createRegistrationBudget(pool, { perAddress: 1, inAll: 5 }, createIsProven(pool))
  const asked = { network: 'localnet', wallet, from: '127.0.0.1' }
  await losing('commit\0', () => budget.take(asked))
  expect([await budget.take(asked), await budget.today()]).toEqual([null, 1])
  expect(await budget.take({ ...asked, wallet: '0xother' })).toMatchObject({ by: 'address' })
})

test('a server that enters, and a step of the schema, are there once when they are tried again', async () => {
  const joining = { id: randomUUID(), version: '1', facts: { SVC_MODE: 'x' }, onError: () => undefined }
  const loss = line.loseAnswerTo('commit\0')
  await expect(joinServers(pool, joining)).rejects.toThrow('Connection terminated')
  expect(loss.hasHappened()).toBe(true)
  await (await joinServers(pool, joining))[Symbol.asyncDispose]()
  expect(await count('servers', 'id = $1', joining.id)).toBe(0)
  // The one that entered and fell over disagrees with nobody who has the same facts.
  const fallen = line.loseAnswerTo('commit\0')
  await expect(joinServers(pool, joining)).rejects.toThrow('Connection terminated')
  expect(fallen.hasHappened()).toBe(true)
  await using other = await joinServers(pool, { ...joining, id: randomUUID() })
  expect(other.unwrittenMs()).toBeLessThan(60_000)
  expect(await count('servers', 'id = $1', joining.id)).toBe(1)

  const steps = [...ownMigrations(), { name: '9901-lost', sql: 'create table lost_once (n int)' }]
  const lost = line.loseAnswerTo('commit\0')
  await expect(migrate(pool, { steps })).rejects.toThrow('Connection terminated')
  expect(lost.hasHappened()).toBe(true)
  await migrate(pool, { steps })
  expect(await count('migrations', 'name = $1', '9901-lost')).toBe(1)
  expect(await count('lost_once', '$1::int is null', 1)).toBe(0)
})
