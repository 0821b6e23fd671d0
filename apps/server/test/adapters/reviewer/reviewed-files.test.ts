import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { networks } from '@ergon/protocols'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createAdapters, type Adapters } from '../../../src/adapters/index.ts'
import { scene } from '../inspector/pictures.ts'
import { startModelDouble } from './model-double.ts'

const settings = {
  facilitatorUrl: 'http://127.0.0.1:9',
  networks: [{ network: networks.localnet, rpcUrls: ['http://127.0.0.1:9'] }],
  orderSignerKey: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  secret: 'a secret of this test, long enough',
  baseUrl: 'http://market.test',
} as const

/** Puts a file where a worker would, through its link, and takes it as a submission does. */
async function upload(
  { evidence, evidenceFiles }: Adapters,
  bytes: Buffer,
): Promise<{ key: string; content_type: string; bytes: number; sha256: string }> {
  const owner = { taskId: randomUUID(), executorId: randomUUID() }
  const link = await evidence.presignUpload({ ...owner, contentType: 'image/jpeg', bytes: bytes.length }, new Date())
  const { searchParams } = new URL(link.url)
  const proof = { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' }
  const body = (async function* () {
    yield await Promise.resolve(bytes)
  })()
  await evidenceFiles?.receive(
    { key: link.key, proof, contentType: 'image/jpeg', contentLength: bytes.length, body },
    new Date(),
  )
  const taken = await evidence.resolve(link.publicUrl, owner)
  if (taken === null || 'refused' in taken) throw new Error('the file is taken')
  return { key: taken.key, content_type: taken.contentType, bytes: taken.bytes, sha256: taken.sha256 }
}

test('a stored photo is inspected with its camera’s words and reviewed without them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'reviewed-'))
  await using model = await startModelDouble()
  try {
    await using adapters = createAdapters({
      ...settings,
      dataDir,
      review: { url: model.url, model: 'm', key: undefined, timeoutMs: 10_000 },
    })
    const original = await scene(40)
      .resize(2_400)
      .withExif({
        IFD0: { Make: 'Fairphone' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '48/1 12/1 0/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '16/1 22/1 0/1',
        },
      })
      .jpeg()
      .toBuffer()
    const file = await upload(adapters, original)
    expect(await adapters.inspector.inspect(file)).toMatchObject({
      sha256: file.sha256,
      width: 2_400,
      trouble: null,
      exif: { make: 'Fairphone', lat: 48.2 },
    })
    const answer = await adapters.reviewer?.review({
      taskTitle: 'T',
      instructions: 'I',
      category: 'simple_action',
      evidence: [{ type: 'photo', file }],
      questions: [{ id: 'a', text: 'Is there a shape?' }],
    })
    expect(answer).toMatchObject({ outcome: 'answered', answers: [{ id: 'a', verdict: 'yes' }] })
    const sent = Buffer.from(/data:image\/jpeg;base64,([^"]+)/.exec(model.received[0]?.body ?? '')?.[1] ?? '', 'base64')
    expect(await sharp(sent).metadata()).toMatchObject({ width: 1_024, height: 768 })
    expect(sent.includes('Fairphone')).toBe(false)
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

test('without a model there is no reviewer', async () => {
  await using adapters = createAdapters({ ...settings, dataDir: tmpdir() })
  expect(adapters.reviewer).toBeNull()
})
