import { metresBetween } from '../tasks/place.ts'
import type { Check } from '../submissions/submission.ts'
import { failed, inconclusive, notApplicable, passed } from './outcome.ts'
import type { Fix, VerificationScene } from './scene.ts'

/** Beyond this a device does not know where it is. */
const uselessAccuracyM = 5_000
const samplesNeeded = 5
/** Degrees that print the same to five decimals. */
const sameDegrees = 5e-6
const flightMps = 300
const suspectMps = 70
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

/** From the last place of this worker to this one in the time between, by the service's own clock. */
export function teleport({ fix, receipts, receivedAt }: VerificationScene): Check {
  if (fix === null) return notApplicable('teleport', 'no position was handed in')
  const [last] = receipts
  if (last === undefined) return notApplicable('teleport', 'no earlier position of this worker')
  const seconds = Math.max(1, (receivedAt.getTime() - last.receivedAt.getTime()) / 1_000)
  const distance = Math.max(0, metresBetween(fix, last) - (fix.accuracyM ?? 0) - (last.accuracyM ?? 0))
  const speed = distance / seconds
  const figures = `${metres(distance)} in ${String(Math.round(seconds))} s since the last position: ${String(Math.round(speed * 3.6))} km/h`
  if (speed > flightMps) return failed('teleport', figures)
  return speed > suspectMps ? inconclusive('teleport', figures) : passed('teleport', figures)
}

/** Two distinct places within half a minute of each other. */
export function rapidRepeat({ fix, receipts, receivedAt }: VerificationScene): Check {
  if (fix === null || receipts.length === 0) return notApplicable('rapid_repeat', fix === null ? 'no position was handed in' : 'no earlier position of this worker')
  const hasty = receipts.find((one) => receivedAt.getTime() - one.receivedAt.getTime() < rapidMs && metresBetween(fix, one) > distinctM)
  return hasty === undefined ? passed('rapid_repeat', 'no other place within 30 s') : inconclusive('rapid_repeat', `${metres(metresBetween(fix, hasty))} from a place reported less than 30 s before`)
}

function metres(value: number): string {
  return value < 10_000 ? `${String(Math.round(value))} m` : `${String(Math.round(value / 1_000))} km`
}
