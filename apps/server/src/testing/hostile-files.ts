export type Sample = { readonly contentType: string; readonly bytes: Buffer }

/**
 * Numbers that lengths, counts and offsets are set to: nothing, almost nothing, signs that turn, more than there is.
 */
const extremes = [
  0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff,
]

/**
 * One hostile file of a good one; the same seed makes the same file. The first twelve bytes mostly stay, or nobody
 * would look further.
 */
export function spoilt({ bytes }: Sample, seed: number): Buffer {
  const random = generator(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const place = (): number =>
    (random() < 0.95 ? Math.min(12, bytes.length - 1) : 0) + below(Math.max(1, bytes.length - 12))
  let file: Buffer = Buffer.from(bytes)
  for (let change = 1 + below(6); change > 0; change -= 1)
    file = changes[below(changes.length)]?.(file, place, below) ?? file
  return file
}

type Change = (file: Buffer, place: () => number, below: (limit: number) => number) => Buffer

const changes: readonly Change[] = [
  (file, place, below) => {
    file[Math.min(place(), file.length - 1)] = below(256)
    return file
  },
  (file, place, below) => {
    file[Math.min(place(), file.length - 1)] = 1 << below(8)
    return file
  },
  // A field of two, four or eight bytes set to an extreme, in either order of bytes.
  (file, place, below) => {
    const [at, value, width] = [place(), extremes[below(extremes.length)] ?? 0, [2, 4, 8][below(3)] ?? 4]
    if (at + width > file.length) return file
    const low = width === 2 ? value & 0xffff : value
    const field = Buffer.alloc(width)
    if (width === 2) field.writeUInt16BE(low)
    else field.writeUInt32BE(low >>> 0, width - 4)
    file.set(below(2) === 0 ? field : field.reverse(), at)
    return file
  },
  (file, place) => file.subarray(0, place()),
  (file, place, below) => {
    const at = place()
    return Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + below(64))])
  },
  // A part said again and again: lists that count more than their bytes.
  (file, place, below) => {
    const at = place()
    const part = file.subarray(at, at + 1 + below(200))
    return Buffer.concat([
      file.subarray(0, at),
      ...Array.from({ length: 1 + below(40) }, () => part),
      file.subarray(at),
    ])
  },
  (file, place, below) => {
    const at = place()
    return Buffer.concat([file.subarray(0, at), Buffer.alloc(1 + below(4_000), below(256)), file.subarray(at)])
  },
  (file, place, below) => {
    const [from, to] = [Math.min(place(), file.length), place()]
    file.copy(file, to, from, from + below(64))
    return file
  },
]

/**
 * A HEIC whose places of items take no bytes of their own, so that a few of them claim millions; `items` of 6 bytes
 * each.
 */
export function claimingHeic(items: number): Buffer {
  const u16 = (value: number): Buffer => Buffer.of(value >> 8, value & 255)
  const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)])
  const box = (name: string, ...parts: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(parts)
    return Buffer.concat([u32(8 + body.length), Buffer.from(name, 'latin1'), body])
  }
  const exif = box('infe', u32(0x0200_0000), u16(1), u16(0), Buffer.from('Exif\0', 'latin1'))
  const place = Buffer.concat([u16(1), u16(0), u16(0xffff)])
  const places = box(
    'iloc',
    u32(0),
    Buffer.of(0, 0),
    u16(items),
    Buffer.concat(Array.from({ length: items }, () => place)),
  )
  return Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
    box('meta', u32(0), box('iinf', u32(0), u16(1), exif), places),
    box('mdat', Buffer.alloc(16)),
  ])
}

/** Small, fast and the same everywhere. */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
