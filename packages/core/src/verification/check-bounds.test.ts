import { describe, expect, test } from 'vitest'
import { honestScene } from '../testing/spoof-scenes.ts'
import type { FileFacts } from './file-facts.ts'
import { fixOf, readInstant } from './fix-of.ts'
import { say, toldMetres } from './reasons.ts'
import type { Fix, InspectedFile, PositionReceipt, VerificationScene } from './scene.ts'
import { verificationChecks } from './verify-scene.ts'

/** Where one answer ends and the next begins. */

const answer = (check: string, change: Partial<VerificationScene>): string => {
  const found = verificationChecks({ ...honestScene, ...change }).find(({ name }) => name === check)
  return `${String(found?.result)}: ${String(found?.reason)}`
}
const place = { lat: 48, lng: 16, radiusM: 500 }
const received = honestScene.receivedAt
const after = (ms: number): Date => new Date(received.getTime() + ms)
/** A position so many metres north of the place. */
const north = (metres: number): { readonly lat: number; readonly lng: number } => ({
  lat: place.lat + (metres / 6_371_000) * (180 / Math.PI),
  lng: place.lng,
})
const aFix = (change: Partial<Fix> = {}, samples: readonly Fix[] = []) => ({
  ...north(40),
  accuracyM: 8,
  at: after(-60_000),
  ...change,
  samples,
})
const sample = (change: Partial<Fix> = {}): Fix => ({ ...north(40), accuracyM: 8, at: after(-60_000), ...change })
const aReceipt = (metres: number, change: Partial<PositionReceipt> = {}): PositionReceipt => ({
  submissionId: 's',
  taskId: 't',
  ...north(metres),
  accuracyM: 0,
  capturedAt: null,
  receivedAt: after(-100_000),
  ...change,
})
const facts: FileFacts = {
  sha256: 'a',
  contentType: 'image/jpeg',
  bytes: 1,
  width: 4_000,
  height: 3_000,
  image: { phash: '0123456789abcdef', variants: [] },
  exif: null,
  aiMarkers: [],
  trouble: null,
}
const aPhoto = (own: Partial<FileFacts> = {}, change: Partial<InspectedFile> = {}): InspectedFile => ({
  type: 'photo',
  file: { key: 'k', content_type: own.contentType ?? 'image/jpeg', bytes: 1, sha256: 'a' },
  facts: { ...facts, ...own },
  exactTwins: [],
  nearTwins: [],
  ...change,
})
const taken = (at: Partial<NonNullable<FileFacts['exif']>>): NonNullable<FileFacts['exif']> => ({
  present: true,
  make: null,
  model: null,
  software: null,
  takenAt: null,
  lat: null,
  lng: null,
  ...at,
})

