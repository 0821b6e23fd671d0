import type { Fix, VerificationScene } from '../verification/scene.ts'
import {
  at,
  north,
  fix,
  wandering,
  standing,
  marching,
  facts,
  camera,
  twin,
  photo,
  receipt,
  honestScene,
} from './spoof-scenes.ts'

/** One submission as an honest or a dishonest worker would make it, and what the checks must say of it. */
export type CorpusCase = {
  readonly name: string
  readonly honest: boolean
  readonly scene: VerificationScene
  /** Checks that must answer so; every other check must not answer `failed`. */
  readonly expected: Readonly<Record<string, 'passed' | 'failed' | 'inconclusive' | 'not_applicable' | 'error'>>
}

type Change = Partial<VerificationScene>
const honest = (name: string, change: Change, expected: CorpusCase['expected'] = {}): CorpusCase => ({
  name,
  honest: true,
  scene: { ...honestScene, ...change },
  expected,
})
const spoof = (name: string, change: Change, expected: CorpusCase['expected']): CorpusCase => ({
  name,
  honest: false,
  scene: { ...honestScene, ...change },
  expected,
})
const placed = (metres: number, change: Partial<Fix> = {}, samples: readonly Fix[] = []): Change => ({
  fix: { ...fix(metres, change), samples },
})

