import sharp from 'sharp'
import { Pool } from 'pg'
import { createTestDatabase, type TestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDayBudget, createIsProven } from '../../src/adapters/postgres/index.ts'
import { createPictures } from '../../src/adapters/postgres/pictures.ts'
import { allowedBomb, pixelBomb, textBomb } from '../adapters/inspector/hostile-files.ts'
import { photo, scene } from '../adapters/inspector/pictures.ts'
import type { Reply } from '../dispatch/send.ts'
import { aPicture } from './a-picture.ts'
import { adminKey, asAdmin, expectShape } from './live-admin.ts'
import { applied, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

let database: TestDatabase
let market: LiveMarket
let ada: Party
let bo: Party
let idOfAda: string

beforeAll(async () => {
  database = await createTestDatabase(serverSchema)
  const env = { SVC_ADMIN_KEY: adminKey, DATABASE_URL: database.url, SVC_RATE_ANON_PER_MIN: '100000' }
  market = await startLiveMarket(env, undefined, { withoutDuties: true })
  ada = await market.party(0n)
  bo = await market.party(50n)
  idOfAda = await registered(ada, 'Ada')
})
afterAll(async () => {
  await market?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
})

const registered = async (party: Party, name: string): Promise<string> =>
  String(expectStatus(await party.call('POST', '/api/v1/workers/register', { name }), 201).body['id'])
const pathOf = (id: string): string => `/api/v1/workers/${id}/picture`
const set = (by: Party, id: string, bytes: Buffer | string): Promise<Reply> =>
  by.call('PUT', pathOf(id), { picture: typeof bytes === 'string' ? bytes : bytes.toString('base64') })
const remove = (by: Party, id: string): Promise<Reply> => by.call('DELETE', pathOf(id))
const urlOf = (reply: Reply): string => String(expectShape('workers.setPicture', reply)['picture_url'])
const shown = async (url: string): Promise<Response> => fetch(market.url + url)
const profile = async (id: string) => (await market.get(`/api/v1/workers/${id}`)).body
/** A worker of its own, so that no test spends the day of another. */
async function newWorker(): Promise<readonly [Party, string]> {
  const party = await market.party(0n)
  return [party, await registered(party, 'Cleo')]
}

test('what is kept of a photograph is its middle: a small square, upright, without a word of metadata', async () => {
  const bytes = await scene(7)
    .resize(1_600)
    .withExif({ IFD0: { Make: 'Fairphone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '1/1 2/1 3/1' } })
    .withMetadata({ orientation: 6 })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .jpeg()
    .toBuffer()
  const url = urlOf(await set(ada, idOfAda, bytes))
  expect(url).toMatch(/^\/pictures\/[0-9a-f]{32}\.jpg$/)
  const answer = await shown(url)
  expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
    200,
    {
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
    },
  ])
  const kept = Buffer.from(await answer.arrayBuffer())
  expect(kept.length).toBeLessThanOrEqual(65_536)
  const facts = await sharp(kept).metadata()
  expect(facts).toMatchObject({ format: 'jpeg', width: 256, height: 256 })
  expect([facts.exif, facts.xmp, facts.icc, facts.orientation]).toEqual([undefined, undefined, undefined, undefined])
  for (const word of ['Fairphone', 'xmpmeta']) expect(kept.includes(word), word).toBe(false)
  const etag = answer.headers.get('etag') ?? ''
  expect((await fetch(market.url + url, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test.each([
  ['PNG', () => Promise.resolve(Buffer.from(aPicture, 'base64'))],
  ['WebP', () => scene(3).webp().toBuffer()],
  [
    'PNG that one sees through',
    () =>
      sharp({ create: { width: 9, height: 99, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
  ],
  ['JPEG in ink', () => scene(4).toColourspace('cmyk').jpeg().toBuffer()],
  ['PNG of many pixels, within what is opened', () => Promise.resolve(allowedBomb())],
])('a %s becomes a JPEG in three colours', async (_kind, make) => {
  const [party, id] = await newWorker()
  const url = urlOf(await set(party, id, await make()))
  const kept = Buffer.from(await (await shown(url)).arrayBuffer())
  expect(await sharp(kept).metadata()).toMatchObject({ format: 'jpeg', width: 256, height: 256, space: 'srgb' })
})

test('noise, which nothing makes small, is kept within its room', async () => {
  const [party, id] = await newWorker()
  const noise = {
    create: {
      width: 400,
      height: 400,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 120 },
    },
  } as const
  const url = urlOf(await set(party, id, await sharp(noise).jpeg({ quality: 60 }).toBuffer()))
  expect((await (await shown(url)).arrayBuffer()).byteLength).toBeLessThanOrEqual(65_536)
})

describe('what is no picture is refused, and the one before stays', () => {
  let party: Party
  let id: string
  let before: string
  beforeAll(async () => {
    ;[party, id] = await newWorker()
    before = urlOf(await set(party, id, aPicture))
  })
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const kinds = 'a JPEG, PNG or WebP'
  const whole = 'a whole picture of at most 50 million pixels'
  test.each([
    ['a drawing with a script', () => Promise.resolve(Buffer.from(drawing)), kinds],
    ['a page', () => Promise.resolve(Buffer.from('<!doctype html><title>hello</title>')), kinds],
    ['a GIF', () => Promise.resolve(Buffer.from('GIF89a and what follows')), kinds],
    ['a TIFF, which checks of evidence do open', () => scene(5).tiff().toBuffer(), kinds],
    ['a PNG of 60,000 x 60,000', () => Promise.resolve(pixelBomb()), whole],
    ['a page that begins like a JPEG', () => Promise.resolve(Buffer.from(`\xff\xd8\xff${drawing}`, 'latin1')), whole],
    ['half a photograph', async () => (await photo(6)).subarray(0, 9_000), whole],
  ])('%s', async (_kind, make, constraint) => {
    const reply = await set(party, id, await make())
    expect([reply.status, reply.body]).toMatchObject([
      422,
      { code: 'VALIDATION_FAILED', details: { field: 'picture', constraint } },
    ])
    expect((await profile(id))['picture_url']).toBe(before)
  })
  test('more than 700,000 bytes, and what is no base64', async () => {
    for (const picture of ['A'.repeat(933_340), 'not base64!'.repeat(4)])
      expect((await set(party, id, picture)).body.code).toBe('VALIDATION_FAILED')
  })
})

test('a text that swells is opened apart, and the service goes on', async () => {
  const [party, id] = await newWorker()
  expect([200, 422]).toContain((await set(party, id, textBomb())).status)
  expect((await market.get('/api/v1/workers')).status).toBe(200)
})

test('the picture is shown wherever the name is, and is gone everywhere once it is removed', async () => {
  const [seller, id] = await newWorker()
  const theirs = urlOf(await set(seller, id, await photo(11)))
  const idOfBo = await registered(bo, 'Bo')
  const own = urlOf(await set(bo, idOfBo, await photo(12)))
  const { taskId } = await applied(bo, seller)
  const services = {
    title: 'Photographs',
    description: 'One photograph of a gate.',
    category: 'creative',
    unit_price_usd: 2,
  }
  const listing = expectStatus(await seller.call('POST', '/api/v1/services', services), 201)
  const read = async () => ({
    task: (await market.get(`/api/v1/tasks/${taskId}`)).body['publisher_picture_url'],
    listed: rowOf(await market.get('/api/v1/tasks/available'), 'tasks', 'id', taskId)['publisher_picture_url'],
    applicant: rowOf(await bo.call('GET', `/api/v1/tasks/${taskId}/applications`), 'applications', 'executor_id', id)[
      'picture_url'
    ],
    worker: (await profile(id))['picture_url'],
    ranked: rowOf(await market.get('/api/v1/workers?limit=100'), 'workers', 'id', id)['picture_url'],
    agent: rowOf(await market.get('/api/v1/agents/directory?limit=100'), 'agents', 'executor_id', id)['picture_url'],
    service: (await market.get(`/api/v1/services/${String(listing.body['id'])}`)).body['seller_picture_url'],
  })
  expect(listing.body['seller_picture_url']).toBe(theirs)
  const at = { applicant: theirs, worker: theirs, ranked: theirs, agent: theirs, service: theirs }
  expect(await read()).toEqual({ task: own, listed: own, ...at })
  expect(expectShape('workers.removePicture', await remove(seller, id))).toEqual({ executor_id: id, removed: true })
  expect(await read()).toMatchObject({ task: own, applicant: null, worker: null, ranked: null, service: null })
  expect((await shown(theirs)).status).toBe(404)
  expect((await remove(seller, id)).body).toEqual({ executor_id: id, removed: false })
})

test('another picture has another address, the one before is gone, and two may show the same', async () => {
  const [[one, idOfOne], [two, idOfTwo]] = [await newWorker(), await newWorker()]
  const bytes = await photo(21)
  const first = urlOf(await set(one, idOfOne, bytes))
  expect(urlOf(await set(two, idOfTwo, bytes))).toBe(first)
  const second = urlOf(await set(one, idOfOne, await photo(22)))
  expect([second === first, (await shown(first)).status, (await shown(second)).status]).toEqual([false, 200, 200])
  await remove(two, idOfTwo)
  expect((await shown(first)).status).toBe(404)
})

test('nobody sets or removes the picture of another, nor without a signature', async () => {
  for (const reply of [await set(bo, idOfAda, aPicture), await remove(bo, idOfAda)])
    expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN'])
  expect((await fetch(market.url + pathOf(idOfAda), { method: 'DELETE' })).status).toBe(401)
  const nobody = '00000000-0000-7000-8000-000000000000'
  expect((await set(ada, nobody, aPicture)).body.code).toBe('WORKER_NOT_FOUND')
})

test('what names no picture is not found', async () => {
  for (const name of ['0'.repeat(32), 'A'.repeat(32), '..%2f..%2fetc', "'; drop table workers"])
    expect((await shown(`/pictures/${encodeURIComponent(name)}.jpg`)).status, name).toBe(404)
})

test('a wallet sets ten pictures a day', async () => {
  const [party, id] = await newWorker()
  for (let count = 0; count < 10; count += 1) expectStatus(await set(party, id, aPicture), 200)
  const refused = await set(party, id, aPicture)
  expect([refused.status, refused.body]).toMatchObject([
    429,
    { code: 'RATE_LIMITED', details: { by: 'wallet', limit: 10, remaining: 0 } },
  ])
  expect(refused.headers['retry-after']).toMatch(/^[1-9][0-9]*$/)
})

test('and from one address, and in all, so many as there is room for', async () => {
  const pool = new Pool({ connectionString: database.url })
  const taken = async (limits: object, ...by: readonly { readonly wallet: string; readonly from?: string }[]) => {
    await pool.query('delete from registration_counts')
    const budget = createDayBudget(
      pool,
      {
        budget: 'pictures',
        limits: { ofWallet: 0, ofAddress: 0, inAll: 0, ...limits },
        refusal: (who) => who,
      },
      createIsProven(pool),
    )
    const refusals: unknown[] = []
    for (const one of by) await budget.take(one).catch(({ code, details }) => refusals.push([code, details.by]))
    return refusals
  }
  const [here, there] = [
    { wallet: '0x1', from: '10.0.0.1' },
    { wallet: '0x2', from: '10.0.0.2' },
  ]
  expect(await taken({ ofAddress: 1 }, here, { ...there, from: here.from }, there)).toEqual([
    ['RATE_LIMITED', 'address'],
  ])
  expect(await taken({ inAll: 2 }, here, there, { wallet: '0x3' })).toEqual([['RATE_LIMITED', 'all']])
  // What was refused is not counted.
  expect(await taken({ ofWallet: 1, inAll: 2 }, here, here, there)).toEqual([['RATE_LIMITED', 'wallet']])
  await pool.end()
})

test('an operator takes down the picture of a worker who was reported', async () => {
  const [party, id] = await newWorker()
  const url = urlOf(await set(party, id, await photo(31)))
  const report = { target: 'worker', target_id: id, reason: 'harassment', note: 'Look at the picture.' }
  const told = String(expectStatus(await bo.call('POST', '/api/v1/reports', report), 201).body['id'])
  const act = { action: 'take_down', reason: 'It shows another.' }
  const decided = await asAdmin(market, 'PUT', `/api/v1/admin/reports/${told}`, act, { 'x-admin-actor': 'ada' })
  expect(expectShape('admin.decideReport', decided)).toMatchObject({ state: 'taken_down' })
  expect([(await profile(id))['picture_url'], (await shown(url)).status]).toEqual([null, 404])
  const { lines } = (await asAdmin(market, 'GET', `/api/v1/admin/audit?subject=${told}`)).body as {
    readonly lines: readonly { readonly after: object }[]
  }
  expect(lines[0]?.after).toMatchObject({ target: 'worker', picture: url.slice(10, 42) })
})

test('whoever deletes the account shows no picture any more', async () => {
  const [party, id] = await newWorker()
  const url = urlOf(await set(party, id, await photo(41)))
  expectStatus(await party.call('DELETE', '/api/v1/account'), 200)
  expect([(await profile(id))['picture_url'], (await shown(url)).status]).toEqual([null, 404])
  // Nor one that was still being made.
  const pool = new Pool({ connectionString: database.url })
  expect(await createPictures(pool).putPicture(id, await photo(42), new Date())).toBeNull()
  expect((await profile(id))['picture_url']).toBeNull()
  await pool.end()
})

function rowOf(reply: Reply, list: string, key: string, id: string): Readonly<Record<string, unknown>> {
  const rows = reply.body[list] as readonly Readonly<Record<string, unknown>>[] // the contract's output
  return rows.find((row) => row[key] === id) ?? {}
}