describe('pictures', () => {
  test.each([
    [8, 'failed: a picture differs from an earlier one by 8 of 64 bits'],
    [9, 'inconclusive: a picture differs from an earlier one by 9 of 64 bits'],
    [12, 'inconclusive: a picture differs from an earlier one by 12 of 64 bits'],
    [13, 'passed: no earlier picture is like it'],
  ])('that differ from an earlier one by %i bits', (distance, expected) => {
    const twin = { submissionId: 's', taskId: 't', executorId: 'e' }
    const nearTwins = [
      { ...twin, distance: 40 },
      { ...twin, distance },
    ]
    expect(answer('near_duplicate', { files: [aPhoto(), aPhoto({}, { nearTwins })] })).toBe(expected)
  })

  test('are compared when one of them can be', () => {
    expect(answer('near_duplicate', { files: [aPhoto({ image: null }), aPhoto()] })).toBe(
      'passed: no earlier picture is like it',
    )
  })

  test.each([
    ['16 to 9', 1_080, 1_920],
    ['18 to 9', 1_080, 2_160],
    ['19 to 9', 1_080, 2_280],
    ['19.5 to 9', 1_080, 2_340],
    ['20 to 9', 1_080, 2_400],
    ['21 to 9', 1_080, 2_520],
    ['22 to 9', 1_080, 2_640],
    ['4 to 3', 1_536, 2_048],
    ['16 to 10', 1_600, 2_560],
  ])('as PNG in the shape of a screen, %s, have the look of one, upright or not', (_shape, width, height) => {
    const looks = 'inconclusive: a photo is a PNG in the shape of a screen and says nothing of a camera'
    const png = (own: Partial<FileFacts>) => aPhoto({ contentType: 'image/png', ...own })
    expect(answer('screenshot', { files: [png({ width, height })] })).toBe(looks)
    expect(answer('screenshot', { files: [aPhoto(), png({ width: height, height: width })] })).toBe(looks)
  })

  test.each([
    ['another shape', { contentType: 'image/png', width: 3_000, height: 2_000 }],
    ['no width', { contentType: 'image/png', width: null, height: 1_920 }],
    ['no height', { contentType: 'image/png', width: 1_080, height: null }],
    ['no size', { contentType: 'image/png', width: 0, height: 0 }],
    ['no breadth', { contentType: 'image/png', width: 1_080, height: 0 }],
    ['another format', { contentType: 'image/jpeg', width: 1_080, height: 1_920 }],
    ['a camera', { contentType: 'image/png', width: 1_080, height: 1_920, exif: taken({}) }],
  ] as const)('of %s have no look of a screen', (_what, own) => {
    expect(answer('screenshot', { files: [aPhoto(own)] })).toBe('passed: no photo has the look of a screen')
  })

  test('that are asked for as screenshots, and files that are none, are no photo', () => {
    const shot = aPhoto({ contentType: 'image/png', width: 1_080, height: 1_920 }, { type: 'screenshot' })
    const document = aPhoto({}, { type: 'text_response' })
    expect(answer('screenshot', { files: [shot, document] })).toBe('not_applicable: no photo was handed in')
  })

  test.each([
    [[2_000], 'passed: the pictures were taken where the position is, as they say'],
    [[2_020], 'failed: a picture says it was taken 2 km from the position'],
    [[10, 9_600], 'failed: a picture says it was taken 10 km from the position'],
  ])('taken %j metres away, with a position known to 8', (metres, expected) => {
    const files = metres.map((away) => aPhoto({ exif: taken(north(40 + away)) }))
    expect(answer('exif_consistency', { fix: aFix(), files })).toBe(expected)
  })

  test('say where they were taken by both coordinates, or not at all', () => {
    for (const exif of [taken({ lat: 1 }), taken({ lng: 1 })])
      expect(answer('exif_consistency', { files: [aPhoto({ exif })] })).toBe(
        'not_applicable: no picture says where it was taken',
      )
  })

  test('that say they were generated are quoted, three of them', () => {
    const files = [aPhoto({ aiMarkers: ['one', 'two'] }), aPhoto({ aiMarkers: ['three', 'four'] })]
    expect(answer('ai_markers', { files })).toBe('failed: a picture says it was generated (one, two, three)')
  })
})

describe('an accuracy', () => {
  const ones = (...accuracies: readonly number[]) => accuracies.map((accuracyM) => sample({ accuracyM }))
  test.each([
    ['of nothing', aFix({ accuracyM: 0 }), 'inconclusive: the device claims 0 m, as made-up positions do'],
    ['of a metre alone', aFix({ accuracyM: 1 }, ones(1)), 'passed: the device claims 1 m'],
    [
      'of a metre every time',
      aFix({ accuracyM: 1 }, ones(1, 1)),
      'inconclusive: the device claims 1 m, as made-up positions do',
    ],
    ['of a metre once', aFix({ accuracyM: 1 }, ones(1, 2)), 'passed: the device claims 1 m'],
    ['of the radius', aFix({ accuracyM: 500 }), 'passed: the device claims 500 m'],
    ['beyond the radius', aFix({ accuracyM: 501 }), 'inconclusive: the device claims 501 m; 500 m count'],
    ['of five kilometres', aFix({ accuracyM: 5_000 }), 'inconclusive: the device claims 5000 m; 500 m count'],
    ['beyond them', aFix({ accuracyM: 5_001 }), 'inconclusive: the device claims 5001 m, which is no position'],
  ])('%s', (_what, fix, expected) => {
    expect(answer('accuracy', { place, fix })).toBe(expected)
  })

  test('counts beyond any radius where the task names no place', () => {
    expect(answer('accuracy', { place: null, fix: aFix({ accuracyM: 900 }) })).toBe('passed: the device claims 900 m')
  })
})

