import { cleanHeic } from './clean-heic.ts'
import { cleanJpeg } from './clean-jpeg.ts'
import { cleanPng } from './clean-png.ts'
import { cleanVideo } from './clean-video.ts'
import { cleanWebp } from './clean-webp.ts'

const cleaners: Readonly<Record<string, (bytes: Buffer) => Buffer | null>> = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/webp': cleanWebp,
  'image/heic': cleanHeic,
  'video/mp4': cleanVideo,
  'video/quicktime': cleanVideo,
}

/**
 * The bytes a counterparty gets: the same picture or film without what says where, when and with what it was taken
 * (decision 0052). The given bytes themselves where the kind carries none or holds none; `broken` for a file that
 * cannot be followed to its end, of which nobody knows what it carries.
 */
export function cleanCopy(contentType: string, bytes: Buffer): Buffer | 'broken' {
  const cleaner = cleaners[contentType]
  if (cleaner === undefined) return bytes
  const clean = cleaner(bytes)
  if (clean === null) return 'broken'
  return clean.equals(bytes) ? bytes : clean
}
