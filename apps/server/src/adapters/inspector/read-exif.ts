import { readTiff, type TiffFields, type TiffValue } from './tiff-fields.ts'

/** What the camera wrote. Claims of the file: anyone can write them. */
export type Exif = {
  readonly make: string | null
  readonly model: string | null
  readonly software: string | null
  /** Null without a zone: a wall clock somewhere is no moment. */
  readonly takenAt: Date | null
  readonly lat: number | null
  readonly lng: number | null
}

/** Null when there is no EXIF, it cannot be read, or it speaks of no camera: a bare orientation, the head of a TIFF. */
export function readExif(block: Buffer | undefined): Exif | null {
  const fields = block === undefined ? null : readTiff(block)
  if (fields === null) return null
  const [make, model, software] = [
    text(fields.main.get(0x010f)),
    text(fields.main.get(0x0110)),
    text(fields.main.get(0x0131)),
  ]
  if (make === null && model === null && software === null && !fields.camera.has(0x9003) && fields.position.size === 0)
    return null
  return { make, model, software, takenAt: readMoment(fields), ...readPosition(fields.position) }
}

/** Every text in it, for the search for generators. */
export function exifTexts(block: Buffer | undefined): string[] {
  const fields = block === undefined ? null : readTiff(block)
  return fields === null
    ? []
    : [...fields.main.values(), ...fields.camera.values()].filter((value) => typeof value === 'string')
}

/** DateTimeOriginal with its offset; else the moment of the position, which is always UTC. */
function readMoment({ camera, position }: TiffFields): Date | null {
  const original = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(text(camera.get(0x9003)) ?? '')
  const offset = text(camera.get(0x9011)) ?? ''
  if (original !== null && /^(?:[+-]\d\d:\d\d|Z)$/.test(offset))
    return moment(`${original[1] ?? ''}-${original[2] ?? ''}-${original[3] ?? ''}T${original[4] ?? ''}${offset}`)
  const day = /^(\d{4}):(\d\d):(\d\d)$/.exec(text(position.get(0x001d)) ?? '')
  const [hour, minute, second] = numbers(position.get(0x0007))
  if (day === null || hour === undefined || minute === undefined || second === undefined) return null
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return moment(`${day[1] ?? ''}-${day[2] ?? ''}-${day[3] ?? ''}T${two(hour)}:${two(minute)}:${two(second)}Z`)
}

function moment(iso: string): Date | null {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? null : at
}

function readPosition(position: ReadonlyMap<number, TiffValue>): {
  readonly lat: number | null
  readonly lng: number | null
} {
  const lat = degrees(position.get(2), text(position.get(1)), { plus: 'N', minus: 'S', max: 90 })
  const lng = degrees(position.get(4), text(position.get(3)), { plus: 'E', minus: 'W', max: 180 })
  return lat === null || lng === null ? { lat: null, lng: null } : { lat, lng }
}

function degrees(
  value: TiffValue | undefined,
  hemisphere: string | null,
  { plus, minus, max }: { plus: string; minus: string; max: number },
): number | null {
  const [degree, minute, second] = numbers(value)
  if (degree === undefined || (hemisphere !== plus && hemisphere !== minus)) return null
  const angle = degree + (minute ?? 0) / 60 + (second ?? 0) / 3_600
  return Number.isFinite(angle) && angle <= max ? Math.round((hemisphere === minus ? -angle : angle) * 1e7) / 1e7 : null
}

function numbers(value: TiffValue | undefined): readonly number[] {
  return typeof value === 'object' ? value : []
}

function text(value: TiffValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200).toWellFormed() : null
}