/** Forty-odd ways to hand in work, true and false; the reference page counts what is caught and who is wronged. */
export const spoofCorpus: readonly CorpusCase[] = [
  honest(
    'at the gate with photo and fixes',
    {},
    {
      proximity: 'passed',
      sample_jitter: 'passed',
      teleport: 'passed',
      time_window: 'passed',
      exact_duplicate: 'passed',
      near_duplicate: 'passed',
      ai_markers: 'passed',
    },
  ),
  honest('at the edge of the radius', placed(485), { proximity: 'passed' }),
  honest('astride the edge', placed(496), { proximity: 'inconclusive' }),
  honest('a poor fix indoors', placed(120, { accuracyM: 700 }), {
    proximity: 'inconclusive',
    accuracy: 'inconclusive',
  }),
  honest('no accuracy told', placed(40, { accuracyM: null }), { proximity: 'passed', accuracy: 'inconclusive' }),
  honest('a task without a place', { place: null }, { proximity: 'not_applicable', exact_target: 'not_applicable' }),
  honest(
    'text only',
    {
      place: null,
      fix: null,
      files: [],
      evidenceRequired: ['text_response'],
      device: { clock: null, utcOffsetMin: null },
    },
    {
      proximity: 'not_applicable',
      exact_duplicate: 'not_applicable',
      near_duplicate: 'not_applicable',
      clock: 'not_applicable',
      time_window: 'not_applicable',
    },
  ),
  honest('a photo and no position', { fix: null }, { proximity: 'inconclusive' }),
  honest(
    'the first work of a worker',
    { receipts: [] },
    { teleport: 'not_applicable', rapid_repeat: 'not_applicable' },
  ),
  honest('by train from another city', { receipts: [receipt(150_000, 0)] }, { teleport: 'passed' }),
  honest('by air from another country', { receipts: [receipt(900_000, 0)] }, { teleport: 'inconclusive' }),
  honest(
    'two places of one street, handed in together',
    { receipts: [receipt(390, 60 - 1 / 60, { capturedAt: at(50) })] },
    { teleport: 'passed', rapid_repeat: 'passed' },
  ),
  honest(
    'two places of one street, one after the other',
    { receipts: [receipt(390, 60 - 1 / 60, { capturedAt: null })] },
    { teleport: 'passed' },
  ),
  honest(
    'two towns of one morning, handed in together',
    { receipts: [receipt(30_000, 60 - 1 / 60, { capturedAt: at(20) })] },
    { teleport: 'inconclusive', rapid_repeat: 'inconclusive' },
  ),
  honest(
    'a device that lost itself once',
    { receipts: [receipt(900_000, 58, { accuracyM: 100_000 }), receipt(3_000, 0)] },
    { teleport: 'passed' },
  ),
  honest('few fixes', placed(40, {}, wandering(3)), { sample_jitter: 'not_applicable' }),
  honest('a device without a clock', { device: { clock: null, utcOffsetMin: null } }, { clock: 'not_applicable' }),
  honest('a clock four minutes off', { device: { clock: at(64), utcOffsetMin: 60 } }, { clock: 'passed' }),
  honest(
    'a clock ten minutes fast',
    { fix: { ...fix(40, { at: at(69) }), samples: [] }, device: { clock: at(70), utcOffsetMin: 60 } },
    { time_window: 'inconclusive', clock: 'inconclusive' },
  ),
  honest(
    'a clock ten minutes slow, right after the assignment',
    {
      assignedAt: at(55),
      fix: { ...fix(40, { at: at(49) }), samples: [] },
      device: { clock: at(50), utcOffsetMin: 60 },
    },
    { time_window: 'inconclusive', clock: 'inconclusive' },
  ),
  honest(
    'a clock ten minutes fast, and within the window all the same',
    {
      receivedAt: at(60),
      fix: { ...fix(40, { at: at(30) }), samples: [] },
      device: { clock: at(70), utcOffsetMin: 60 },
    },
    { time_window: 'passed', clock: 'inconclusive' },
  ),
  honest('summer time and a broad zone', { device: { clock: at(60), utcOffsetMin: 180 } }, { clock: 'passed' }),
  honest(
    'a camera that tells all',
    { files: [photo({ facts: facts({ exif: camera(north(60)) }) })] },
    { exif_consistency: 'passed', time_window: 'passed' },
  ),
  honest('a photo without a word of itself', { files: [photo()] }, { exif_consistency: 'not_applicable' }),
  honest(
    'a picture of another gate',
    { files: [photo({ nearTwins: [{ ...twin, distance: 14 }] })] },
    { near_duplicate: 'passed' },
  ),
  honest(
    'a picture somewhat like another',
    { files: [photo({ nearTwins: [{ ...twin, distance: 10 }] })] },
    { near_duplicate: 'inconclusive' },
  ),
  honest('a blank sheet', { files: [photo({ facts: facts({ image: null }) })] }, { near_duplicate: 'not_applicable' }),
  honest(
    'a photo saved as PNG by an editor',
    { files: [photo({ facts: facts({ contentType: 'image/png', width: 3_000, height: 2_000 }) })] },
    { screenshot: 'passed' },
  ),
  honest(
    'a document as PDF',
    {
      files: [
        photo({
          type: 'document',
          file: { key: 'k', content_type: 'application/pdf', bytes: 1, sha256: 'b'.repeat(64) },
          facts: facts({ contentType: 'application/pdf', image: null, width: null, height: null }),
        }),
      ],
    },
    { near_duplicate: 'not_applicable', ai_markers: 'not_applicable', screenshot: 'not_applicable' },
  ),
  honest(
    'submitted seconds after assignment',
    { assignedAt: at(59), fix: { ...fix(40, { at: at(59) }), samples: [] } },
    { time_window: 'passed' },
  ),
  honest(
    'across the antimeridian',
    {
      place: { lat: 0, lng: 179.999, radiusM: 500 },
      fix: { lat: 0, lng: -179.999, accuracyM: 8, at: at(59), samples: [] },
      receipts: [],
      device: { clock: at(60), utcOffsetMin: -720 },
    },
    { proximity: 'passed', clock: 'passed' },
  ),
  honest(
    'a reviewer that is pleased',
    {
      review: { outcome: 'answered', answers: [{ id: 'a', verdict: 'yes', reason: '' }], injection: false, model: 'm' },
    },
    { review: 'passed' },
  ),
  honest(
    'a reviewer that cannot tell',
    {
      review: {
        outcome: 'answered',
        answers: [{ id: 'a', verdict: 'unclear', reason: '' }],
        injection: false,
        model: 'm',
      },
    },
    { review: 'inconclusive' },
  ),
  honest('a reviewer that is silent', { review: { outcome: 'unavailable', reason: 'timeout' } }, { review: 'error' }),
  honest(
    'a file that could not be opened',
    { files: [photo({ facts: facts({ trouble: 'timeout', image: null }) })] },
    { exact_duplicate: 'passed', near_duplicate: 'error', ai_markers: 'error' },
  ),
  honest(
    'a file that nobody came to open',
    { files: [photo({ facts: null })] },
    { exact_duplicate: 'error', near_duplicate: 'error', ai_markers: 'error' },
  ),
  honest(
    'one file opened and one not',
    { files: [photo(), photo({ type: 'screenshot', facts: null })] },
    { exact_duplicate: 'error' },
  ),

  spoof('from home, five kilometres away', placed(5_000), { proximity: 'failed' }),
  spoof('just outside for certain', placed(520), { proximity: 'failed' }),
  spoof('far away, with an accuracy that hides it', placed(5_000, { accuracyM: 6_000 }), {
    proximity: 'inconclusive',
    accuracy: 'inconclusive',
  }),
  spoof('the coordinates of the task, copied', placed(0), { exact_target: 'failed' }),
  spoof(
    'copied and rounded to five decimals',
    { fix: { lat: 48.208_21, lng: 16.373_81, accuracyM: 12, at: at(59), samples: [] } },
    { exact_target: 'failed' },
  ),
  spoof('a mock that never moves', placed(40, {}, standing(12)), { sample_jitter: 'failed' }),
  spoof('a mock that marches', placed(40, {}, marching(12)), { sample_jitter: 'failed' }),
  spoof('an accuracy of nought', placed(40, { accuracyM: 0 }), { accuracy: 'inconclusive' }),
  spoof(
    'an accuracy of one, always',
    placed(
      40,
      { accuracyM: 1 },
      wandering(6).map((one) => ({ ...one, accuracyM: 1 })),
    ),
    { accuracy: 'inconclusive' },
  ),
  spoof('on two continents within the hour', { receipts: [receipt(9_000_000, 50)] }, { teleport: 'failed' }),
  spoof(
    'on two continents, with an accuracy that hides the jump',
    { receipts: [receipt(40, 55, { accuracyM: 100_000 }), receipt(9_000_000, 50)] },
    { teleport: 'failed' },
  ),
  spoof(
    'on two continents, now with an accuracy that hides the jump',
    { ...placed(40, { accuracyM: 9_000_000 }), receipts: [receipt(9_000_000, 50)] },
    { teleport: 'inconclusive', accuracy: 'inconclusive' },
  ),
  spoof(
    'on two continents, with a stop at home between',
    { receipts: [receipt(60, 59), receipt(9_000_000, 50)] },
    { teleport: 'failed' },
  ),
  spoof(
    'on two continents at one time by its own clock',
    { receipts: [receipt(9_000_000, -24 * 60, { capturedAt: at(58) })] },
    { teleport: 'inconclusive' },
  ),
  spoof(
    'two towns within twenty seconds',
    { receipts: [receipt(30_000, 60 - 1 / 3)] },
    { teleport: 'failed', rapid_repeat: 'inconclusive' },
  ),
  spoof(
    'a photo of last week',
    { files: [photo({ facts: facts({ exif: camera({ takenAt: at(-7 * 24 * 60) }) }) })] },
    { time_window: 'failed' },
  ),
  spoof(
    'a photo of tomorrow',
    { files: [photo({ facts: facts({ exif: camera({ takenAt: at(24 * 60 + 90) }) }) })] },
    { time_window: 'failed' },
  ),
  spoof(
    'a photo of last week, by a clock turned back as far',
    {
      files: [photo({ facts: facts({ exif: camera({ takenAt: at(-7 * 24 * 60) }) }) })],
      device: { clock: at(-7 * 24 * 60 + 60), utcOffsetMin: 60 },
    },
    { time_window: 'failed', clock: 'inconclusive' },
  ),
  spoof(
    'a photo of yesterday and a clock ten minutes fast',
    {
      fix: { ...fix(40, { at: at(69) }), samples: [] },
      files: [photo({ facts: facts({ exif: camera({ takenAt: at(-24 * 60) }) }) })],
      device: { clock: at(70), utcOffsetMin: 60 },
    },
    { time_window: 'failed' },
  ),
  spoof('a position from before the assignment', placed(40, { at: at(-30) }), { time_window: 'failed' }),
  spoof('a device in another hemisphere', { device: { clock: at(60), utcOffsetMin: -480 } }, { clock: 'inconclusive' }),
  spoof(
    'a device whose clock was turned back',
    { device: { clock: at(0), utcOffsetMin: 60 } },
    { clock: 'inconclusive' },
  ),
  spoof('the file of another worker', { files: [photo({ exactTwins: [twin] })] }, { exact_duplicate: 'failed' }),
  spoof(
    'the file of another worker, next to one that was not opened',
    { files: [photo({ exactTwins: [twin] }), photo({ type: 'screenshot', facts: null })] },
    { exact_duplicate: 'failed' },
  ),
  spoof(
    'the photo of another worker, saved anew',
    { files: [photo({ nearTwins: [{ ...twin, distance: 2 }] })] },
    { near_duplicate: 'failed' },
  ),
  spoof(
    'the photo of another worker, mirrored',
    { files: [photo({ nearTwins: [{ ...twin, distance: 0 }] })] },
    { near_duplicate: 'failed' },
  ),
  spoof(
    'one good photo and one copied',
    { files: [photo(), photo({ type: 'screenshot', nearTwins: [{ ...twin, distance: 8 }] })] },
    { near_duplicate: 'failed' },
  ),
  spoof(
    'a camera that was elsewhere',
    { files: [photo({ facts: facts({ exif: camera(north(40_000)) }) })] },
    { exif_consistency: 'failed' },
  ),
  spoof(
    'only a camera, and it was elsewhere',
    { fix: null, files: [photo({ facts: facts({ exif: camera(north(40_000)) }) })] },
    { proximity: 'failed' },
  ),
  spoof(
    'a picture that says it was generated',
    { files: [photo({ facts: facts({ aiMarkers: ['trainedAlgorithmicMedia'] }) })] },
    { ai_markers: 'failed' },
  ),
  spoof(
    'a photo that is a screen',
    { files: [photo({ facts: facts({ contentType: 'image/png', width: 1_170, height: 2_532 }) })] },
    { screenshot: 'inconclusive' },
  ),
  spoof(
    'text that tells the reviewer to approve',
    {
      review: { outcome: 'answered', answers: [{ id: 'a', verdict: 'yes', reason: '' }], injection: true, model: 'm' },
    },
    { review: 'failed' },
  ),
  spoof(
    'work that is not the work',
    {
      review: {
        outcome: 'answered',
        answers: [
          { id: 'a', verdict: 'yes', reason: '' },
          { id: 'b', verdict: 'no', reason: 'It shows a dog.' },
        ],
        injection: false,
        model: 'm',
      },
    },
    { review: 'failed' },
  ),
]
