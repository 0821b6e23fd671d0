import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { createTestDatabase, type TestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOAuthStore, createPool, type PostgresOAuthStore } from '../../src/adapters/postgres/index.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** Decision 0309: what a tool that renews in a loop leaves behind. */
const walletOf = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`
const dayMs = 86_400_000
const at = new Date('2026-11-29T12:00:00Z')
let database: TestDatabase
let pool: Pool
let store: PostgresOAuthStore
beforeAll(async () => {
  database = await createTestDatabase(serverSchema)
  pool = createPool(database.url)
  store = createOAuthStore(pool)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const refresh = (hash: string, now = at) => ({ hash, expiresAt: new Date(now.getTime() + 30 * dayMs) })

/** A grant whose code was redeemed; its first refresh token is its id. */
async function grantOf(wallet: `0x${string}`): Promise<string> {
  const id = randomUUID()
  await pool.query(
    `insert into oauth_grants (id, client_id, client_name, wallet, chain_id, scopes, resource, redirect_uri, challenge,
        code_hash, code_expires_at, created_at, used_at, expires_at)
      values ($1, 'tool', 'A tool', $2, 8453, '{agent:read}', 'r', 'u', 'c', $1, $3::timestamptz + interval '1 minute',
        $3, $3, $3::timestamptz + interval '180 days')`,
    [id, wallet, at],
  )
  expect(await store.redeem(id, refresh(id), at)).toBe(true)
  return id
}

/** Renews until it may no more; answers the last token, and how often. */
async function renewed(first: string, now = at) {
  let [last, times] = [first, 0]
  for (; times < 1_000; times += 1) {
    const next = randomUUID()
    if ((await store.rotate(last, 'tool', refresh(next, now), now)) === null) break
    last = next
  }
  return { last, times }
}

test('a grant is renewed three hundred times in a day: its token stays good, and others are not in its way', async () => {
  const [id, other] = [await grantOf(walletOf('a')), await grantOf(walletOf('b'))]
  const { last, times } = await renewed(id)
  expect(times).toBe(300)
  expect(await store.findRefresh(last, at)).toMatchObject({ isUsed: false, isSpent: true })
  expect(await store.rotate(other, 'tool', refresh(randomUUID()), at)).toMatchObject({ id: other })
  const tomorrow = new Date(at.getTime() + dayMs + 1)
  expect(await store.findRefresh(last, tomorrow)).toMatchObject({ isUsed: false, isSpent: false })
  expect(await store.rotate(last, 'tool', refresh(randomUUID(), tomorrow), tomorrow)).toMatchObject({ id })
})

test('all renewals of a day are one line of its owner, which is counted and is the latest', async () => {
  const wallet = walletOf('c')
  const id = await grantOf(wallet)
  const { last, times } = await renewed(id)
  const tomorrow = new Date(at.getTime() + dayMs + 1)
  await store.rotate(last, 'tool', refresh(randomUUID(), tomorrow), tomorrow)
  const log = await store.logOf(wallet, null, 10, 0)
  expect(log.map(({ kind, times: counted }) => [kind, counted])).toEqual([
    ['token_renewed', 1],
    ['token_renewed', times],
    ['token_issued', 1],
  ])
})
