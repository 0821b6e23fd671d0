import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { cleanCopy } from '../../src/adapters/storage/clean/clean-copy.ts'
import { claimingHeic } from '../../src/testing/hostile-files.ts'
import { box, film, filmPicture, heic, secrets } from '../../src/testing/iso-files.ts'
import { photo, photoTypes } from '../files/photos.ts'

const words = ['Apple', 'iPhone', 'Erika', 'GPS', '2026:11:21', 'xmpmeta', 'Mustermann', ...secrets]
const saysNothing = (bytes: Buffer): void => {
  for (const word of words) expect([word, bytes.includes(word, 0, 'latin1')]).toEqual([word, false])
}

function cleaned(type: string, bytes: Buffer): Buffer {
  const clean = cleanCopy(type, bytes)
  if (clean === 'broken') throw new Error('an intact file counts as broken')
  return clean
}

const samples: readonly (readonly [type: string, bytes: Buffer])[] = [
  ...(await Promise.all(photoTypes.map(async (type) => [type, await photo(type, { orientation: 6 })] as const))),
  ['video/mp4', film()],
  ['video/quicktime', film('qt  ')],
  ['image/heic', heic()],
]

describe('what a counterparty downloads carries no metadata', () => {
  test.each(
    photoTypes.flatMap((type) =>
      [1, 3, 6, 8].flatMap((orientation) =>
        [false, true].map((progressive) => [type, orientation, progressive] as const),
      ),
    ),
  )(
    '%s turned %i (progressive %s): same pixels, same turning, same colours, no place, maker or date',
    async (type, orientation, progressive) => {
      const original = await photo(type, { orientation, progressive })
      const clean = cleaned(type, original)
      expect((await sharp(clean).raw().toBuffer()).equals(await sharp(original).raw().toBuffer())).toBe(true)
      const [before, after] = [await sharp(original).metadata(), await sharp(clean).metadata()]
      expect([after.orientation ?? 1, after.width, after.height]).toEqual([orientation, before.width, before.height])
      expect(after.icc?.equals(before.icc ?? Buffer.alloc(0))).toBe(true)
      expect([after.xmp, after.iptc]).toEqual([undefined, undefined])
      expect(before.xmp).toBeDefined()
      saysNothing(clean)
      expect(cleaned(type, clean)).toBe(clean)
    },
  )

  test.each(photoTypes)('a %s that says nothing is its own clean copy', async (type) => {
    const plain = await photo(type, { told: false })
    expect(cleanCopy(type, plain)).toBe(plain)
  })

  test('what is glued behind a picture goes', async () => {
    const glued = Buffer.concat([await photo('image/jpeg', { told: false }), Buffer.from('<script>Erika</script>')])
    saysNothing(cleaned('image/jpeg', glued))
    const png = Buffer.concat([await photo('image/png', { told: false }), Buffer.from('Erika')])
    saysNothing(cleaned('image/png', png))
  })

  test('a comment in a picture goes, and so does a thumbnail in its head', async () => {
    const plain = await photo('image/jpeg', { told: false })
    const comment = Buffer.concat([Buffer.of(0xff, 0xfe, 0, 2 + 5), Buffer.from('Erika')])
    const thumbnail = Buffer.concat([
      Buffer.of(0xff, 0xe0, 0, 19),
      Buffer.from('JFIF\0', 'latin1'),
      Buffer.of(1, 1, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9),
    ])
    const clean = cleaned(
      'image/jpeg',
      Buffer.concat([plain.subarray(0, 2), thumbnail, comment, plain.subarray(plain[3] === 0xe0 ? 20 : 2)]),
    )
    saysNothing(clean)
    expect(clean.includes(Buffer.of(9, 9, 9))).toBe(false)
    expect((await sharp(clean).raw().toBuffer()).equals(await sharp(plain).raw().toBuffer())).toBe(true)
  })

  test.each([
    ['video/mp4', film()],
    ['video/quicktime', film('qt  ')],
  ])('%s keeps its length and its samples; places, dates and tracks of positions are empty', (type, original) => {
    const clean = cleaned(type, original)
    expect(clean.length).toBe(original.length)
    expect(
      clean.subarray(filmPicture.from, filmPicture.to).equals(original.subarray(filmPicture.from, filmPicture.to)),
    ).toBe(true)
    saysNothing(clean)
    expect(clean.includes(Buffer.from([0xe8, 0x75, 0x49, 0x00]))).toBe(false) // 3 900 000 000 seconds since 1904
    expect(cleaned(type, clean)).toBe(clean)
  })

  test('HEIC keeps its length and its picture; the EXIF item is zero', () => {
    const clean = cleaned('image/heic', heic())
    expect(clean.length).toBe(heic().length)
    expect(clean.includes(Buffer.alloc(200, 0x5a))).toBe(true)
    saysNothing(clean)
  })

  test.each(['application/pdf', 'text/plain', 'application/json'])('%s is given as it is', (type) => {
    const bytes = Buffer.from('%PDF-1.7 /Author (x)')
    expect(cleanCopy(type, bytes)).toBe(bytes)
  })
})

