import { cutText } from '../cut-text.ts'
import { schemaCheck } from '../submissions/evidence-rules.ts'
import type { Check } from '../submissions/submission.ts'
import { accuracy, exactTarget, proximity, rapidRepeat, sampleJitter, teleport } from './geo-checks.ts'
import { aiMarkers, exactDuplicate, exifConsistency, nearDuplicate, screenshot } from './image-checks.ts'
import { error, failed, inconclusive, notConfigured, passed } from './outcome.ts'
import { reasonSentences, say } from './reasons.ts'
import type { VerificationScene } from './scene.ts'
import { clock, timeWindow } from './time-checks.ts'
import { withoutCoordinates } from './without-coordinates.ts'

/** The sentence around them included. */
const reasonMost = 200
const wordsMost = reasonMost - reasonSentences.reviewer_says_no({ words: '' }).length

/** Every check by its name, in the order they are shown, with what it weighs in the score (decision 0053). */
const table = {
  // A submission whose form does not hold never comes this far.
  schema: { weight: 12, run: (): Check => schemaCheck },
  proximity: { weight: 15, run: proximity },
  accuracy: { weight: 4, run: accuracy },
  sample_jitter: { weight: 6, run: sampleJitter },
  exact_target: { weight: 5, run: exactTarget },
  teleport: { weight: 8, run: teleport },
  rapid_repeat: { weight: 3, run: rapidRepeat },
  time_window: { weight: 8, run: timeWindow },
  clock: { weight: 2, run: clock },
  exact_duplicate: { weight: 12, run: exactDuplicate },
  near_duplicate: { weight: 8, run: nearDuplicate },
  exif_consistency: { weight: 5, run: exifConsistency },
  ai_markers: { weight: 5, run: aiMarkers },
  screenshot: { weight: 2, run: screenshot },
  review: { weight: 20, run: review },
} as const satisfies Record<string, { readonly weight: number; readonly run: (scene: VerificationScene) => Check }>

export const checkWeights: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(table).map(([name, { weight }]) => [name, weight]),
)

/** All checks of one submission. Pure, and whole for any scene. */
export function verificationChecks(scene: VerificationScene): readonly Check[] {
  return Object.values(table).map(({ run }) => run(scene))
}

/**
 * Weighted share of what passed among what was decided, and of what was decided among what applies; nothing invents a
 * number.
 */
export function weightedScore(checks: readonly Check[]): {
  readonly score: number | null
  readonly coverage: number | null
} {
  const sum = (some: readonly Check[]): number => some.reduce((total, { name }) => total + (checkWeights[name] ?? 0), 0)
  const applicable = checks.filter(({ result }) => result !== 'not_applicable')
  const decided = applicable.filter(({ result }) => result === 'passed' || result === 'failed')
  if (decided.length === 0) return { score: null, coverage: applicable.length === 0 ? null : 0 }
  return {
    score: share(sum(decided.filter(({ result }) => result === 'passed')), sum(decided)),
    coverage: share(sum(decided), sum(applicable)),
  }
}

const share = (part: number, whole: number): number => Math.round((part / whole) * 1e4) / 1e4

/** What the reviewer said. It is asked closed questions only, and text that addresses it makes its yes worthless. */
function review({ review: answer }: VerificationScene): Check {
  if (answer === null) return notConfigured('review', say('no_reviewer'))
  if (answer.outcome === 'unavailable') return error('review', say('reviewer_silent', { cause: answer.reason }))
  if (answer.injection) return failed('review', say('reviewer_addressed'))
  const no = answer.answers.find(({ verdict }) => verdict === 'no')
  if (no !== undefined)
    return failed('review', say('reviewer_says_no', { words: cutText(withoutCoordinates(no.reason), wordsMost) }))
  return answer.answers.length > 0 && answer.answers.every(({ verdict }) => verdict === 'yes')
    ? passed('review', say('reviewer_says_yes'))
    : inconclusive('review', say('reviewer_unsure'))
}
