import { pictureTypes } from '@ergon/contract/facts'
import { cutText } from '../cut-text.ts'
import { metresBetween } from '../tasks/place.ts'
import type { Check } from '../submissions/submission.ts'
import { error, failed, inconclusive, notApplicable, passed } from './outcome.ts'
import { say } from './reasons.ts'
import type { InspectedFile, VerificationScene } from './scene.ts'
import { withoutCoordinates } from './without-coordinates.ts'

const sameBits = 8
const alikeBits = 12
const exifFarM = 2_000
/** Width over height of common screens, upright. */
const screens = [9 / 16, 9 / 18, 9 / 19, 9 / 19.5, 9 / 20, 9 / 21, 9 / 22, 3 / 4, 10 / 16]
const isImage = ({ file }: InspectedFile): boolean => file.content_type.startsWith('image/')

/** The very same bytes in other, earlier work. */
export function exactDuplicate({ files }: VerificationScene): Check {
  if (files.length === 0) return notApplicable('exact_duplicate', say('no_file'))
  const copied = files.filter(({ exactTwins }) => exactTwins.length > 0)
  if (copied.length > 0)
    return failed('exact_duplicate', say('files_seen_before', { copied: copied.length, files: files.length }))
  const closed = files.filter(({ facts }) => facts === null)
  return closed.length > 0
    ? error('exact_duplicate', say('files_not_looked_for', { unopened: closed.length, files: files.length }))
    : passed('exact_duplicate', say('files_new'))
}

/** A picture that differs from an earlier one by no more than re-encoding, resizing, mirroring or cropping. */
export function nearDuplicate({ files }: VerificationScene): Check {
  const pictures = files.filter(isImage)
  if (pictures.length === 0) return notApplicable('near_duplicate', say('no_picture'))
  const nearest = pictures
    .flatMap(({ nearTwins }) => nearTwins)
    .reduce((least, { distance }) => Math.min(least, distance), Infinity)
  if (nearest <= sameBits) return failed('near_duplicate', say('picture_like_earlier', { bits: nearest }))
  const closed = pictures.filter(({ facts }) => facts === null || facts.trouble !== null)
  if (closed.length > 0)
    return error('near_duplicate', say('pictures_not_opened', { unopened: closed.length, pictures: pictures.length }))
  if (nearest <= alikeBits)
    return inconclusive('near_duplicate', say('picture_somewhat_like_earlier', { bits: nearest }))
  return pictures.some(({ facts }) => (facts?.image ?? null) !== null)
    ? passed('near_duplicate', say('pictures_new'))
    : notApplicable('near_duplicate', say('pictures_not_comparable'))
}

/** What a picture says about itself against what the submission says. */
export function exifConsistency({ files, fix }: VerificationScene): Check {
  const told = files.flatMap(({ facts }) => (facts?.exif?.present === true ? [facts.exif] : []))
  if (told.length === 0) return notApplicable('exif_consistency', say('pictures_silent'))
  const placed = told.filter(({ lat, lng }) => lat !== null && lng !== null)
  if (fix === null || placed.length === 0) return notApplicable('exif_consistency', say('pictures_without_place'))
  const furthest = Math.max(...placed.map(({ lat, lng }) => metresBetween(fix, { lat: lat ?? 0, lng: lng ?? 0 })))
  return furthest > exifFarM + (fix.accuracyM ?? 0)
    ? failed('exif_consistency', say('picture_taken_elsewhere', { distance_m: Math.round(furthest / 1_000) * 1_000 }))
    : passed('exif_consistency', say('pictures_taken_there'))
}

/** Files that say they were generated. */
export function aiMarkers({ files }: VerificationScene): Check {
  const pictures = files.filter(isImage)
  if (pictures.length === 0) return notApplicable('ai_markers', say('no_picture'))
  const marked = pictures.flatMap(({ facts }) => facts?.aiMarkers ?? [])
  if (marked.length > 0)
    return failed(
      'ai_markers',
      say('picture_generated', { words: cutText(withoutCoordinates(marked.slice(0, 3).join(', ')), 100) }),
    )
  const closed = pictures.filter(({ facts }) => facts === null || facts.trouble !== null)
  return closed.length > 0
    ? error('ai_markers', say('pictures_not_opened', { unopened: closed.length, pictures: pictures.length }))
    : passed('ai_markers', say('pictures_not_generated'))
}

/** A photo that looks like the picture of a screen. */
export function screenshot({ files }: VerificationScene): Check {
  const photos = files.filter((one) => pictureTypes.has(one.type) && one.type !== 'screenshot' && isImage(one))
  if (photos.length === 0) return notApplicable('screenshot', say('no_photo'))
  const suspects = photos.filter(
    ({ facts }) =>
      facts !== null &&
      facts.contentType === 'image/png' &&
      facts.exif?.present !== true &&
      isScreen(facts.width, facts.height),
  )
  return suspects.length === 0
    ? passed('screenshot', say('photos_not_like_screen'))
    : inconclusive('screenshot', say('photo_like_screen'))
}

function isScreen(width: number | null, height: number | null): boolean {
  if (width === null || height === null || width === 0 || height === 0) return false
  const ratio = Math.min(width, height) / Math.max(width, height)
  return screens.some((screen) => Math.abs(screen - ratio) < 0.004)
}
