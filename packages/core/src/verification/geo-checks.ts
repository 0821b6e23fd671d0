import { metresBetween } from '../tasks/place.ts'
import type { Check } from '../submissions/submission.ts'
import { failed, inconclusive, notApplicable, passed } from './outcome.ts'
import type { Fix, PositionReceipt, VerificationScene } from './scene.ts'

/** Beyond this a device does not know where it is. */
const uselessAccuracyM = 5_000
const samplesNeeded = 5
/** Degrees that print the same to five decimals. */
const sameDegrees = 5e-6
const flightMps = 300
const suspectMps = 70
/** Two fixes a moment apart may be off by more than anybody moves in it. */
const leastSeconds = 60
const journeysLookedAt = 5
const distinctM = 1_000
const rapidMs = 30_000

/** The position a submission claims: its fix, or else what a picture says of itself. */
export function claimedPosition(scene: VerificationScene): { readonly fix: Fix; readonly by: 'gps' | 'exif' } | null {
  if (scene.fix !== null) return { fix: scene.fix, by: 'gps' }
  for (const { facts } of scene.files) {
    const exif = facts?.exif ?? null
    if (exif !== null && exif.lat !== null && exif.lng !== null) return { fix: { lat: exif.lat, lng: exif.lng, accuracyM: null, at: exif.takenAt }, by: 'exif' }
  }
  return null
}

/** Within the radius for certain, outside it for certain, or neither, by the accuracy the device gives. */
export function proximity(scene: VerificationScene): Check {
  const { place } = scene
  if (place === null) return notApplicable('proximity', 'the task names no place')
  const claim = claimedPosition(scene)
  if (claim === null) return inconclusive('proximity', 'no position was handed in')
  const accuracy = claim.fix.accuracyM ?? 0
  const distance = metresBetween(claim.fix, place)
  const figures = `${metres(distance)} from the place, known to ${metres(accuracy)}; ${metres(place.radiusM)} count`
  if (distance - accuracy > place.radiusM) return failed('proximity', figures)
  if (claim.by === 'exif') return inconclusive('proximity', `${figures}; only a picture says so`)
  return distance + accuracy <= place.radiusM ? passed('proximity', figures) : inconclusive('proximity', figures)
}

/** An accuracy that is no accuracy says that the position was made up, or is of no use. */
export function accuracy(scene: VerificationScene): Check {
  const { fix, place } = scene
  if (fix === null) return notApplicable('accuracy', 'no position was handed in')
  if (fix.accuracyM === null) return inconclusive('accuracy', 'the device told no accuracy')
  const figures = `the device claims ${metres(fix.accuracyM)}`
  if (fix.accuracyM > uselessAccuracyM) return inconclusive('accuracy', `${figures}, which is no position`)
  if (fix.accuracyM === 0 || (fix.accuracyM === 1 && fix.samples.length >= 2 && fix.samples.every((one) => one.accuracyM === 1))) return inconclusive('accuracy', `${figures}, as made-up positions do`)
  if (place !== null && fix.accuracyM > place.radiusM) return inconclusive('accuracy', `${figures}; ${metres(place.radiusM)} count`)
  return passed('accuracy', figures)
}

/** Real fixes wander; those of a mock stand still, or come with one accuracy at one pace. */
export function sampleJitter(scene: VerificationScene): Check {
  const samples = scene.fix?.samples ?? []
  if (samples.length < samplesNeeded) return notApplicable('sample_jitter', `${String(samples.length)} fixes; ${String(samplesNeeded)} are needed to tell`)
  if (samples.every((one) => one.lat === samples[0]?.lat && one.lng === samples[0].lng)) return failed('sample_jitter', `${String(samples.length)} fixes without the least movement`)
  const times = samples.map(({ at }) => at?.getTime() ?? null)
  const paces = new Set(times.slice(1).map((time, index) => (time === null ? null : time - (times[index] ?? Number.NaN))))
  const accuracies = new Set(samples.map(({ accuracyM }) => accuracyM))
  if (paces.size === 1 && !paces.has(null) && accuracies.size === 1 && !accuracies.has(null)) return failed('sample_jitter', `${String(samples.length)} fixes at one pace with one accuracy`)
  return passed('sample_jitter', `${String(samples.length)} fixes that wander`)
}

