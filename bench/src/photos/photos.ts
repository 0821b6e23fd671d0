import sharp from 'sharp'

const width = 4_000
const height = 3_000

/**
 * Photos as a phone leaves them: twelve megapixels, about two megabytes, the camera's words, and a subject that no
 * other of them has.
 */
export function createCamera(): (seed: number) => Promise<Buffer> {
  // What a sensor adds to every picture; it makes the files as large as photos are.
  const grain = { create: { width, height, channels: 3 as const, background: '#000' } }
  const sensor = sharp(Buffer.from(Array.from({ length: 1_024 * 1_024 }, (_, index) => noise(index) >> 4)), {
    raw: { width: 1_024, height: 1_024, channels: 1 },
  })
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer()
    .then((tile) =>
      sharp(grain)
        .composite([{ input: tile, tile: true }])
        .removeAlpha()
        .raw()
        .toBuffer(),
    )
  return async (seed) => {
    const subject = Buffer.from(Array.from({ length: 24 * 18 * 3 }, (_, index) => noise(seed * 10_007 + index)))
    const scene = sharp(subject, { raw: { width: 24, height: 18, channels: 3 } }).resize(width, height, {
      kernel: 'cubic',
      fit: 'fill',
    })
    return scene
      .boolean(await sensor, 'eor', { raw: { width, height, channels: 3 } })
      .withExif({
        IFD0: { Make: 'Fairphone', Model: 'FP5' },
        IFD2: { DateTimeOriginal: '2026:11:20 14:30:05', OffsetTimeOriginal: '+01:00' },
      })
      .jpeg({ quality: 88 })
      .toBuffer()
  }
}

function noise(at: number): number {
  let mixed = Math.imul(at ^ (at >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return (mixed ^ (mixed >>> 15)) & 0xff
}
