import { expect, test } from 'vitest'
import {
  createNotes,
  createOwnGrants,
  type GrantLogEntry,
  type OwnGrant,
  type OwnGrantStore,
  type RevokedFor,
} from '../src/index.ts'

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 23) + seconds * 1_000)
const grant: OwnGrant = {
  id: 'one',
  clientId: 'https://editor.example:8443/client.json',
  clientName: 'Editor',
  address: '0x00000000000000000000000000000000000000aa',
  chainId: 1,
  scopes: ['task:read', 'agent:approve'],
  limits: { maxCents: 500n, maxCount: 3 },
  resource: 'https://tools.example/mcp',
  redirectUri: 'cursor://anysphere.cursor-mcp/callback',
  createdAt: at(0),
  codeExpiresAt: at(60),
  fetchedAt: at(10),
  usedAt: at(20),
  expiresAt: at(10_000),
  revokedAt: null,
  revokedFor: null,
  approvals: 1,
}

async function seen(change: Partial<OwnGrant>, seconds: number) {
  const store: OwnGrantStore & { revoke: () => Promise<void> } = {
    grantsOf: () => Promise.resolve([{ ...grant, ...change }]),
    countGrantsOf: () => Promise.resolve(1),
    grantOf: () => Promise.resolve(null),
    liveGrantsOf: () => Promise.resolve([]),
    logOf: () => Promise.resolve([]),
    revoke: () => Promise.resolve(),
  }
  const { rows } = await createOwnGrants({ store, now: () => at(seconds) }).list(grant.address, { limit: 1, offset: 0 })
  return rows[0]
}

test.each([
  ['live', {}, 30],
  ['live', {}, 9_999],
  ['expired', {}, 10_000],
  ['waiting', { fetchedAt: null }, 59],
  ['unused', { fetchedAt: null }, 60],
  ['revoked', { revokedAt: at(5), revokedFor: 'revoked_by_client' as RevokedFor, expiresAt: at(6) }, 30],
] as const)('a grant is %s', async (state, change, seconds) => {
  expect((await seen(change, seconds))?.state).toBe(state)
})

test.each([
  ['what was allowed less what was made', {}, 30, 2],
  ['until the one token that approves ends', {}, 909, 2],
  ['nothing then', {}, 910, 0],
  ['everything before it is fetched', { fetchedAt: null, approvals: 0 }, 30, 3],
  ['nothing when it was never fetched', { fetchedAt: null, approvals: 0 }, 60, 0],
  ['nothing of what was taken back', { revokedAt: at(20) }, 30, 0],
  ['never less than nothing', { approvals: 4 }, 30, 0],
] as const)('of its approvals is left %s', async (_what, change, seconds, left) => {
  expect((await seen(change, seconds))?.capLeft).toMatchObject({ maxCents: 500n, maxCount: 3, left })
})

test('a grant names the host of its document and where it went back to', async () => {
  expect(await seen({}, 30)).toMatchObject({ clientHost: 'editor.example:8443', redirectHost: 'cursor:' })
  expect(await seen({ clientId: 'registered', limits: null }, 30)).toMatchObject({ clientHost: null, capLeft: null })
})

/** A store with so many grants and notes, which answers what is asked of it. */
function storeOf(count: number, asked: unknown[] = []): OwnGrantStore & { revoke: () => Promise<void> } {
  const some = <T>(make: (at: number) => T, limit: number): T[] =>
    Array.from({ length: Math.min(count, limit) }, (_none, index) => make(index))
  return {
    grantsOf: (_wallet, limit, offset) => {
      asked.push([limit, offset])
      return Promise.resolve(some((index) => ({ ...grant, id: String(index) }), limit))
    },
    countGrantsOf: () => Promise.resolve(count),
    grantOf: () => Promise.resolve(null),
    liveGrantsOf: () => Promise.resolve([]),
    logOf: (_wallet, before, limit, offset) => {
      asked.push([before, limit, offset])
      return Promise.resolve(some((index) => ({ id: BigInt(900 - index) }) as GrantLogEntry, limit))
    },
    revoke: () => Promise.resolve(),
  }
}

test.each([
  [0, 0, false],
  [2, 2, false],
  [3, 2, true],
])('of %i grants a page of two shows %i, and says whether there are more', async (count, shown, hasMore) => {
  const asked: unknown[] = []
  const own = createOwnGrants({ store: storeOf(count, asked), now: () => at(30) })
  const page = await own.list(grant.address, { limit: 2, offset: 7 })
  expect([page.rows.length, page.total, page.hasMore]).toEqual([shown, count, hasMore])
  expect(asked).toEqual([[3, 7]])
})

