import { canOpen, madeAnew, type DecodeLimits } from './inspect-bytes.ts'

/** The most that everybody may be shown of a file. */
const most = { side: 1_280, bytes: 300_000 } as const
/** Coarser and smaller until it fits; the last fits whatever the picture is. */
const tries = [
  { side: most.side, quality: 80 },
  { side: most.side, quality: 60 },
  { side: 960, quality: 60 },
  { side: 640, quality: 50 },
] as const

/** What everybody may see of a picture: its pixels made anew, within bounds; null when it cannot be read. */
export async function shownBytes(bytes: Buffer, limits: DecodeLimits): Promise<Buffer | null> {
  if (!(await canOpen(bytes, limits))) return null
  for (const one of tries) {
    const made = await madeAnew(bytes, limits, one)
    if (made === null || made.length <= most.bytes) return made
  }
  return null
}
