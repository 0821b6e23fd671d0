import { ownClock } from '@ergon/dev-env/testing'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import sharp from 'sharp'
import type { FileFacts, StoredFile } from '@ergon/core'
import { afterAll, describe, expect, test } from 'vitest'
import { createMedia, type Media } from '../../../src/adapters/inspector/create-media.ts'
import {
  allowedBomb,
  hangingHeic,
  largePhoto,
  loopingExif,
  pixelBomb,
  png,
  textBomb,
  textChunk,
  truncated,
  withExif,
} from './hostile-files.ts'
import { photo, scene } from './pictures.ts'

const files = new Map<string, Uint8Array>()
const media = mediaOf({})
afterAll(() => media[Symbol.asyncDispose]())

function mediaOf(settings: Partial<Parameters<typeof createMedia>[0]>): Media {
  const read = async (key: string): Promise<Uint8Array> =>
    Promise.resolve(files.get(key) ?? Promise.reject(new Error('no such file')))
  return createMedia({ read, taskOf: () => null, processes: 1, timeoutMs: 5_000, ...settings })
}

function stored(bytes: Buffer, contentType = 'image/jpeg'): StoredFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  files.set(sha256, bytes)
  return { key: sha256, content_type: contentType, bytes: bytes.length, sha256 }
}

const inspect = (bytes: Buffer, contentType?: string, by = media): Promise<FileFacts> =>
  by.inspect(stored(bytes, contentType))

describe('what a picture says about itself', () => {
  test('its size, its hash, its camera, its moment and its place are read', async () => {
    const exif = {
      IFD0: { Make: 'Fairphone', Model: 'FP5', Software: 'Camera 4.1' },
      IFD2: { DateTimeOriginal: '2026:11:20 14:30:05', OffsetTimeOriginal: '-05:00' },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 26/1 1530/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '70/1 40/1 0/1',
      },
    }
    const bytes = await scene(11).withExif(exif).jpeg().toBuffer()
    const facts = await inspect(bytes)
    expect(facts).toMatchObject({
      contentType: 'image/jpeg',
      bytes: bytes.length,
      width: 800,
      height: 600,
      trouble: null,
      aiMarkers: [],
    })
    expect(facts.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(facts.image?.phash).toMatch(/^[0-9a-f]{16}$/)
    expect(facts.image?.variants).toHaveLength(6)
    expect(facts.exif).toEqual({
      present: true,
      make: 'Fairphone',
      model: 'FP5',
      software: 'Camera 4.1',
      takenAt: new Date('2026-11-20T19:30:05Z'),
      lat: -33.4375833,
      lng: -70.6666667,
    })
  })

  test('a time without a zone is no moment', async () => {
    const bytes = await scene(12)
      .withExif({ IFD0: { Make: 'X' }, IFD2: { DateTimeOriginal: '2026:11:20 14:30:05' } })
      .jpeg()
      .toBuffer()
    expect((await inspect(bytes)).exif).toMatchObject({ present: true, takenAt: null })
  })

  test.each([
    ['png', 'image/png'],
    ['webp', 'image/webp'],
  ] as const)('camera claims are read from %s too', async (format, contentType) => {
    const bytes = await scene(13)
      .withExif({ IFD0: { Make: 'Fairphone' } })
      .toFormat(format)
      .toBuffer()
    expect(await inspect(bytes, contentType)).toMatchObject({
      contentType,
      trouble: null,
      width: 800,
      exif: { present: true, make: 'Fairphone' },
    })
  })

  test.each(['jpeg', 'tiff', 'png'] as const)(
    'a %s without camera claims says that they are absent',
    async (format) => {
      const facts = await inspect(await scene(14).toFormat(format).toBuffer())
      expect(facts).toMatchObject({ contentType: `image/${format}`, width: 800, trouble: null })
      expect(facts.exif).toEqual({
        present: false,
        make: null,
        model: null,
        software: null,
        takenAt: null,
        lat: null,
        lng: null,
      })
    },
  )

  test('what is no picture is hashed and left closed', async () => {
    expect(await inspect(Buffer.from('%PDF-1.7 and more'), 'application/pdf')).toMatchObject({
      contentType: 'application/pdf',
      width: null,
      image: null,
      exif: null,
      trouble: null,
    })
  })

  test('a text announced as a picture is named unreadable', async () => {
    expect(await inspect(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png')).toMatchObject({
      contentType: 'application/octet-stream',
      image: null,
      trouble: 'unreadable',
    })
  })
})

