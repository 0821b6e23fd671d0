import { metresBetween } from '../tasks/place.ts'
import type { Check } from '../submissions/submission.ts'
import { failed, inconclusive, notApplicable, passed } from './outcome.ts'
import { say, toldMetres, type ReasonSentences } from './reasons.ts'
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

/** The position a submission claims: its fix, or else what a picture says about itself. */
export function claimedPosition(scene: VerificationScene): { readonly fix: Fix; readonly by: 'gps' | 'exif' } | null {
  if (scene.fix !== null) return { fix: scene.fix, by: 'gps' }
  for (const { facts } of scene.files) {
    const exif = facts?.exif ?? null
    if (exif !== null && exif.lat !== null && exif.lng !== null)
      return { fix: { lat: exif.lat, lng: exif.lng, accuracyM: null, at: exif.takenAt }, by: 'exif' }
  }
  return null
}

/** Within the radius for certain, outside it for certain, or neither, by the accuracy the device gives. */
export function proximity(scene: VerificationScene): Check {
  const { place } = scene
  if (place === null) return notApplicable('proximity', say('no_place'))
  const claim = claimedPosition(scene)
  if (claim === null) return inconclusive('proximity', say('no_position'))
  const accuracy = claim.fix.accuracyM ?? 0
  const distance = metresBetween(claim.fix, place)
  const figures = { distance_m: toldMetres(distance), accuracy_m: toldMetres(accuracy), radius_m: place.radiusM }
  if (distance - accuracy > place.radiusM) return failed('proximity', say('outside_radius', figures))
  if (claim.by === 'exif') return inconclusive('proximity', say('position_by_picture_only', figures))
  return distance + accuracy <= place.radiusM
    ? passed('proximity', say('within_radius', figures))
    : inconclusive('proximity', say('edge_of_radius', figures))
}

/** An accuracy that is no accuracy says that the position was made up, or is of no use. */
export function accuracy(scene: VerificationScene): Check {
  const { fix, place } = scene
  if (fix === null) return notApplicable('accuracy', say('no_position'))
  if (fix.accuracyM === null) return inconclusive('accuracy', say('accuracy_untold'))
  const figures = { accuracy_m: toldMetres(fix.accuracyM) }
  if (fix.accuracyM > uselessAccuracyM) return inconclusive('accuracy', say('accuracy_useless', figures))
  if (
    fix.accuracyM === 0 ||
    (fix.accuracyM === 1 && fix.samples.length >= 2 && fix.samples.every((one) => one.accuracyM === 1))
  )
    return inconclusive('accuracy', say('accuracy_made_up', figures))
  if (place !== null && fix.accuracyM > place.radiusM)
    return inconclusive('accuracy', say('accuracy_beyond_radius', { ...figures, radius_m: place.radiusM }))
  return passed('accuracy', say('accuracy_plausible', figures))
}

/** Real fixes wander; those of a mock stand still, or come with one accuracy at one pace. */
export function sampleJitter(scene: VerificationScene): Check {
  const samples = scene.fix?.samples ?? []
  const fixes = samples.length
  if (fixes < samplesNeeded)
    return notApplicable('sample_jitter', say('fixes_too_few', { fixes, fixes_needed: samplesNeeded }))
  if (samples.every((one) => one.lat === samples[0]?.lat && one.lng === samples[0].lng))
    return failed('sample_jitter', say('fixes_stand_still', { fixes }))
  const times = samples.map(({ at }) => at?.getTime() ?? null)
  const paces = new Set(
    times.slice(1).map((time, index) => (time === null ? null : time - (times[index] ?? Number.NaN))),
  )
  const accuracies = new Set(samples.map(({ accuracyM }) => accuracyM))
  if (paces.size === 1 && !paces.has(null) && accuracies.size === 1 && !accuracies.has(null))
    return failed('sample_jitter', say('fixes_at_one_pace', { fixes }))
  return passed('sample_jitter', say('fixes_wander', { fixes }))
}

