import { cutText } from '../cut-text.ts'
import { metresBetween } from '../tasks/place.ts'
import type { Check } from '../submissions/submission.ts'
import { error, failed, inconclusive, notApplicable, passed } from './outcome.ts'
import type { InspectedFile, VerificationScene } from './scene.ts'

const sameBits = 8
const alikeBits = 12
const exifFarM = 2_000
/** Width over height of common screens, upright. */
const screens = [9 / 16, 9 / 18, 9 / 19, 9 / 19.5, 9 / 20, 9 / 21, 9 / 22, 3 / 4, 10 / 16]
const pictureTypes: ReadonlySet<string> = new Set(['photo', 'photo_geo', 'screenshot', 'receipt', 'document', 'signature', 'notarized'])
const isImage = ({ file }: InspectedFile): boolean => file.content_type.startsWith('image/')

/** The very same bytes in other, earlier work. */
export function exactDuplicate({ files }: VerificationScene): Check {
  if (files.length === 0) return notApplicable('exact_duplicate', 'no file was handed in')
  const copied = files.filter(({ exactTwins }) => exactTwins.length > 0)
  if (copied.length > 0) return failed('exact_duplicate', `${String(copied.length)} of ${String(files.length)} files were handed in before, for other work`)
  const closed = files.filter(({ facts }) => facts === null)
  return closed.length > 0 ? error('exact_duplicate', `${String(closed.length)} of ${String(files.length)} files were not looked for`) : passed('exact_duplicate', 'no file was handed in before')
}

/** A picture that differs from an earlier one by no more than re-encoding, resizing, mirroring or cropping. */
export function nearDuplicate({ files }: VerificationScene): Check {
  const pictures = files.filter(isImage)
  if (pictures.length === 0) return notApplicable('near_duplicate', 'no picture was handed in')
  const nearest = pictures.flatMap(({ nearTwins }) => nearTwins).reduce((least, { distance }) => Math.min(least, distance), Infinity)
  if (nearest <= sameBits) return failed('near_duplicate', `a picture differs from an earlier one by ${String(nearest)} of 64 bits`)
  const closed = pictures.filter(({ facts }) => facts === null || facts.trouble !== null)
  if (closed.length > 0) return error('near_duplicate', `${String(closed.length)} of ${String(pictures.length)} pictures could not be opened`)
  if (nearest <= alikeBits) return inconclusive('near_duplicate', `a picture differs from an earlier one by ${String(nearest)} of 64 bits`)
  return pictures.some(({ facts }) => (facts?.image ?? null) !== null) ? passed('near_duplicate', 'no earlier picture is like it') : notApplicable('near_duplicate', 'nothing on the picture can be compared')
}

/** What a picture says of itself against what the submission says. */
export function exifConsistency({ files, fix }: VerificationScene): Check {
  const told = files.flatMap(({ facts }) => (facts?.exif?.present === true ? [facts.exif] : []))
  if (told.length === 0) return notApplicable('exif_consistency', 'no picture says anything of itself')
  const placed = told.filter(({ lat, lng }) => lat !== null && lng !== null)
  if (fix === null || placed.length === 0) return notApplicable('exif_consistency', 'no picture says where it was taken')
  const furthest = Math.max(...placed.map(({ lat, lng }) => metresBetween(fix, { lat: lat ?? 0, lng: lng ?? 0 })))
  return furthest > exifFarM + (fix.accuracyM ?? 0)
    ? failed('exif_consistency', `a picture says it was taken ${String(Math.round(furthest / 1_000))} km from the position`)
    : passed('exif_consistency', 'the pictures were taken where the position is, as they say')
}

/** Files that say they were generated. */
export function aiMarkers({ files }: VerificationScene): Check {
  const pictures = files.filter(isImage)
  if (pictures.length === 0) return notApplicable('ai_markers', 'no picture was handed in')
  const marked = pictures.flatMap(({ facts }) => facts?.aiMarkers ?? [])
  if (marked.length > 0) return failed('ai_markers', `a picture says it was generated (${cutText(marked.slice(0, 3).join(', '), 100)})`)
  const closed = pictures.filter(({ facts }) => facts === null || facts.trouble !== null)
  return closed.length > 0 ? error('ai_markers', `${String(closed.length)} of ${String(pictures.length)} pictures could not be opened`) : passed('ai_markers', 'no picture says it was generated')
}

/** A photo that looks like the picture of a screen. */
export function screenshot({ files }: VerificationScene): Check {
  const photos = files.filter((one) => pictureTypes.has(one.type) && one.type !== 'screenshot' && isImage(one))
  if (photos.length === 0) return notApplicable('screenshot', 'no photo was handed in')
  const suspects = photos.filter(({ facts }) => facts !== null && facts.contentType === 'image/png' && facts.exif?.present !== true && isScreen(facts.width, facts.height))
  return suspects.length === 0 ? passed('screenshot', 'no photo has the look of a screen') : inconclusive('screenshot', 'a photo is a PNG in the shape of a screen and says nothing of a camera')
}

function isScreen(width: number | null, height: number | null): boolean {
  if (width === null || height === null || width === 0 || height === 0) return false
  const ratio = Math.min(width, height) / Math.max(width, height)
  return screens.some((screen) => Math.abs(screen - ratio) < 0.004)
}
