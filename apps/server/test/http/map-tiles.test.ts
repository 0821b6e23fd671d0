import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeArchive } from '../web/made-archive.ts'
import { standInApp } from '../web/stand-in-app.ts'
import { startLiveMarket, type LiveMarket } from './live-market.ts'

const folder = mkdtempSync(join(tmpdir(), 'ergon-map-'))
const file = join(folder, 'town.pmtiles')
const built = standInApp({ 'world.pmtiles': madeArchive([[0, 0, 0, 'the world']]) })
let live: LiveMarket
beforeAll(async () => {
  writeFileSync(file, madeArchive([[14, 8_025, 6_181, 'a street']], { attribution: '&copy; OpenStreetMap' }))
  live = await startLiveMarket({ SVC_WEB_DIR: built.dir, SVC_MAP_FILE: file, SVC_RATE_ANON_PER_MIN: '60' })
})
afterAll(async () => {
  await live?.[Symbol.asyncDispose]()
  built[Symbol.dispose]()
  rmSync(folder, { recursive: true })
})

type Info = Readonly<Record<'world' | 'streets', { readonly tiles: string } & Readonly<Record<string, unknown>>>>
const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(live.url + path, { headers })
const info = async (): Promise<Info> => (await (await ask('/map/info')).json()) as Info
const pathOf = async (layer: keyof Info, z: number, x: number, y: number): Promise<string> =>
  (await info())[layer].tiles.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))

test('what the map is drawn from is told: the world of the app, and the streets of the operator', async () => {
  expect(await info()).toMatchObject({
    world: { min_zoom: 0, max_zoom: 15, bounds: [-180, -85, 180, 85], attribution: '' },
    streets: { attribution: '© OpenStreetMap' },
  })
})

test('a tile comes packed as it is, is kept for ever under its version, and is read by pages of every origin', async () => {
  const path = await pathOf('streets', 14, 8_025, 6_181)
  const answer = await ask(path)
  expect(await answer.text()).toBe('a street')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  })
  const etag = answer.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect((await ask(path, { 'if-none-match': etag })).status).toBe(304)
  const plain = await ask(path, { 'accept-encoding': 'identity' })
  expect([await plain.text(), plain.headers.get('content-encoding')]).toEqual(['a street', null])
  expect(plain.headers.get('etag')).not.toBe(etag)
  const other = await ask(path.replace(/v=.*/, 'v=another'))
  expect([await other.text(), other.headers.get('cache-control')]).toEqual(['a street', 'no-cache'])
})

test('where the archive holds nothing the answer is empty, and what names no tile is not found', async () => {
  expect((await ask(await pathOf('streets', 14, 0, 0))).status).toBe(204)
  expect((await ask(await pathOf('world', 3, 7, 7))).status).toBe(204)
  for (const path of [
    '/map/world/0/0/1',
    '/map/world/25/0/0',
    '/map/world/-1/0/0',
    '/map/world/1/01/0',
    '/map/world/1/1e0/0',
    '/map/moon/0/0/0',
    '/map/world/0/0',
    '/map/world/99999999999/0/0',
    '/map/world/0/0/0.mvt',
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
  // The screen of the same name is the app's.
  expect((await ask('/map', { accept: 'text/html' })).headers.get('content-type')).toContain('text/html')
})

test('who leaves before a tile came leaves nothing behind', async () => {
  const path = await pathOf('streets', 14, 8_025, 6_181)
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const { hostname, port } = new URL(live.url)
      const leaving = request({ hostname, port, path, agent: false })
      leaving
        .on('error', () => undefined)
        .on('close', () => {
          resolve(undefined)
        })
      leaving.end(() => leaving.destroy())
      await promise
    }),
  )
  expect((await ask(path)).status).toBe(200)
})

test('a file that was cut off while the service runs fails that tile alone', async () => {
  const path = await pathOf('streets', 14, 8_025, 6_181)
  truncateSync(file, 140)
  expect((await ask(path)).status).toBe(500)
  expect((await ask(await pathOf('world', 0, 0, 0))).status).toBe(200)
  await using other = await startLiveMarket({ SVC_WEB_DIR: built.dir }, live.rig)
  expect((await fetch(`${other.url}/map/world/0/0/0`)).status).toBe(200)
  expect((await fetch(`${other.url}/map/streets/14/8025/6181`)).status).toBe(404)
  await expect(startLiveMarket({ SVC_WEB_DIR: built.dir, SVC_MAP_FILE: file }, live.rig)).rejects.toThrow(
    /SVC_MAP_FILE cannot be served: .*cut off/,
  )
  await expect(startLiveMarket({ SVC_WEB_DIR: built.dir, SVC_MAP_FILE: folder }, live.rig)).rejects.toThrow(
    'SVC_MAP_FILE is no file that can be read',
  )
})

test('an address takes some thousand tiles a minute and is then told to wait', async () => {
  const statuses = new Set<number>()
  for (let round = 0; round < 35 && !statuses.has(429); round += 1)
    for (const { status } of await Promise.all(Array.from({ length: 100 }, () => ask('/map/world/3/7/7'))))
      statuses.add(status)
  expect([...statuses].toSorted((one, other) => one - other)).toEqual([204, 429])
})