describe('hostile files', () => {
  test.each(samples)('%s cut off anywhere is broken, or whole up to there', (type, bytes) => {
    let broken = 0
    for (let length = 0; length < bytes.length; length += 7) {
      const clean = cleanCopy(type, bytes.subarray(0, length))
      if (clean === 'broken') broken += 1
      else saysNothing(clean)
    }
    expect(broken).toBeGreaterThan(bytes.length / 7 - 3)
  })

  test.each(samples)('%s with any bytes changed never throws and never grows', (type, bytes) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 20 }), (changes) => {
        const spoilt = Buffer.from(bytes)
        for (const [at, value] of changes) spoilt[at] = value
        const clean = cleanCopy(type, spoilt)
        expect(clean === 'broken' || clean.length <= spoilt.length + 64).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test.each(samples.map(([type, bytes]) => [type, bytes.subarray(0, 24)] as const))(
    '%s: no bytes behind its head throw',
    (type, head) => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 400 }), (tail) => {
          const clean = cleanCopy(type, Buffer.concat([head, tail]))
          expect(clean === 'broken' || Buffer.isBuffer(clean)).toBe(true)
        }),
        { numRuns: 500 },
      )
    },
  )

  const full = 25 * 1_048_576
  const repeated = (head: Buffer, unit: Buffer): Buffer => Buffer.concat([head, Buffer.alloc(full - head.length, unit)])
  test.each([
    ['segments without end', 'image/jpeg', repeated(Buffer.of(0xff, 0xd8), Buffer.of(0xff, 0xdb, 0, 2))],
    ['fill bytes without end', 'image/jpeg', repeated(Buffer.of(0xff, 0xd8), Buffer.of(0xff))],
    ['a scan without end', 'image/jpeg', repeated(Buffer.of(0xff, 0xd8, 0xff, 0xda, 0, 2), Buffer.of(0xff, 0))],
    [
      'chunks without end',
      'image/png',
      repeated(
        samples[1]?.[1].subarray(0, 33) ?? Buffer.alloc(0),
        Buffer.concat([Buffer.alloc(4), Buffer.from('tEXt'), Buffer.alloc(4)]),
      ),
    ],
    ['boxes without end', 'video/mp4', repeated(box('ftyp', Buffer.from('isom')), box('moov'))],
    ['places without end', 'image/heic', claimingHeic(65_535)],
    [
      'tracks that each wipe everything',
      'video/mp4',
      film('isom', (moov) => Array.from({ length: 20_000 }, () => moov[2] ?? Buffer.alloc(0))),
    ],
  ])('%s (25 MiB of %s) cost a second of the processor at the most', (_what, type, bytes) => {
    const began = process.threadCpuUsage()
    expect(cleanCopy(type, bytes)).toBe('broken')
    expect(process.threadCpuUsage(began).user).toBeLessThan(1_000_000)
  })
})
