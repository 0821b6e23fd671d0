import type { Answer, Answers } from '../../components/outbox/parcel.ts'
import { asJpeg } from './as-jpeg.ts'
import { withPosition } from './position-in-picture.ts'
import type { Position } from './position-quality.ts'

/** The photo with position with its position in it. @throws Error for a file that is no picture */
export async function placedAnswers(answers: Answers, gps: Answer | undefined): Promise<Answers> {
  const { photo_geo: photo } = answers
  const position = gps?.kind === 'value' ? asPosition(gps.value) : undefined
  if (photo?.kind !== 'file' || position === undefined) return answers
  const jpeg = await asJpeg(photo)
  const bytes = withPosition(new Uint8Array(await jpeg.blob.arrayBuffer()), position)
  return { ...answers, photo_geo: { kind: 'file', ...jpeg, blob: new Blob([bytes], { type: 'image/jpeg' }) } }
}

/** What this screen itself keeps under a type whose input is a position. */
export function asPosition(value: unknown): Position | undefined {
  return typeof value === 'object' && value !== null && 'samples' in value ? (value as Position) : undefined
}
