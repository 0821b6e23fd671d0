import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkReasonCodes } from '@ergon/contract'
import type { Check, CheckFigures, CheckResult } from '../submissions/submission.ts'
import type { VerificationScene } from './scene.ts'
import { spoofCorpus } from '../testing/spoof-corpus.ts'
import { honestScene } from '../testing/spoof-scenes.ts'
import { reasonSentences } from './reasons.ts'
import { checkWeights, verificationChecks, weightedScore } from './verify-scene.ts'
import { withoutCoordinates } from './without-coordinates.ts'

const resultsOf = (scene: VerificationScene): Readonly<Record<string, CheckResult>> =>
  Object.fromEntries(verificationChecks(scene).map(({ name, result }) => [name, result]))

describe('what honest and dishonest workers hand in', () => {
  test.each(spoofCorpus)('$name', ({ scene, expected }) => {
    const results = resultsOf(scene)
    expect(results).toMatchObject(expected)
    for (const [name, result] of Object.entries(results))
      if (!(name in expected)) expect(`${name} ${result}`).not.toBe(`${name} failed`)
  })

  test('nobody honest fails a check, and every spoof is at least noticed', () => {
    for (const { honest, scene, name } of spoofCorpus) {
      const found = Object.values(resultsOf(scene)).filter((result) => result === 'failed')
      if (honest) expect([name, found]).toEqual([name, []])
      else
        expect([
          name,
          Object.values(resultsOf(scene)).some((result) => result === 'failed' || result === 'inconclusive'),
        ]).toEqual([name, true])
    }
    expect(spoofCorpus.length).toBeGreaterThanOrEqual(40)
  })
})

const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
const instant = fc.date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
const fix = fc.record({
  lat: degrees(90),
  lng: degrees(180),
  accuracyM: fc.option(fc.double({ min: 0, max: 100_000, noNaN: true })),
  at: fc.option(instant),
})
const exif = fc.record({
  present: fc.boolean(),
  make: fc.constant(null),
  model: fc.constant(null),
  software: fc.constant(null),
  takenAt: fc.option(instant),
  lat: fc.option(degrees(90)),
  lng: fc.option(degrees(180)),
})
const twin = fc.constant({ submissionId: 'secret-submission', taskId: 'secret-task', executorId: 'secret-worker' })
const file = fc.record({
  type: fc.constantFrom('photo' as const, 'screenshot' as const, 'document' as const, 'video' as const),
  file: fc.record({
    key: fc.constant('k'),
    content_type: fc.constantFrom('image/jpeg', 'image/png', 'application/pdf', 'video/mp4'),
    bytes: fc.nat(),
    sha256: fc.constant('a'),
  }),
  facts: fc.option(
    fc.record({
      sha256: fc.constant('a'),
      contentType: fc.constantFrom('image/jpeg', 'image/png'),
      bytes: fc.nat(),
      width: fc.option(fc.nat(9_000)),
      height: fc.option(fc.nat(9_000)),
      image: fc.option(fc.constant({ phash: '0000000000000000', variants: [] })),
      exif: fc.option(exif),
      aiMarkers: fc.array(fc.string(), { maxLength: 3 }),
      trouble: fc.constantFrom(null, 'timeout' as const, 'unreadable' as const, 'too_large' as const),
    }),
  ),
  exactTwins: fc.array(twin, { maxLength: 2 }),
  nearTwins: fc.array(
    fc.record({
      submissionId: fc.constant('secret-submission'),
      taskId: fc.constant('secret-task'),
      executorId: fc.constant('secret-worker'),
      distance: fc.nat(64),
    }),
    { maxLength: 2 },
  ),
})
const review = fc.option(
  fc.oneof(
    fc.record({
      outcome: fc.constant('unavailable' as const),
      reason: fc.constantFrom('timeout' as const, 'refused' as const, 'malformed' as const, 'unreachable' as const),
    }),
    fc.record({
      outcome: fc.constant('answered' as const),
      answers: fc.array(
        fc.record({
          id: fc.constant('a'),
          verdict: fc.constantFrom('yes' as const, 'no' as const, 'unclear' as const),
          reason: fc.constant('because'),
        }),
        { maxLength: 3 },
      ),
      injection: fc.boolean(),
      model: fc.constant('m'),
    }),
  ),
)
const anyScene: fc.Arbitrary<VerificationScene> = fc.record({
  category: fc.constant('physical_presence' as const),
  evidenceRequired: fc.constant(['photo' as const]),
  place: fc.option(fc.record({ lat: degrees(90), lng: degrees(180), radiusM: fc.integer({ min: 10, max: 50_000 }) })),
  assignedAt: instant,
  deadline: instant,
  receivedAt: instant,
  fix: fc.option(fc.tuple(fix, fc.array(fix, { maxLength: 8 })).map(([one, samples]) => ({ ...one, samples }))),
  device: fc.record({ clock: fc.option(instant), utcOffsetMin: fc.option(fc.integer({ min: -840, max: 840 })) }),
  files: fc.array(file, { maxLength: 3 }),
  receipts: fc.array(
    fc.record({
      submissionId: fc.constant('secret-submission'),
      taskId: fc.constant('secret-task'),
      lat: degrees(90),
      lng: degrees(180),
      accuracyM: fc.option(fc.double({ min: 0, max: 10_000, noNaN: true })),
      capturedAt: fc.option(instant),
      receivedAt: instant,
    }),
    { maxLength: 3 },
  ),
  review,
})