describe('marks of generators', () => {
  const xmp = (text: string): string =>
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">${text}</rdf:Description></rdf:RDF></x:xmpmeta>`
  const source = (word: string): string =>
    xmp(
      `<Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/${word}</Iptc4xmpExt:DigitalSourceType>`,
    )
  const drawn = Buffer.from('789c63600002000005000100', 'hex')
  const pictures: readonly (readonly [string, () => Promise<Buffer>, readonly string[]])[] = [
    [
      'the IPTC word in XMP',
      () => scene(20).withXmp(source('trainedAlgorithmicMedia')).jpeg().toBuffer(),
      ['source:trainedAlgorithmicMedia'],
    ],
    [
      'the word for a composite, and it alone',
      () => scene(20).withXmp(source('compositeWithTrainedAlgorithmicMedia')).webp().toBuffer(),
      ['source:compositeWithTrainedAlgorithmicMedia'],
    ],
    [
      'a program named in EXIF',
      () =>
        scene(20)
          .withExif({ IFD0: { Software: 'Midjourney v7' } })
          .jpeg()
          .toBuffer(),
      ['generator:midjourney'],
    ],
    [
      'settings in a text chunk',
      () =>
        Promise.resolve(
          png(8, 8, drawn, [
            textChunk('tEXt', 'parameters', 'a street\nNegative prompt: blur\nSteps: 20, Sampler: Euler'),
          ]),
        ),
      ['generator:stable-diffusion'],
    ],
    [
      'a compressed text chunk',
      () => Promise.resolve(png(8, 8, drawn, [textChunk('zTXt', 'prompt', '{"3":{"class_type":"KSampler"}}')])),
      ['generator:comfyui'],
    ],
    ['an ordinary source', () => scene(20).withXmp(source('digitalCapture')).jpeg().toBuffer(), []],
    [
      'an ordinary editor',
      () =>
        scene(20)
          .withExif({ IFD0: { Software: 'Adobe Photoshop Lightroom 9' } })
          .jpeg()
          .toBuffer(),
      [],
    ],
  ]
  test.each(pictures)('%s', async (_, make, markers) => {
    expect((await inspect(await make())).aiMarkers).toEqual(markers)
  })
})

describe('a hostile file costs bounded time, is named, and leaves the parsers working', () => {
  const cases: readonly (readonly [string, string, () => Promise<Buffer>, FileFacts['trouble']])[] = [
    ['a HEIC that hangs readers', 'image/heic', () => Promise.resolve(hangingHeic()), 'unreadable'],
    ['the same announced as JPEG', 'image/jpeg', () => Promise.resolve(hangingHeic()), 'unreadable'],
    ['a PNG of 60,000 x 60,000', 'image/png', () => Promise.resolve(pixelBomb()), 'too_large'],
    ['a PNG of 49 megapixels in 48 kB', 'image/png', () => Promise.resolve(allowedBomb()), null],
    ['a PNG whose text grows a thousand times', 'image/png', () => Promise.resolve(textBomb()), null],
    ['EXIF that points at itself', 'image/jpeg', () => Promise.resolve(loopingExif()), 'unreadable'],
    ['a JPEG cut at its half', 'image/jpeg', () => truncated(0.5), 'unreadable'],
    ['a JPEG cut in its head', 'image/jpeg', () => truncated(0.001), 'unreadable'],
    ['a JPEG head and nothing', 'image/jpeg', () => Promise.resolve(Buffer.of(0xff, 0xd8, 0xff)), 'unreadable'],
    [
      'a zip announced as PNG',
      'image/png',
      () => Promise.resolve(Buffer.from('PK\x03\x04'.padEnd(4_000, 'x'), 'latin1')),
      'unreadable',
    ],
    ['an empty file', 'image/png', () => Promise.resolve(Buffer.alloc(0)), 'unreadable'],
    [
      '25 MB of noise behind a JPEG head',
      'image/jpeg',
      () => Promise.resolve(withExif(Buffer.alloc(8), Buffer.alloc(25 * 1_000 * 1_000, 0xab))),
      'unreadable',
    ],
    ['more than 25 MiB', 'image/jpeg', () => Promise.resolve(Buffer.alloc(25 * 1_024 * 1_024 + 1)), 'too_large'],
  ]
  test.each(cases)('%s', async (_, contentType, make, trouble) => {
    const file = stored(await make(), contentType)
    const began = performance.now()
    const facts = await media.inspect(file)
    expect(facts.trouble).toBe(trouble)
    expect(facts.sha256).toBe(file.sha256)
    expect(performance.now() - began).toBeLessThan(6_000)
    expect(await inspect(await photo(30))).toMatchObject({ trouble: null, width: 800 })
  })

  test('any bytes behind a known head are answered with facts, never with a fault', async () => {
    const heads = [
      Buffer.of(0xff, 0xd8, 0xff),
      png(8, 8, Buffer.alloc(4)).subarray(0, 33),
      Buffer.from('RIFF\xff\xff\xff\x7fWEBPVP8X', 'latin1'),
      Buffer.from('II*\0\x08\0\0\0', 'latin1'),
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 600 }), async (head, tail) => {
        const bytes = Buffer.concat([head, tail])
        const facts = await inspect(bytes)
        expect(facts.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
        expect(facts.trouble === null || facts.trouble === 'unreadable' || facts.trouble === 'too_large').toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('a good photo with any one byte changed keeps the parsers working', async () => {
    const whole = await photo(31)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 2_000 }), fc.nat({ max: 255 }), async (at, value) => {
        const bytes = Buffer.from(whole)
        bytes[at] = value
        expect(['unreadable', 'too_large', null]).toContain((await inspect(bytes)).trouble)
      }),
      { numRuns: 60 },
    )
  })
})