test.each([
  [0, 0, null],
  [2, 2, null],
  [3, 2, 899n],
])('of %i notes a page of two shows %i, and says where the next begins', async (count, shown, next) => {
  const asked: unknown[] = []
  const own = createOwnGrants({ store: storeOf(count, asked), now: () => at(30) })
  const page = await own.log(grant.address, { limit: 2, offset: 7, before: null })
  expect([page.rows.length, page.next]).toEqual([shown, next])
  await own.log(grant.address, { limit: 2, offset: 7, before: 5n })
  // What begins after a note passes over none.
  expect(asked).toEqual([
    [null, 3, 7],
    [5n, 3, 0],
  ])
})

test('a wallet takes nothing back that it never gave', async () => {
  expect(await createOwnGrants({ store: storeOf(0), now: () => at(30) }).revoke(grant.address, 'x')).toBeNull()
})

test('taking back everything goes on until a batch is not full, and then ends', async () => {
  const left = new Set(Array.from({ length: 250 }, (_none, index) => String(index)))
  const asked: number[] = []
  const own = createOwnGrants({
    now: () => at(0),
    store: {
      grantsOf: () => Promise.resolve([]),
      countGrantsOf: () => Promise.resolve(0),
      grantOf: () => Promise.resolve(null),
      logOf: () => Promise.resolve([]),
      liveGrantsOf: (_wallet, _now, limit) => {
        asked.push(left.size)
        return Promise.resolve([...left].slice(0, limit))
      },
      revoke: (id) => Promise.resolve(void left.delete(id)),
    },
  })
  expect(await own.revokeAll(grant.address)).toBe(250)
  expect(asked).toEqual([250, 150, 50])
})

test('a note is written once a minute, and what comes while one is written goes together', async () => {
  let elapsed = 0
  const written: (readonly string[])[] = []
  const gate = Promise.withResolvers<undefined>()
  const faults: unknown[] = []
  const notes = createNotes<string>({
    elapsedMs: () => elapsed,
    onError: (error) => faults.push(error),
    async write(items) {
      written.push(items)
      if (written.length === 1) await gate.promise
      if (written.length === 2) throw new Error('no line')
    },
  })
  notes.note('a', 'a')
  for (const key of ['a', 'b', 'c', 'b']) notes.note(key, key)
  expect(written).toEqual([['a']])
  gate.resolve(undefined)
  await notes[Symbol.asyncDispose]()
  expect(written).toEqual([['a'], ['b', 'c']])
  expect(faults).toHaveLength(1)
  elapsed = 59_999
  notes.note('a', 'a')
  elapsed = 60_000
  notes.note('a', 'a')
  await notes[Symbol.asyncDispose]()
  expect(written).toEqual([['a'], ['b', 'c'], ['a']])
})

test('what is too much is left out: a statement takes 500 notes, and 5,000 wait at the most', async () => {
  const sizes: number[] = []
  const notes = createNotes<number>({
    elapsedMs: () => 0,
    onError: () => undefined,
    write: (items) => Promise.resolve(void sizes.push(items.length)),
  })
  for (let one = 0; one < 9_000; one += 1) notes.note(String(one), one)
  await notes[Symbol.asyncDispose]()
  expect(sizes).toEqual([1, ...Array.from({ length: 10 }, () => 500)])
})

test.each([
  ['live', {}, 30, 1],
  ['waiting', { fetchedAt: null }, 30, 1],
  ['unused', { fetchedAt: null }, 60, 0],
  ['expired', {}, 10_000, 0],
  ['revoked', { revokedAt: at(5), revokedFor: 'code_reused' as RevokedFor }, 30, 0],
] as const)(
  'a grant that is %s is taken back where it can still do something',
  async (state, change, seconds, times) => {
    let revoked = 0
    const own = createOwnGrants({
      now: () => at(seconds),
      store: {
        grantsOf: () => Promise.resolve([]),
        countGrantsOf: () => Promise.resolve(0),
        grantOf: () => Promise.resolve({ ...grant, ...change }),
        logOf: () => Promise.resolve([]),
        liveGrantsOf: () => Promise.resolve([]),
        revoke: () => Promise.resolve(void (revoked += 1)),
      },
    })
    expect((await own.revoke(grant.address, grant.id))?.state).toBe(state)
    expect(revoked).toBe(times)
  },
)
