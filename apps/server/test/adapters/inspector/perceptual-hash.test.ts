import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { inspectBytes, prepareDecoder } from '../../../src/adapters/inspector/inspect-bytes.ts'
import { hammingDistance, type ImageHashes } from '../../../src/adapters/inspector/perceptual-hash.ts'
import { photo } from './pictures.ts'

const limits = { maxPixels: 50_000_000, timeoutSec: 20 }
const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
let photos: Buffer[]
let hashes: ImageHashes[]

beforeAll(async () => {
  prepareDecoder()
  photos = await Promise.all(seeds.map(photo))
  hashes = await Promise.all(photos.map(hashesOf))
})

async function hashesOf(bytes: Buffer): Promise<ImageHashes> {
  const { hashes: found } = await inspectBytes(bytes, limits)
  if (found === null) throw new Error('a picture with something on it has a hash')
  return found
}

/** The nearest of either picture's hash to anything known of the other. */
function nearest(a: ImageHashes, b: ImageHashes): number {
  return Math.min(
    hammingDistance(a.phash, b.phash),
    ...b.variants.map((one) => hammingDistance(a.phash, one)),
    ...a.variants.map((one) => hammingDistance(one, b.phash)),
  )
}

type Change = readonly [name: string, change: (picture: Buffer) => Promise<Buffer>]
const cut =
  (part: number) =>
  (bytes: Buffer): Promise<Buffer> => {
    const [left, top] = [Math.round(400 * (1 - part)), Math.round(300 * (1 - part))]
    return sharp(bytes)
      .extract({ left, top, width: 800 - 2 * left, height: 600 - 2 * top })
      .jpeg()
      .toBuffer()
  }

describe('a picture made again stays within 8 bits', () => {
  const changes: readonly Change[] = [
    ['as JPEG of quality 40', (bytes) => sharp(bytes).jpeg({ quality: 40 }).toBuffer()],
    ['at half its size', (bytes) => sharp(bytes).resize(400).jpeg().toBuffer()],
    ['blurred', (bytes) => sharp(bytes).blur(2).jpeg().toBuffer()],
    ['brighter by a fifth', (bytes) => sharp(bytes).modulate({ brightness: 1.2 }).jpeg().toBuffer()],
    ['darker by a fifth', (bytes) => sharp(bytes).modulate({ brightness: 0.8 }).jpeg().toBuffer()],
    ['as PNG', (bytes) => sharp(bytes).png().toBuffer()],
    ['as WebP', (bytes) => sharp(bytes).webp({ quality: 60 }).toBuffer()],
    ['without colour', (bytes) => sharp(bytes).grayscale().jpeg().toBuffer()],
    [
      'lying, with an orientation that says so',
      (bytes) => sharp(bytes).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    ],
  ]
  test.each(changes)('%s', async (_, change) => {
    const distances = await Promise.all(
      photos.map(async (bytes, index) =>
        hammingDistance((await hashesOf(await change(bytes))).phash, hashes[index]?.phash ?? ''),
      ),
    )
    expect(Math.max(...distances)).toBeLessThanOrEqual(8)
  })
})

describe('a picture made to look like another is found by its variants', () => {
  const changes: readonly Change[] = [
    ['mirrored', (bytes) => sharp(bytes).flop().jpeg().toBuffer()],
    ['turned by a quarter', (bytes) => sharp(bytes).rotate(90).jpeg().toBuffer()],
    ['turned by half', (bytes) => sharp(bytes).rotate(180).jpeg().toBuffer()],
    ['turned by three quarters', (bytes) => sharp(bytes).rotate(270).jpeg().toBuffer()],
    ['cut to its middle 80 %', cut(0.8)],
    ['cut to its middle 90 %', cut(0.9)],
  ]
  test.each(changes)('%s', async (_, change) => {
    const distances = await Promise.all(
      photos.map(async (bytes, index) =>
        nearest(await hashesOf(await change(bytes)), hashes[index] ?? { phash: '', variants: [] }),
      ),
    )
    expect(Math.max(...distances)).toBeLessThanOrEqual(8)
  })
})

test('different pictures are more than 12 bits apart, variants and all', () => {
  const pairs = hashes.flatMap((a, index) => hashes.slice(index + 1).map((b) => nearest(a, b)))
  expect(pairs).toHaveLength(28)
  expect(Math.min(...pairs)).toBeGreaterThan(12)
})

test('a picture with nothing on it has no hash, so that two of them are no duplicates', async () => {
  const blank = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#444' } })
    .jpeg()
    .toBuffer()
  expect(await inspectBytes(blank, limits)).toMatchObject({ hashes: null, width: 640, height: 480, trouble: null })
})
