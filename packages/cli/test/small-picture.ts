import { crc32, deflateSync } from 'node:zlib'

/** A PNG of 64 x 64 points. */
export function smallPicture(): Buffer {
  const side = 64
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.concat(
    Array.from({ length: side }, (_, y) =>
      Buffer.from([0, ...Array.from({ length: side }, (__, x) => [x * 4, y * 4, (x * y) % 256]).flat()]),
    ),
  )
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, code] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  code.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, code])
}
