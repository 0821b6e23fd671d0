import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTileArchive, TileArchiveError, type TileArchive } from '../../src/web/tile-archive.ts'
import { memorySource } from '../../src/web/tile-sources.ts'
import { archiveOf, madeArchive, numbers } from './made-archive.ts'

const opened = (bytes: Buffer): Promise<TileArchive> => openTileArchive(memorySource(bytes))
const textOf = (bytes: Buffer | undefined): string | undefined =>
  bytes === undefined ? undefined : gunzipSync(bytes).toString()
const good = madeArchive(
  [
    [0, 0, 0, 'world'],
    [1, 1, 0, 'east'],
    [14, 8_025, 6_181, 'street'],
  ],
  { attribution: '<a href="https://x.test" onclick="x()">&copy; OpenStreetMap</a>\u0007' },
)

test('tiles are found where they are, nothing is found elsewhere, and markup of others is dropped', async () => {
  const archive = await opened(good)
  expect(archive).toMatchObject({ minZoom: 0, maxZoom: 15, bounds: [-180, -85, 180, 85], coding: 'gzip' })
  expect(archive.attribution).toBe('© OpenStreetMap')
  expect(textOf(await archive.tile(0, 0, 0))).toBe('world')
  expect(textOf(await archive.tile(1, 1, 0))).toBe('east')
  expect(textOf(await archive.tile(14, 8_025, 6_181))).toBe('street')
  expect(await archive.tile(1, 0, 0)).toBeUndefined()
  expect(await archive.tile(16, 0, 0)).toBeUndefined()
})

test('a directory below the first is read, and one entry means a run of the same tiles', async () => {
  const tile = gzipSync('sea')
  const leaf = numbers([1, 1, 4, tile.length, 1])
  const archive = await opened(archiveOf({ root: numbers([1, 1, 0, leaf.length, 1]), leaves: leaf, data: tile }))
  for (const [x, y] of [
    [0, 0],
    [1, 1],
  ] as const)
    expect(textOf(await archive.tile(1, x, y))).toBe('sea')
  expect(await archive.tile(2, 0, 0)).toBeUndefined()
  expect(await archive.tile(0, 0, 0)).toBeUndefined()
})

const patched = (at: number, ...bytes: readonly number[]): Buffer => {
  const copy = Buffer.from(good)
  copy.set(bytes, at)
  return copy
}
test.each<[string, Buffer, RegExp]>([
  ['nothing', Buffer.alloc(0), /no PMTiles archive/],
  ['a picture', Buffer.from('89504e470d0a1a0a'.repeat(20), 'hex'), /no PMTiles archive/],
  ['an older version', patched(7, 2), /version 3/],
  ['pictures as tiles', patched(99, 2), /no vector tiles/],
  ['tiles packed by zstd', patched(98, 4), /otherwise than by gzip/],
  ['zooms that no map has', patched(101, 60), /zooms/],
  ['bounds from east to west', patched(102, 0xff, 0xff, 0xff, 0x7f), /bounds/],
  ['half of itself', good.subarray(0, good.length - 9), /cut off/],
  ['a root far away', patched(8, 0xff, 0xff), /cut off|16 KiB/],
  ['a root of noise', patched(127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), /root directory cannot be read/],
  ['a root that promises more than it holds', patched(127, 0x7f), /root directory cannot be read/],
])('%s is refused with a sentence', async (_what, bytes, says) => {
  await expect(opened(bytes)).rejects.toThrow(TileArchiveError)
  await expect(opened(bytes)).rejects.toThrow(says)
})

test('directories that go round in circles or name too much end in an error and not in a loop', async () => {
  const circle = numbers([1, 0, 0, 5, 1])
  const round = await opened(archiveOf({ root: circle, leaves: circle, data: Buffer.alloc(8) }))
  await expect(round.tile(0, 0, 0)).rejects.toThrow('nested too deeply')
  const huge = await opened(archiveOf({ root: numbers([1, 0, 1, 3_000_000, 1]), data: Buffer.alloc(3_000_000) }))
  await expect(huge.tile(0, 0, 0)).rejects.toThrow('not there')
  const beyond = await opened(archiveOf({ root: numbers([1, 0, 1, 5, 900]), data: Buffer.alloc(8) }))
  await expect(beyond.tile(0, 0, 0)).rejects.toThrow('not there')
})

test('a directory that unpacks to more than any tool writes is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const root = gzipSync(numbers([1, 0, 0, bomb.length, 1]))
  const bytes = archiveOf({ root, leaves: bomb, data: Buffer.alloc(1), metadata: 0 })
  bytes[97] = 2
  await expect(opened(withPackedMetadata(bytes)).then((archive) => archive.tile(0, 0, 0))).rejects.toThrow(
    'larger than',
  )
})

/** Without metadata there is nothing to unpack. */
function withPackedMetadata(bytes: Buffer): Buffer {
  bytes.writeBigUInt64LE(0n, 32)
  return bytes
}

test('whatever bytes of an archive are others, it is refused, answers, or fails; it never hangs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      async (changes) => {
        const bytes = Buffer.from(good)
        for (const [at, byte] of changes) bytes[at] = byte
        const archive = await opened(bytes).catch((error: unknown) => {
          expect(error).toBeInstanceOf(TileArchiveError)
        })
        const tile = await archive?.tile(1, 1, 0).catch(() => undefined)
        expect(tile === undefined || tile.length <= good.length).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})
