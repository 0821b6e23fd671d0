import type { Fix } from './position-quality.ts'

const exifMark = [0x45, 0x78, 0x69, 0x66, 0, 0] // "Exif", as the segment begins
const positionTag = 0x8825
const mostBytes = 65_533 - exifMark.length
const types = { byte: 1, ascii: 2, rational: 5 } as const
type Field = { readonly tag: number; readonly type: keyof typeof types; readonly values: readonly number[] }
type Segment = { readonly from: number; readonly to: number }

/**
 * The JPEG with the position of the device in its EXIF, where checks look for it. A picture that says where it was
 * taken keeps its own word: what a camera wrote is evidence, and nothing here may better it.
 * @throws RangeError for bytes that are no JPEG.
 */
export function withPosition(jpeg: Uint8Array, fix: Fix): Uint8Array<ArrayBuffer> {
  const found = exifOf(jpeg)
  const known = found === undefined ? undefined : jpeg.slice(found.from + 4 + exifMark.length, found.to)
  const entries = known === undefined ? undefined : mainEntries(known)
  if (entries?.some(({ tag }) => tag === positionTag) === true) return Uint8Array.from(jpeg)
  const kept = known === undefined || entries === undefined ? undefined : withPositionIn(known, entries, fix)
  // What has no room left or cannot be read gives way whole.
  const block = kept !== undefined && kept.length <= mostBytes ? kept : withPositionIn(bareBlock(), [], fix)
  const length = block.length + exifMark.length + 2
  const { from, to } = found ?? { from: 2, to: 2 }
  const placed = new Uint8Array(jpeg.length - (to - from) + length + 2)
  placed.set(jpeg.subarray(0, from))
  placed.set([0xff, 0xe1, length >> 8, length & 0xff, ...exifMark, ...block], from)
  placed.set(jpeg.subarray(to), from + length + 2)
  return placed
}

/** Where the EXIF segment of a JPEG begins and ends, its mark and length with it. */
function exifOf(jpeg: Uint8Array): Segment | undefined {
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8) throw new RangeError('only a JPEG takes a position here')
  let from = 2
  while (jpeg[from] === 0xff && jpeg[from + 1] !== 0xda) {
    const to = from + 2 + ((jpeg[from + 2] ?? 0) << 8) + (jpeg[from + 3] ?? 0)
    if (jpeg[from + 1] === 0xe1 && exifMark.every((byte, place) => jpeg[from + 4 + place] === byte)) return { from, to }
    from = to
  }
  return undefined
}

type Entry = { readonly tag: number; readonly bytes: Uint8Array }

/** The entries of the first directory; undefined when it cannot be read. */
function mainEntries(block: Uint8Array): readonly Entry[] | undefined {
  const view = viewOf(block)
  try {
    const little = isLittle(block)
    const start = view.getUint32(4, little)
    return Array.from({ length: view.getUint16(start, little) }, (_, n) => {
      const at = start + 2 + n * 12
      return { tag: view.getUint16(at, little), bytes: block.slice(at, at + 12) }
    })
  } catch {
    return undefined
  }
}

/**
 * Offsets in a block count from its start, so all that is there stays; a new directory at the end knows it and the
 * position.
 */
function withPositionIn(block: Uint8Array, entries: readonly Entry[], fix: Fix): Uint8Array {
  const little = isLittle(block)
  const start = block.length + (block.length % 2)
  const positionAt = start + 2 + (entries.length + 1) * 12 + 4
  const pointer = new Uint8Array(12)
  const pointerView = viewOf(pointer)
  pointerView.setUint16(0, positionTag, little)
  pointerView.setUint16(2, 4, little)
  pointerView.setUint32(4, 1, little)
  pointerView.setUint32(8, positionAt, little)
  const sorted = [...entries, { tag: positionTag, bytes: pointer }].toSorted((one, other) => one.tag - other.tag)
  const position = directoryOf(positionFields(fix), positionAt, little)
  const whole = new Uint8Array(positionAt + position.length)
  const view = viewOf(whole)
  whole.set(block)
  view.setUint16(start, sorted.length, little)
  sorted.forEach(({ bytes }, n) => {
    whole.set(bytes, start + 2 + n * 12)
  })
  view.setUint32(positionAt - 4, nextOf(block, little), little)
  whole.set(position, positionAt)
  view.setUint32(4, start, little)
  return whole
}

/** The directory after the first one (that of the small picture), where the old first one named it. */
function nextOf(block: Uint8Array, little: boolean): number {
  const view = viewOf(block)
  const start = view.getUint32(4, little)
  const at = start + 2 + view.getUint16(start, little) * 12
  return at + 4 <= block.length ? view.getUint32(at, little) : 0
}

/** EXIF 2.32 §4.6.6: degrees, minutes and seconds, the moment in UTC, and how far it may be off. */
function positionFields({ lat, lng, accuracy_meters, timestamp }: Fix): readonly Field[] {
  const at = new Date(timestamp)
  const day = `${at.getUTCFullYear()}:${two(at.getUTCMonth() + 1)}:${two(at.getUTCDate())}`
  return [
    { tag: 0, type: 'byte', values: [2, 3, 0, 0] },
    { tag: 1, type: 'ascii', values: textOf(lat < 0 ? 'S' : 'N') },
    { tag: 2, type: 'rational', values: degreesOf(Math.abs(lat)) },
    { tag: 3, type: 'ascii', values: textOf(lng < 0 ? 'W' : 'E') },
    { tag: 4, type: 'rational', values: degreesOf(Math.abs(lng)) },
    { tag: 7, type: 'rational', values: [at.getUTCHours(), 1, at.getUTCMinutes(), 1, at.getUTCSeconds(), 1] },
    { tag: 0x1d, type: 'ascii', values: textOf(day) },
    { tag: 0x1f, type: 'rational', values: [Math.round(accuracy_meters * 100), 100] },
  ]
}

const two = (value: number): string => String(value).padStart(2, '0')
const textOf = (text: string): number[] => [...new TextEncoder().encode(text), 0]

function degreesOf(angle: number): number[] {
  const minutes = (angle % 1) * 60
  return [Math.floor(angle), 1, Math.floor(minutes), 1, Math.round((minutes % 1) * 60 * 1e6), 1e6]
}

/** A directory as TIFF writes it: entries of twelve bytes, then what is longer than four. */
function directoryOf(fields: readonly Field[], at: number, little: boolean): Uint8Array {
  const head = 2 + fields.length * 12 + 4
  const sizes = fields.map(({ type, values }) => values.length * (type === 'rational' ? 4 : 1))
  const whole = new Uint8Array(head + sizes.reduce((sum, size) => sum + (size > 4 ? size + (size % 2) : 0), 0))
  const view = viewOf(whole)
  view.setUint16(0, fields.length, little)
  let free = head
  fields.forEach(({ tag, type, values }, n) => {
    const entry = 2 + n * 12
    const size = sizes[n] ?? 0
    view.setUint16(entry, tag, little)
    view.setUint16(entry + 2, types[type], little)
    view.setUint32(entry + 4, type === 'rational' ? values.length / 2 : values.length, little)
    if (size > 4) view.setUint32(entry + 8, at + free, little)
    const place = size > 4 ? free : entry + 8
    values.forEach((value, k) => {
      if (type === 'rational') view.setUint32(place + k * 4, value, little)
      else view.setUint8(place + k, value)
    })
    if (size > 4) free += size + (size % 2)
  })
  return whole
}

/** A block of EXIF that says nothing: its first directory is empty. */
const bareBlock = (): Uint8Array => Uint8Array.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const isLittle = (block: Uint8Array): boolean => block[0] === 0x49
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