test('a reviewer that tells where it was is shown without the place', () => {
  const told = verificationChecks({
    ...honestScene,
    review: {
      outcome: 'answered',
      answers: [{ id: 'a', verdict: 'no', reason: 'The picture says 48.20857, 16.37381.' }],
      injection: false,
      model: 'm',
    },
  })
  expect(told.find(({ name }) => name === 'review')?.reason).toBe(
    'the reviewer says no: The picture says [number], [number].',
  )
})

describe('nothing invents a number (decision 0053)', () => {
  test('the checks answer any scene at all, each once and by its name', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        expect(verificationChecks(scene).map(({ name }) => name)).toEqual(Object.keys(checkWeights))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a check decides only what it was given something to decide by', () => {
    const decided = (result: CheckResult | undefined): boolean => result === 'passed' || result === 'failed'
    fc.assert(
      fc.property(anyScene, (scene) => {
        const bare = resultsOf({
          ...scene,
          place: null,
          fix: null,
          files: [],
          receipts: [],
          review: null,
          device: { clock: null, utcOffsetMin: null },
        })
        expect(
          Object.entries(bare)
            .filter(([, result]) => decided(result))
            .map(([name]) => name),
        ).toEqual(['schema'])
        if (scene.place === null) expect(decided(resultsOf(scene)['proximity'])).toBe(false)
        if (scene.receipts.length === 0) expect(decided(resultsOf(scene)['teleport'])).toBe(false)
        if (scene.review?.outcome !== 'answered') expect(decided(resultsOf(scene)['review'])).toBe(false)
      }),
      { numRuns: 1_000 },
    )
  })

  test('the score is a share of what was decided, and null exactly when nothing was', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        const checks = verificationChecks(scene).filter(({ name }) => name !== 'schema')
        const { score, coverage } = weightedScore(checks)
        const decided = checks.filter(({ result }) => result === 'passed' || result === 'failed')
        expect(score === null).toBe(decided.length === 0)
        for (const share of [score, coverage]) if (share !== null) expect(share >= 0 && share <= 1).toBe(true)
        if (decided.length > 0 && decided.every(({ result }) => result === 'passed')) expect(score).toBe(1)
      }),
      { numRuns: 1_000 },
    )
  })

  test('what did not run moves no score and shows in the coverage', () => {
    const full = weightedScore(
      verificationChecks({
        ...honestScene,
        review: {
          outcome: 'answered',
          answers: [{ id: 'a', verdict: 'yes', reason: '' }],
          injection: false,
          model: 'm',
        },
      }),
    )
    const without = weightedScore(verificationChecks(honestScene))
    expect([full.score, without.score]).toEqual([1, 1])
    expect(without.coverage).toBeLessThan(full.coverage ?? 0)
  })

  test('a reason names nobody else and no coordinate', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        const reasons = verificationChecks(scene)
          .map(({ reason }) => reason)
          .join('\n')
        expect(reasons).not.toContain('secret')
        for (const value of [scene.place?.lat, scene.place?.lng, scene.fix?.lat, scene.fix?.lng])
          if (value !== undefined && String(value).length > 6) expect(reasons).not.toContain(String(value))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a reason is a code with its figures (decision 0053)', () => {
  /** The sentence again, from nothing but what a client has of it. */
  const printed = ({ code, figures }: Check): string =>
    code === null || figures === null ? '' : (reasonSentences[code] as (figures: CheckFigures) => string)(figures)

  test('for any scene the code is of the list, and the reason is what code and figures print', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        for (const check of verificationChecks(scene)) {
          expect(checkReasonCodes).toContain(check.code)
          // As a client has them, which has read them from JSON.
          expect(printed(JSON.parse(JSON.stringify(check)) as Check)).toBe(check.reason)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('no figure holds a coordinate, nor a measure finer than the sentence tells it', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        const positions = [scene.place, scene.fix, ...scene.receipts].flatMap((one) =>
          one === null ? [] : [one.lat, one.lng],
        )
        for (const { figures } of verificationChecks(scene))
          for (const [name, figure] of Object.entries(figures ?? {})) {
            if (typeof figure === 'string') expect(figure).toBe(withoutCoordinates(figure))
            else if (name === 'apart_h') expect(Number(figure.toFixed(1))).toBe(figure)
            else expect([name, Number.isInteger(figure)]).toEqual([name, true])
            for (const degrees of positions) if (!Number.isInteger(degrees * 10)) expect(figure).not.toBe(degrees)
          }
      }),
      { numRuns: 500 },
    )
  })

  test('words of a reviewer are cut with their sentence, and without the places they name', () => {
    const [told] = verificationChecks({
      ...honestScene,
      review: {
        outcome: 'answered',
        answers: [{ id: 'a', verdict: 'no', reason: `At 48.20857, 16.37381. ${'long '.repeat(60)}` }],
        injection: false,
        model: 'm',
      },
    }).slice(-1)
    expect(told?.reason).toHaveLength(200)
    expect(told).toMatchObject({
      code: 'reviewer_says_no',
      figures: { words: told?.reason.slice('the reviewer says no: '.length) },
    })
    expect(told?.figures?.['words']).toMatch(/^At \[number\], \[number\]\. long/)
  })

  test('every code is the reason of some check', () => {
    const met = new Set(spoofCorpus.flatMap(({ scene }) => verificationChecks(scene).map(({ code }) => code)))
    for (const scene of fc.sample(anyScene, { numRuns: 3_000, seed: 53 }))
      for (const { code } of verificationChecks(scene)) met.add(code)
    expect(checkReasonCodes.filter((code) => !met.has(code))).toEqual([])
  })
})
