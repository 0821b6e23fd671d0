import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

/** Where, when and with what a phone says a picture was taken. */
const confession = {
  IFD0: { Make: 'Apple', Model: 'iPhone 15 Pro', Software: '17.1', Copyright: 'Erika Mustermann' },
  IFD2: { DateTimeOriginal: '2026:11:21 12:00:00', OffsetTimeOriginal: '+01:00' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '16/1 22/1 26/1' },
}
const xmp =
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,12.5N"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'

export type PhotoType = 'image/jpeg' | 'image/png' | 'image/webp'
export const photoTypes: readonly PhotoType[] = ['image/jpeg', 'image/png', 'image/webp']

/** Random pixels, so that no two are alike; with `told`, everything a phone writes beside them. */
export async function photo(
  type: PhotoType,
  {
    told = true,
    orientation = 1,
    width = 30,
    height = 30,
    progressive = false,
  }: {
    readonly told?: boolean
    readonly orientation?: number
    readonly width?: number
    readonly height?: number
    readonly progressive?: boolean
  } = {},
): Promise<Buffer> {
  const pixels = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
  const named = told
    ? pixels.withExif(confession).withXmp(xmp).withIccProfile('p3').withMetadata({ orientation })
    : pixels
  return (
    type === 'image/jpeg'
      ? named.jpeg({ progressive })
      : type === 'image/png'
        ? named.png()
        : named.webp({ lossless: progressive })
  ).toBuffer()
}
