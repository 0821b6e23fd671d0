import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

/** A picture of one colour, as a PNG that every decoder reads. */
export const pictureOf = (colour: Colour, side = 64): Buffer => stripes([colour], side)

/** A square of each colour, beside one another. */
export function stripes(colours: readonly Colour[], side: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side * colours.length, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2], 8) // eight bits for each of red, green and blue
  const row = Buffer.from([0, ...colours.flatMap((colour) => Array.from({ length: side }, () => colour).flat())])
  const rows = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