/** Nobody stands on the very point of the task to a metre; a copied coordinate does. */
export function exactTarget({ fix, place }: VerificationScene): Check {
  if (fix === null || place === null) return notApplicable('exact_target', place === null ? 'the task names no place' : 'no position was handed in')
  const isSame = Math.abs(fix.lat - place.lat) < sameDegrees && Math.abs(fix.lng - place.lng) < sameDegrees
  return isSame ? failed('exact_target', 'the position is the point of the task to five decimals') : passed('exact_target', 'the position is not copied from the task')
}

/**
 * From each of the latest places of this worker to this one. The speed is reckoned by the service's clock and by the
 * device's: work done out of reach comes in at one moment, so only where both say so it was impossible.
 */
export function teleport(scene: VerificationScene): Check {
  const { fix } = scene
  if (fix === null) return notApplicable('teleport', 'no position was handed in')
  if (!isPosition(fix)) return inconclusive('teleport', 'the device does not know where it is')
  if (scene.receipts.length === 0) return notApplicable('teleport', 'no earlier position of this worker')
  const journeys = scene.receipts.filter(isPosition).slice(0, journeysLookedAt).map((receipt) => journey(scene, fix, receipt))
  const worst = journeys.reduce<Journey | null>((found, one) => (found === null || one.slow > found.slow || (one.slow === found.slow && one.fast > found.fast) ? one : found), null)
  if (worst === null) return inconclusive('teleport', 'no earlier position of this worker is known well enough')
  if (worst.slow > flightMps) return failed('teleport', worst.figures)
  const doubtful = journeys.find(({ fast }) => fast > suspectMps)
  return doubtful === undefined ? passed('teleport', worst.figures) : inconclusive('teleport', doubtful.figures)
}

/** Metres a second, by the clock that makes it slower and the one that makes it faster. */
type Journey = { readonly slow: number; readonly fast: number; readonly figures: string }

function journey({ receivedAt }: VerificationScene, fix: Fix, from: PositionReceipt): Journey {
  const distance = Math.max(0, metresBetween(fix, from) - (fix.accuracyM ?? 0) - (from.accuracyM ?? 0))
  const apart = (one: Date, other: Date): number => Math.max(leastSeconds, Math.abs(one.getTime() - other.getTime()) / 1_000)
  const received = apart(receivedAt, from.receivedAt)
  const captured = fix.at === null || from.capturedAt === null ? received : apart(fix.at, from.capturedAt)
  const [least, most] = [Math.min(received, captured), Math.max(received, captured)]
  const figures = `${metres(distance)} in ${String(Math.round(least))}${least === most ? '' : ` to ${String(Math.round(most))}`} s since an earlier position: ${String(Math.round((distance / most) * 3.6))} km/h${least === most ? '' : ' at least'}`
  return { slow: distance / most, fast: distance / least, figures }
}

/** A device that gives an accuracy beyond use has told no position, and hides no journey with it. */
const isPosition = ({ accuracyM }: { readonly accuracyM: number | null }): boolean => (accuracyM ?? 0) <= uselessAccuracyM

/** Two distinct places within half a minute of each other. */
export function rapidRepeat({ fix, receipts, receivedAt }: VerificationScene): Check {
  if (fix === null || receipts.length === 0) return notApplicable('rapid_repeat', fix === null ? 'no position was handed in' : 'no earlier position of this worker')
  const hasty = receipts.find((one) => receivedAt.getTime() - one.receivedAt.getTime() < rapidMs && metresBetween(fix, one) > distinctM)
  return hasty === undefined ? passed('rapid_repeat', 'no other place within 30 s') : inconclusive('rapid_repeat', `${metres(metresBetween(fix, hasty))} from a place reported less than 30 s before`)
}

function metres(value: number): string {
  return value < 10_000 ? `${String(Math.round(value))} m` : `${String(Math.round(value / 1_000))} km`
}
