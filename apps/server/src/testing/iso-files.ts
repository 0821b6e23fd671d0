/** ISO media files small enough to be written by hand, with everything a phone says about its owner. */

/** What must not be found in a clean copy, wherever it stood. */
export const secrets = ['+48.2082+016.3738/', 'Apple iPhone', 'GPSLatitude', 'mebx-position'] as const

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4))
  return bytes
}
const u16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2))
  return bytes
}
const text = (value: string): Buffer => Buffer.from(value, 'latin1')
export function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(8 + body.length), text(name), body])
}

const created = 3_900_000_000
const picture = Buffer.alloc(200, 0x5a)
const positions = text('mebx-position lat=48.2082')

function track(handler: string, at: number, length: number): Buffer {
  const table = box(
    'stbl',
    box('stsd', u32(0, 0)),
    box('stsz', u32(0, 0, 1, length)),
    box('stsc', u32(0, 1, 1, 1, 1)),
    box('stco', u32(0, 1, at)),
  )
  const media = box(
    'mdia',
    box('mdhd', u32(0, created, created, 600, 600)),
    box('hdlr', u32(0, 0), text(handler), u32(0, 0, 0)),
    box('minf', table),
  )
  return box('trak', box('tkhd', u32(0, created, created, 1)), media, box('udta', text(secrets[0])))
}

/** A film with a place, a maker, dates and a track of positions. */
export function film(
  brand: 'isom' | 'qt  ' = 'isom',
  edit: (moov: readonly Buffer[]) => readonly Buffer[] = (moov) => moov,
): Buffer {
  const head = box('ftyp', text(brand), u32(512))
  const data = head.length + 8
  const moov = edit([
    box('mvhd', u32(0, created, created, 600, 600)),
    track('vide', data, picture.length),
    track('meta', data + picture.length, positions.length),
    box('udta', text(secrets[0]), text(secrets[1])),
    box('meta', text(secrets[1])),
  ])
  return Buffer.concat([
    head,
    box('mdat', picture, positions),
    box('moov', ...moov),
    box('uuid', Buffer.alloc(16, 1), text(secrets[2])),
  ])
}

/** Where the picture's own samples lie in `film()`. */
export const filmPicture = { from: 24, to: 24 + picture.length }

/** A picture item and an EXIF item, both in the data box. */
export function heic(): Buffer {
  const head = box('ftyp', text('heic'), u32(0), text('mif1heic'))
  const exif = Buffer.concat([u32(6), text('Exif\0\0'), text(secrets[2]), text(secrets[1])])
  const infos = [
    box('infe', u32(0x02000000), u16(1, 0), text('hvc1'), text('\0')),
    box('infe', u32(0x02000000), u16(2, 0), text('Exif'), text('\0')),
  ]
  const meta = (at: number): Buffer => {
    const places = Buffer.concat([
      u32(0),
      Buffer.of(0x44, 0x00),
      u16(2),
      u16(1, 0, 1),
      u32(at, picture.length),
      u16(2, 0, 1),
      u32(at + picture.length, exif.length),
    ])
    return box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), text('pict'), u32(0, 0, 0)),
      box('pitm', u32(0), u16(1)),
      box('iinf', u32(0), u16(2), ...infos),
      box('iloc', places),
    )
  }
  const at = head.length + meta(0).length + 8
  return Buffer.concat([head, meta(at), box('mdat', picture, exif), box('udta', text(secrets[0]))])
}