describe('a position', () => {
  test('that only a picture tells proves nothing within the radius', () => {
    const files = [aPhoto(), aPhoto({ exif: taken(north(40)) })]
    expect(answer('proximity', { place, fix: null, files })).toBe(
      'inconclusive: 40 m from the place, known to 0 m; 500 m count; only a picture says so',
    )
  })

  test.each([
    [4e-6, 4e-6, 'failed: the position is the point of the task to five decimals'],
    [6e-6, 0, 'passed: the position is not copied from the task'],
    [0, -6e-6, 'passed: the position is not copied from the task'],
  ])('%d and %d degrees beside the point of the task', (lat, lng, expected) => {
    expect(answer('exact_target', { place, fix: aFix({ lat: place.lat + lat, lng: place.lng + lng }) })).toBe(expected)
  })

  test.each([
    [1_100, 29_999, 'inconclusive: 1060 m from a place reported less than 30 s before'],
    [1_100, 30_000, 'passed: no other place within 30 s'],
    [1_020, 29_999, 'passed: no other place within 30 s'],
  ])('%i metres from the place of %i ms before', (metres, ms, expected) => {
    const receipts = [aReceipt(metres, { receivedAt: after(-ms) })]
    expect(answer('rapid_repeat', { fix: aFix(), receipts })).toBe(expected)
  })
})

describe('raw fixes', () => {
  const at = (index: number) => ({ at: after(index * 1_000) })
  const five = [0, 1, 2, 3, 4]
  test.each([
    [
      'at one pace',
      five.map((one) => sample({ ...north(one), ...at(one) })),
      'failed: 5 fixes at one pace with one accuracy',
    ],
    [
      'at one pace with several accuracies',
      five.map((one) => sample({ ...north(one), ...at(one), accuracyM: one })),
      'passed: 5 fixes that wander',
    ],
    ['without a moment', five.map((one) => sample({ ...north(one), at: null })), 'passed: 5 fixes that wander'],
    [
      'without an accuracy',
      five.map((one) => sample({ ...north(one), ...at(one), accuracyM: null })),
      'passed: 5 fixes that wander',
    ],
    ['at one point', five.map(() => sample()), 'failed: 5 fixes without the least movement'],
    ['of four', five.slice(1).map(() => sample()), 'not_applicable: 4 fixes; 5 are needed to tell'],
  ])('%s', (_what, samples, expected) => {
    expect(answer('sample_jitter', { fix: aFix({}, samples) })).toBe(expected)
  })
})

describe('a journey', () => {
  const from = (metres: number, change: Partial<PositionReceipt> = {}) => aReceipt(40 + metres, change)
  const journey = (...receipts: readonly PositionReceipt[]): string =>
    answer('teleport', { fix: aFix({ accuracyM: 0, at: null }), receipts })

  test('is possible up to 70 metres a second, doubtful up to 300, then impossible', () => {
    const told = '100 s since an earlier position'
    expect(journey(from(6_990))).toBe(`passed: 6990 m in ${told}: 252 km/h`)
    expect(journey(from(7_010))).toBe(`inconclusive: 7010 m in ${told}: 252 km/h`)
    expect(journey(from(29_900))).toBe(`inconclusive: 30 km in ${told}: 1076 km/h`)
    expect(journey(from(30_100))).toBe(`failed: 30 km in ${told}: 1084 km/h`)
  })

  test('is as short as the accuracies of both ends allow, and takes a minute at least', () => {
    const near = from(1_000, { accuracyM: 300, receivedAt: after(-1_000) })
    expect(answer('teleport', { fix: aFix({ accuracyM: 200, at: null }), receipts: [near] })).toBe(
      'passed: 500 m in 60 s since an earlier position: 30 km/h',
    )
    expect(
      answer('teleport', { fix: aFix({ accuracyM: 200, at: null }), receipts: [from(400, { accuracyM: 300 })] }),
    ).toBe('passed: 0 m in 100 s since an earlier position: 0 km/h')
  })

  test('is told of the place from which it was the hardest', () => {
    expect(journey(from(1_000), from(3_000), from(2_000))).toBe(
      'passed: 3000 m in 100 s since an earlier position: 108 km/h',
    )
  })

  test('begins at a place that is known to five kilometres', () => {
    expect(journey(from(100, { accuracyM: 5_000 }))).toBe('passed: 0 m in 100 s since an earlier position: 0 km/h')
    expect(journey(from(100, { accuracyM: 5_001 }))).toBe(
      'inconclusive: no earlier position of this worker is known well enough',
    )
  })
})

