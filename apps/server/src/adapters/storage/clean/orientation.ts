const orientationTag = 0x0112
const shortType = 3

/**
 * How a picture has to be turned, read from the TIFF block of its EXIF; undefined for upright, absent or damaged.
 * Only the first directory is looked at, and nothing is followed twice.
 */
export function readOrientation(tiff: Buffer): number | undefined {
  if (tiff.length < 8) return undefined
  const order = tiff.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return undefined
  const isLittle = order === 'II*\0'
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const count = short(directory)
  for (let entry = 0; entry < count; entry += 1) {
    const at = directory + 2 + entry * 12
    if (at + 12 > tiff.length) return undefined
    if (short(at) !== orientationTag || short(at + 2) !== shortType) continue
    const value = short(at + 8)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/** A TIFF block that says how to turn the picture and nothing else. */
export function orientationTiff(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(shortType, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
