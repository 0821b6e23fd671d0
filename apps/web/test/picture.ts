import { crc32, deflateSync } from 'node:zlib'

/** A picture of one colour, as a PNG that every decoder reads. */
export function pictureOf([red, green, blue]: readonly [red: number, green: number, blue: number], side = 64): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2], 8) // eight bits for each of red, green and blue
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: side }, () => Buffer.from([red, green, blue]))])
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