describe('the time of capture', () => {
  const { assignedAt } = honestScene
  const window = (at: Date, change: Partial<VerificationScene> = {}): string =>
    answer('time_window', { fix: aFix({ at }), files: [], device: { clock: null, utcOffsetMin: null }, ...change })
  const inTime = 'passed: captured between assignment and submission'

  test('lies between two minutes before the assignment and two after the submission', () => {
    expect(window(new Date(assignedAt.getTime() - 120_000))).toBe(inTime)
    expect(window(new Date(assignedAt.getTime() - 180_000))).toBe('failed: captured 3 min before the task was assigned')
    expect(window(after(120_000))).toBe(inTime)
    expect(window(after(120_001 + 3 * 3_600_000))).toBe('failed: captured 3 h after it can have been')
  })

  test('and not after the deadline', () => {
    expect(window(after(0), { deadline: after(0) })).toBe(inTime)
    expect(window(after(60_000), { deadline: after(0) })).toBe('failed: captured 1 min after it can have been')
  })

  test('of a picture counts beside that of the position', () => {
    const files = [aPhoto({ exif: taken({ takenAt: after(300_000) }) })]
    expect(window(after(0), { files })).toBe('failed: captured 3 min after it can have been')
  })

  test('is explained by a clock that is off by three hours, and no more', () => {
    const skewed = (ms: number) => ({ device: { clock: after(ms), utcOffsetMin: null } })
    expect(window(after(10_800_000), skewed(10_800_000))).toBe(
      'inconclusive: captured 3 h after it can have been, by a clock that is off by 3 h',
    )
    expect(window(after(10_800_001), skewed(10_800_001))).toBe('failed: captured 3 h after it can have been')
  })
})

describe('the clock of a device', () => {
  const clock = (ms: number | null, utcOffsetMin: number | null, lng = 0): string =>
    answer('clock', { fix: aFix({ lng }), device: { clock: ms === null ? null : after(ms), utcOffsetMin } })
  test.each([
    ['five minutes off', clock(300_000, null), 'passed: clock and zone of the device fit'],
    ['more than that', clock(-300_001, null), 'inconclusive: the clock of the device is off by 5 min'],
    ['three zones away', clock(null, 180), 'passed: clock and zone of the device fit'],
    ['further', clock(null, 186), 'inconclusive: the zone of the device is 3.1 hours from where it claims to be'],
    ['around the date line', clock(null, 11 * 60, -170), 'passed: clock and zone of the device fit'],
    ['untold', clock(null, null), 'not_applicable: the device told nothing of its clock'],
  ])('%s', (_what, told, expected) => {
    expect(told).toBe(expected)
  })
})

describe('what a reviewer says', () => {
  const review = (...verdicts: readonly ('yes' | 'no' | 'unclear')[]): string =>
    answer('review', {
      review: {
        outcome: 'answered',
        answers: verdicts.map((verdict) => ({ id: 'a', verdict, reason: 'because' })),
        injection: false,
        model: 'm',
      },
    })
  test('is a yes when every answer is, and there is one', () => {
    expect([review('yes', 'yes'), review('yes', 'unclear'), review()]).toEqual([
      'passed: the reviewer answers yes to every question',
      'inconclusive: the reviewer could not tell',
      'inconclusive: the reviewer could not tell',
    ])
  })
})

test('distances are told to a metre below ten kilometres, then to a kilometre', () => {
  expect([9_999.4, 10_000, 10_600].map(toldMetres)).toEqual([9_999, 10_000, 11_000])
  const told = (early_s: number): string => say('captured_before_assignment', { early_s }).reason
  expect([10, 119 * 60, 120 * 60].map(told)).toEqual([
    'captured 1 min before the task was assigned',
    'captured 119 min before the task was assigned',
    'captured 2 h before the task was assigned',
  ])
})

describe('a position in evidence', () => {
  test('keeps what the device told, and of its raw fixes those that are positions', () => {
    const told = { lat: 1, lng: 2, accuracy_meters: 3, timestamp: '2026-11-21T12:00:00Z' }
    const bare = { lat: 1, lng: 2, accuracyM: null, at: null }
    expect(fixOf({ ...told, samples: [{ lat: 1, lng: 2 }, { lat: 1 }, { lng: 2 }, 'here', null, [1, 2]] })).toEqual({
      lat: 1,
      lng: 2,
      accuracyM: 3,
      at: new Date('2026-11-21T12:00:00Z'),
      samples: [bare],
    })
    expect(fixOf({ lat: 1, lng: 2 })).toEqual({ ...bare, samples: [] })
    expect([undefined, null, 'here', [1], { lat: 1 }].map(fixOf)).toEqual([null, null, null, null, null])
  })

  test('has a moment when it names its zone', () => {
    expect([
      readInstant('2026-11-21T12:00:00Z'),
      readInstant('2026-11-21T12:00:00+01:00'),
      readInstant('2026-11-21T12:00:00'),
      readInstant('2026-13-41T12:00:00Z'),
    ]).toEqual([new Date('2026-11-21T12:00:00Z'), new Date('2026-11-21T11:00:00Z'), null, null])
  })
})