test('a file that is not there, or is not what was uploaded, is named', async () => {
  const file = stored(await photo(32))
  expect(await media.inspect({ ...file, key: 'elsewhere' })).toMatchObject({
    trouble: 'unreadable',
    sha256: file.sha256,
  })
  expect(await media.inspect({ ...file, sha256: '0'.repeat(64) })).toMatchObject({ trouble: 'unreadable' })
})

test('a store that stalls costs one time limit', async () => {
  await using slow = mediaOf({ read: () => new Promise(() => undefined), timeoutMs: 300 })
  const picture = await photo(33)
  const ownMs = ownClock()
  expect(await inspect(picture, 'image/jpeg', slow)).toMatchObject({ trouble: 'unreadable' })
  expect(await ownMs()).toBeLessThan(2_000)
})

test('one task with many heavy pictures does not switch off the check of another', async () => {
  await using fair = mediaOf({ taskOf: (key) => (key === light.key ? 'light' : 'heavy') })
  const [heavy, light] = [stored(await largePhoto(4_000, 3_000, true)), stored(await photo(36))]
  const done: string[] = []
  const looked = async (file: StoredFile, name: string): Promise<void> => {
    const { trouble } = await fair.inspect(file)
    // Of the heavy ones, a busy machine may put some off.
    expect(name === 'light' ? [null] : [null, 'busy']).toContain(trouble)
    done.push(name)
  }
  const all = [...Array.from({ length: 12 }, () => looked(heavy, 'heavy')), looked(light, 'light')]
  await Promise.all(all)
  expect(done.indexOf('light')).toBeLessThanOrEqual(2)
})

// Its time is of the clock: a machine that is busy with other tests may need another look.
test('a progressive picture of 49 megapixels is read inside its time', { retry: 2 }, async () => {
  const heavy = await largePhoto(7_000, 7_000, true)
  expect(heavy.length).toBeGreaterThan(10_000_000)
  expect(await inspect(heavy)).toMatchObject({ trouble: null, width: 7_000, height: 7_000 })
})

test('a preview is a small upright JPEG without a word of metadata', async () => {
  const bytes = await scene(35)
    .resize(3_000)
    .withExif({ IFD0: { Make: 'Fairphone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '1/1 2/1 3/1' } })
    .withMetadata({ orientation: 6 })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .jpeg()
    .toBuffer()
  const preview = Buffer.from((await media.preview(stored(bytes))) ?? [])
  expect(await sharp(preview).metadata()).toMatchObject({ format: 'jpeg', width: 768, height: 1_024 })
  expect(await sharp(preview).metadata()).not.toHaveProperty('exif')
  expect(preview.includes('Fairphone')).toBe(false)
  expect(preview.includes('xmpmeta')).toBe(false)
  expect(await media.preview(stored(hangingHeic(), 'image/heic'))).toBeNull()
})
