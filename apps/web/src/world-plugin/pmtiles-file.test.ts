import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { PMTiles, zxyToTileId, type Source } from 'pmtiles'
import { expect, test } from 'vitest'
import { packed, pmtilesFile, type ArchiveFacts, type PackedTile } from './pmtiles-file.ts'

const facts: ArchiveFacts = {
  minZoom: 0,
  maxZoom: 9,
  bounds: [-10.5, -20.25, 30.125, 40],
  metadata: { name: 'Made', attribution: 'Nobody' },
}

const sourceOf = (file: Buffer): Source => ({
  getKey: () => 'file',
  getBytes: (offset, length) =>
    Promise.resolve({ data: new Uint8Array(file.subarray(offset, offset + length)).buffer }),
})
const readerOf = (file: Buffer): PMTiles =>
  new PMTiles(sourceOf(file), undefined, (data) => Promise.resolve(new Uint8Array(gunzipSync(data)).buffer))

const textAt = async (archive: PMTiles, z: number, x: number, y: number): Promise<string | undefined> => {
  const tile = await archive.getZxy(z, x, y)
  return tile === undefined ? undefined : Buffer.from(tile.data).toString()
}

/** Of a length that nothing foretells, so that the directory packs badly. */
function noise(at: number): string {
  const hash = createHash('sha512').update(String(at)).digest()
  return hash.toString('hex').slice(0, (hash[0] ?? 0) / 2)
}

const tile = (z: number, x: number, y: number, text: string): PackedTile => ({
  id: zxyToTileId(z, x, y),
  bytes: packed(Buffer.from(text)),
})

test('what is written is read back by the library of the format, and nothing where nothing was written', async () => {
  const file = pmtilesFile(
    [tile(0, 0, 0, 'world'), tile(1, 0, 0, 'land'), tile(1, 0, 1, 'land'), tile(9, 300, 211, 'far')],
    facts,
  )
  const archive = readerOf(file)
  expect(await archive.getHeader()).toMatchObject({
    specVersion: 3,
    tileType: 1,
    tileCompression: 2,
    internalCompression: 2,
    minZoom: 0,
    maxZoom: 9,
    minLon: -10.5,
    minLat: -20.25,
    maxLon: 30.125,
    maxLat: 40,
    numAddressedTiles: 4,
    numTileEntries: 3,
    numTileContents: 3,
    clustered: true,
  })
  expect(await archive.getMetadata()).toEqual(facts.metadata)
  expect(await textAt(archive, 0, 0, 0)).toBe('world')
  expect(await textAt(archive, 1, 0, 1)).toBe('land')
  expect(await textAt(archive, 9, 300, 211)).toBe('far')
  expect(await textAt(archive, 1, 1, 1)).toBeUndefined()
})

test('an archive whose directory is larger than readers fetch first has leaves', async () => {
  const tiles = Array.from({ length: 26_000 }, (_, at) => {
    const [x, y] = [(at * 7) % 512, Math.floor((at * 7) / 512)]
    return tile(9, x, y, `${String(x)}:${String(y)}:${noise(at)}`)
  })
  const archive = readerOf(pmtilesFile(tiles, facts))
  expect((await archive.getHeader()).leafDirectoryLength).toBeGreaterThan(0)
  for (const at of [0, 1, 9_999, 25_999]) {
    const [x, y] = [(at * 7) % 512, Math.floor((at * 7) / 512)]
    expect(await textAt(archive, 9, x, y)).toMatch(new RegExp(`^${String(x)}:${String(y)}:`))
  }
})

test('the same tiles give the same bytes, in whatever order they are given', () => {
  const tiles = Array.from({ length: 64 }, (_, at) => tile(3, at % 8, Math.floor(at / 8), String(at % 5)))
  expect(pmtilesFile(tiles.toReversed(), facts).equals(pmtilesFile(tiles, facts))).toBe(true)
})
