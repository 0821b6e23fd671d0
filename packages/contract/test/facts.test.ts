import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  contentTypeOf,
  evidenceContentTypes,
  evidenceKindOf,
  evidenceTypes,
  feeBps,
  fileKinds,
  filesOf,
  pictureTypes,
  showsSomething,
  splitFee,
  tamed,
} from '@ergon/contract/facts'

const bounties = fc.bigInt(10_000n, 10_000_000_000n)

test('the fee is 13 % by the specification', () => {
  expect(feeBps).toBe(1_300)
  expect(splitFee(100n)).toEqual({ fee: 13n, payout: 87n })
  expect(splitFee(100n, 250)).toEqual({ fee: 2n, payout: 98n })
})

test('fee and payout are the gross, and the worker has the rounding', () => {
  fc.assert(
    fc.property(bounties, (gross) => {
      const { payout, fee } = splitFee(gross)
      expect(payout + fee).toBe(gross)
      expect(fee * 100n <= gross * 13n && (fee + 1n) * 100n > gross * 13n).toBe(true)
    }),
  )
})

test('an ending names one kind of file', () => {
  const endings = evidenceContentTypes.flatMap((type) => fileKinds[type].endings)
  expect(new Set(endings).size).toBe(endings.length)
  expect(contentTypeOf('JPEG')).toBe('image/jpeg')
  expect(contentTypeOf('exe')).toBeUndefined()
})

test('no file of one kind with a signature begins like another', () => {
  const begins: Readonly<Record<string, string>> = {
    'image/jpeg': '\xff\xd8\xff\xe0',
    'image/png': '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
    'image/webp': 'RIFF\x24\n\0\0WEBPVP8 ',
    'image/heic': '\0\0\0\x18ftypheic',
    'application/pdf': '%PDF-1.7',
    'video/mp4': '\0\0\0\x18ftypisom',
    'video/quicktime': '\0\0\0\x14ftypqt  ',
  }
  for (const [type, head] of Object.entries(begins)) {
    const fitting = evidenceContentTypes.filter((one) => !fileKinds[one].isText && fileKinds[one].begins.test(head))
    expect(fitting).toEqual([type])
  }
})

test('what is asked for as a file takes files, and nothing else does', () => {
  for (const type of evidenceTypes) expect(filesOf(type).length > 0).toBe(evidenceKindOf(type)?.kind === 'file')
  expect(evidenceKindOf('toString')).toBeUndefined()
  expect([...pictureTypes].sort()).toEqual([
    'document',
    'notarized',
    'photo',
    'photo_geo',
    'receipt',
    'screenshot',
    'signature',
  ])
})

test.each([
  '',
  ' ',
  '\n\t',
  '\u00a0\u2003',
  '\u200b\u200d\u2060',
  '\u202e\u2066',
  '\u00ad',
  '\u115f\u3164\uffa0',
  '\u2800',
  '\ufe0f',
  '\u{e0041}',
])('%j shows nothing', (text) => {
  expect(showsSomething(text)).toBe(false)
  expect(showsSomething(`${text}.`)).toBe(true)
})

test.each(['a', '門', '🚪', '👩\u200d🔧', 'é', '\u0301', '\ufffd'])('%j shows something', (text) => {
  expect(showsSomething(text)).toBe(true)
})

test('what is tamed turns nothing and piles no more than four marks, and any script stays as it is', () => {
  expect(tamed('Pay \u202egnihton\u202c 5')).toBe('Pay gnihton 5')
  expect(tamed(`Za${'\u0301'.repeat(40)}lgo`)).toBe(`Za${'\u0301'.repeat(4)}lgo`)
  for (const text of ['शक्ति', 'Việt', '❤️‍🔥', 'مريم']) expect(tamed(text)).toBe(text)
})
