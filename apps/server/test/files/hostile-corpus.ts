import { deflateSync } from 'node:zlib'
import type { Sample } from '../../src/testing/hostile-files.ts'
import { film, heic } from '../../src/testing/iso-files.ts'
import { scene } from '../adapters/inspector/pictures.ts'

/** One good file of every kind that is taken, small, and the same in every run. */
export async function goodFiles(): Promise<readonly Sample[]> {
  const small = scene(77)
    .resize(48, 36)
    .withExif({
      IFD0: { Make: 'Fairphone', Software: 'Camera 4.1' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 30/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
  return [
    { contentType: 'image/jpeg', bytes: await small.clone().jpeg({ quality: 60 }).toBuffer() },
    { contentType: 'image/jpeg', bytes: await small.clone().jpeg({ quality: 60, progressive: true }).toBuffer() },
    { contentType: 'image/png', bytes: await small.clone().png().toBuffer() },
    { contentType: 'image/webp', bytes: await small.clone().webp().toBuffer() },
    { contentType: 'image/webp', bytes: await small.clone().webp({ lossless: true }).toBuffer() },
    { contentType: 'image/heic', bytes: heic() },
    { contentType: 'video/mp4', bytes: film() },
    { contentType: 'video/quicktime', bytes: film('qt  ') },
    {
      contentType: 'application/pdf',
      bytes: Buffer.concat([
        Buffer.from('%PDF-1.7\n1 0 obj <</Length 99>> stream\n'),
        deflateSync(Buffer.alloc(2_000)),
        Buffer.from('\nendstream endobj\n%%EOF'),
      ]),
    },
    { contentType: 'text/plain', bytes: Buffer.from('Grüße aus der Filiale, die Tür war zu.\n'.repeat(20)) },
    {
      contentType: 'application/json',
      bytes: Buffer.from(JSON.stringify({ open: true, shelves: [[[1]], { a: null }] })),
    },
  ]
}