/** No real fix is on the very point of the task to a metre; a copied coordinate is. */
export function exactTarget({ fix, place }: VerificationScene): Check {
  if (fix === null || place === null)
    return notApplicable('exact_target', say(place === null ? 'no_place' : 'no_position'))
  const isSame = Math.abs(fix.lat - place.lat) < sameDegrees && Math.abs(fix.lng - place.lng) < sameDegrees
  return isSame ? failed('exact_target', say('position_copied')) : passed('exact_target', say('position_not_copied'))
}

/**
 * From each of the latest places of this worker to this one. The speed is reckoned by the service's clock and by the
 * device's: work done out of reach comes in at one moment, so only where both say so it was impossible.
 */
export function teleport(scene: VerificationScene): Check {
  const { fix } = scene
  if (fix === null) return notApplicable('teleport', say('no_position'))
  if (!isPosition(fix)) return inconclusive('teleport', say('position_unknown_to_device'))
  if (scene.receipts.length === 0) return notApplicable('teleport', say('no_earlier_position'))
  const journeys = scene.receipts
    .filter(isPosition)
    .slice(0, journeysLookedAt)
    .map((receipt) => journey(scene, fix, receipt))
  const worst = journeys.reduce<Journey | null>(
    (found, one) =>
      found === null || one.slow > found.slow || (one.slow === found.slow && one.fast > found.fast) ? one : found,
    null,
  )
  if (worst === null) return inconclusive('teleport', say('earlier_positions_too_poor'))
  if (worst.slow > flightMps) return failed('teleport', say('journey_impossible', worst.figures))
  const doubtful = journeys.find(({ fast }) => fast > suspectMps)
  return doubtful === undefined
    ? passed('teleport', say('journey_possible', worst.figures))
    : inconclusive('teleport', say('journey_doubtful', doubtful.figures))
}

/** Metres a second, by the clock that makes it slower and the one that makes it faster. */
type Journey = {
  readonly slow: number
  readonly fast: number
  readonly figures: Parameters<ReasonSentences['journey_possible']>[0]
}

function journey({ receivedAt }: VerificationScene, fix: Fix, from: PositionReceipt): Journey {
  const distance = Math.max(0, metresBetween(fix, from) - (fix.accuracyM ?? 0) - (from.accuracyM ?? 0))
  const apart = (one: Date, other: Date): number =>
    Math.max(leastSeconds, Math.abs(one.getTime() - other.getTime()) / 1_000)
  const received = apart(receivedAt, from.receivedAt)
  const captured = fix.at === null || from.capturedAt === null ? received : apart(fix.at, from.capturedAt)
  const [least, most] = [Math.min(received, captured), Math.max(received, captured)]
  const figures = {
    distance_m: toldMetres(distance),
    apart_s: Math.round(least),
    ...(least === most ? {} : { apart_most_s: Math.round(most) }),
    speed_kmh: Math.round((distance / most) * 3.6),
  }
  return { slow: distance / most, fast: distance / least, figures }
}

/** A device that gives an accuracy beyond use has told no position, and hides no journey with it. */
const isPosition = ({ accuracyM }: { readonly accuracyM: number | null }): boolean =>
  (accuracyM ?? 0) <= uselessAccuracyM

/** Two distinct places within half a minute of each other. */
export function rapidRepeat({ fix, receipts, receivedAt }: VerificationScene): Check {
  if (fix === null || receipts.length === 0)
    return notApplicable('rapid_repeat', say(fix === null ? 'no_position' : 'no_earlier_position'))
  const hasty = receipts.find(
    (one) => receivedAt.getTime() - one.receivedAt.getTime() < rapidMs && metresBetween(fix, one) > distinctM,
  )
  return hasty === undefined
    ? passed('rapid_repeat', say('no_hasty_repeat', { within_s: rapidMs / 1_000 }))
    : inconclusive(
        'rapid_repeat',
        say('hasty_repeat', { distance_m: toldMetres(metresBetween(fix, hasty)), within_s: rapidMs / 1_000 }),
      )
}
