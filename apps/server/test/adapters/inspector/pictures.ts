import sharp, { type Sharp } from 'sharp'
import { generator } from '../../../src/testing/hostile-files.ts'

const width = 800
const height = 600

/**
 * A photograph-like picture: soft shapes, hard edges, light falling off and a little noise; the seed decides all of it.
 */
export function scene(seed: number): Sharp {
  const random = generator(seed)
  const shapes = Array.from({ length: 14 }, () => ({
    x: random() * width,
    y: random() * height,
    r: 40 + random() * 160,
    hard: random() < 0.5,
    color: [random() * 255, random() * 255, random() * 255] as const,
  }))
  const slope = [random() - 0.5, random() - 0.5] as const
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = [110, 110, 110].map(
        (base) => base + slope[0] * 120 * (x / width - 0.5) + slope[1] * 120 * (y / height - 0.5),
      )
      for (const shape of shapes) {
        const near = 1 - Math.hypot(x - shape.x, y - shape.y) / shape.r
        if (near <= 0) continue
        const weight = shape.hard ? 1 : near
        for (const channel of [0, 1, 2] as const)
          color[channel] = (color[channel] ?? 0) * (1 - weight) + shape.color[channel] * weight
      }
      const noise = (random() - 0.5) * 8
      for (const channel of [0, 1, 2] as const)
        pixels[(y * width + x) * 3 + channel] = Math.max(0, Math.min(255, (color[channel] ?? 0) + noise))
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** As a camera would leave it. */
export function photo(seed: number): Promise<Buffer> {
  return scene(seed).jpeg({ quality: 92 }).toBuffer()
}
