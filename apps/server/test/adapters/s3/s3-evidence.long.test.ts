import { ownClock } from '@ergon/dev-env/testing'
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { MarketError, type EvidenceStorage } from '@ergon/core'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCleaner } from '../../../src/adapters/inspector/create-cleaner.ts'
import { createS3Evidence, type S3Settings } from '../../../src/adapters/storage/s3.ts'
import { film, heic } from '../../../src/testing/iso-files.ts'
import { photo } from '../../files/photos.ts'
import { applied, assign, expectStatus, paymentAuth, startLiveMarket, type Party } from '../../http/live-market.ts'
import { radosgwMissing } from './install-radosgw.ts'
import { startRadosgw, type ObjectGateway } from './start-radosgw.ts'

const owner = { taskId: randomUUID(), executorId: randomUUID() }
const maxBytes = 200_000
const samples = [
  ['image/jpeg', await photo('image/jpeg'), 'inline'],
  ['image/png', await photo('image/png'), 'inline'],
  ['image/webp', await photo('image/webp'), 'inline'],
  ['image/heic', heic(), 'inline'],
  ['application/pdf', Buffer.from('%PDF-1.7\nrest'), 'attachment'],
  ['video/mp4', film(), 'attachment'],
  ['video/quicktime', film('qt  '), 'attachment'],
  ['text/plain', Buffer.from('Grüße\n'), 'attachment'],
  ['application/json', Buffer.from('{"ok":true}'), 'attachment'],
] as const
const halfPicture = samples[0][1].subarray(0, 500)

const missing = await radosgwMissing()
if (missing !== null) console.warn(`evidence in a bucket is not tested: ${missing}`)

describe.skipIf(missing !== null)('evidence in a bucket of a real object gateway', () => {
  let gateway: ObjectGateway
  let settings: S3Settings
  let evidence: EvidenceStorage
  const cleaner = createCleaner({ timeoutMs: 10_000 })
  beforeAll(async () => {
    gateway = await startRadosgw()
    settings = {
      cleaner,
      endpoint: gateway.endpoint,
      bucket: 'evidence',
      region: 'us-east-1',
      accessKey: gateway.accessKey,
      secretKey: gateway.secretKey,
      pathStyle: true,
      uploadMaxBytes: maxBytes,
    }
    const operator = new AwsClient({
      accessKeyId: gateway.accessKey,
      secretAccessKey: gateway.secretKey,
      service: 's3',
      region: 'us-east-1',
    })
    expect((await operator.fetch(`${gateway.endpoint}/evidence`, { method: 'PUT' })).status).toBe(200)
    evidence = createS3Evidence(settings)
  }, 300_000)
  afterAll(async () => {
    await cleaner[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  const presign = (contentType = 'image/jpeg', bytes: number | null = null, now = new Date()) =>
    evidence.presignUpload({ ...owner, contentType, bytes }, now)
  const put = async (url: string, body: Uint8Array, contentType: string | null = 'image/jpeg'): Promise<number> => {
    const reply = await fetch(url, {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: contentType === null ? {} : { 'content-type': contentType },
    })
    await reply.arrayBuffer()
    return reply.status
  }

  test.each(samples)(
    'a %s is put by a link, taken at submission, and read by another',
    async (contentType, bytes, show) => {
      const link = await presign(contentType, bytes.length)
      expect(await put(link.url, bytes, contentType)).toBe(200)
      const taken = await evidence.resolve(link.publicUrl, owner)
      expect(taken).toMatchObject({
        contentType,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
      if (taken === null || 'refused' in taken) return
      expect(evidence.ownerOf(taken.key)).toEqual(owner)
      expect(Buffer.from(await evidence.read(taken.key)).equals(bytes)).toBe(true)
      for (const key of [taken.key, taken.cleanKey ?? taken.key]) {
        const reply = await fetch((await evidence.presignDownload(key, new Date())).url)
        expect([
          reply.status,
          reply.headers.get('content-type'),
          reply.headers.get('content-disposition'),
          reply.headers.get('cache-control'),
        ]).toEqual([200, contentType, show, 'private, no-store'])
        const body = Buffer.from(await reply.arrayBuffer())
        expect([key, body.equals(bytes), body.includes('Apple')]).toEqual([
          key,
          key === taken.key,
          key === taken.key && bytes.includes('Apple'),
        ])
      }
    },
  )

  test('a link that was changed, is over, or goes with another type or length takes nothing', async () => {
    const jpeg = await photo('image/jpeg')
    const [link, other, bound] = [await presign(), await presign(), await presign('image/jpeg', 100)]
    const old = await presign('image/jpeg', null, new Date(Date.now() - 901_000))
    const refused = await Promise.all([
      put(
        link.url.replace(
          /(X-Amz-Signature=.)./,
          (_all, head: string) => `${head}${link.url.includes(`${head}0`) ? '1' : '0'}`,
        ),
        jpeg,
      ),
      put(link.url.replace(link.key, other.key), jpeg),
      put(link.url.replace(/Expires=900/, 'Expires=90000'), jpeg),
      put(link.url, jpeg, 'text/html'),
      put(link.url, jpeg, null),
      put(old.url, jpeg),
      put(bound.url, jpeg),
      put(link.publicUrl, jpeg),
      put((await evidence.presignDownload(link.key, new Date())).url, jpeg),
    ])
    expect(refused).toEqual(refused.map(() => 403))
    for (const one of [link, other, old, bound]) expect(await evidence.resolve(one.publicUrl, owner)).toBeNull()
    expect(await put(link.url, jpeg)).toBe(200)
    expect(await put(bound.url, Buffer.alloc(100))).toBe(200)
  })

  test('nobody reads without a link of the moment', async () => {
    const link = await presign()
    await put(link.url, await photo('image/jpeg'))
    const taken = await evidence.resolve(link.publicUrl, owner)
    if (taken === null || 'refused' in taken) throw new Error('the photo is refused')
    const { url } = await evidence.presignDownload(taken.key, new Date())
    const old = await evidence.presignDownload(taken.key, new Date(Date.now() - 901_000))
    const statuses = await Promise.all(
      [
        url.split('?')[0] ?? '',
        link.publicUrl,
        url.replace('evidence/evidence/', 'evidence/incoming/'),
        url.replace('response-content-type=image', 'response-content-type=text'),
        old.url,
      ].map(async (one) => (await fetch(one)).status),
    )
    expect(statuses).toEqual([403, 403, 403, 403, 403])
  })

  test('what was submitted cannot be changed by using the link again', async () => {
    const [first, second] = [await photo('image/jpeg'), await photo('image/jpeg')]
    const link = await presign()
    await put(link.url, first)
    const taken = await evidence.resolve(link.publicUrl, owner)
    expect(await put(link.url, second)).toBe(200) // a bucket takes it again
    if (taken === null || 'refused' in taken) throw new Error('the photo is refused')
    expect(Buffer.from(await evidence.read(taken.key)).equals(first)).toBe(true)
  })

  test('a link that is not ours, of another task or worker, or with nothing behind it is no evidence', async () => {
    const link = await presign()
    expect(await evidence.resolve(link.publicUrl, owner)).toBeNull()
    await put(link.url, await photo('image/jpeg'))
    const found = await Promise.all([
      evidence.resolve(link.publicUrl, { ...owner, taskId: randomUUID() }),
      evidence.resolve(link.publicUrl, { ...owner, executorId: randomUUID() }),
      evidence.resolve(link.publicUrl.replace('/incoming/', '/evidence/'), owner),
      evidence.resolve(link.publicUrl.replace('127.0.0.1', 'elsewhere.test'), owner),
      evidence.resolve(`${link.publicUrl}/../../x`, owner),
      evidence.resolve('http://169.254.169.254/', owner),
      evidence.resolve('', owner),
    ])
    expect(found).toEqual(found.map(() => null))
    expect(await evidence.resolve(link.url, owner)).toMatchObject({ contentType: 'image/jpeg' })
    await expect(evidence.read('../secrets')).rejects.toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
    await expect(evidence.read(link.key)).rejects.toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  })

  test.each([
    ['bytes of another type', Buffer.from('<script>alert(1)</script>'), 'an intact file of type image/jpeg'],
    ['half a picture', halfPicture, 'an intact file of type image/jpeg'],
    ['nothing', Buffer.alloc(0), 'an intact file of type image/jpeg'],
    ['more than is taken', Buffer.alloc(maxBytes + 1), `a file of at most ${String(maxBytes)} bytes`],
  ])('%s is refused when it is submitted', async (_what, bytes, refused) => {
    const link = await presign()
    expect(await put(link.url, bytes)).toBe(200)
    expect(await evidence.resolve(link.publicUrl, owner)).toEqual({ refused })
  })

  test('a store that is away, stalls or is told a wrong key is named within its time', async () => {
    await using line = new AsyncDisposableStack()
    const silent = createServer((socket) => {
      line.defer(() => {
        socket.destroy()
      })
    })
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve)
    })
    const address = silent.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const failing = async (changes: Partial<S3Settings>): Promise<string> => {
      const store = createS3Evidence({ ...settings, ...changes })
      const link = await store.presignUpload({ ...owner, contentType: 'image/jpeg', bytes: null }, new Date())
      return store.resolve(link.publicUrl, owner).then(
        () => 'answered',
        (error: unknown) => (error instanceof MarketError ? error.code : String(error)),
      )
    }
    const ownMs = ownClock()
    expect(await failing({ endpoint: 'http://127.0.0.1:1' })).toBe('SERVICE_BUSY')
    expect(await failing({ endpoint: `http://127.0.0.1:${String(port)}`, timeoutMs: 200 })).toBe('SERVICE_BUSY')
    expect(await failing({ secretKey: 'wrong' })).toBe('StoreRefusal: the evidence store answered 403')
    expect(await ownMs()).toBeLessThan(3_000)
    silent.close()
  })

  test('a photo goes through the whole service: the publisher reads it without metadata, worker and admin as it was', async () => {
    await using market = await startLiveMarket({
      SVC_S3_ENDPOINT: gateway.endpoint,
      SVC_S3_BUCKET: 'evidence',
      SVC_S3_ACCESS_KEY: gateway.accessKey,
      SVC_S3_SECRET_KEY: gateway.secretKey,
      SVC_ADMIN_KEY: 'the key of this test',
    })
    const [publisher, worker] = [await market.party(5n), await market.party(0n)]
    const job = await applied(publisher, worker, { evidence_required: ['photo'] })
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    const jpeg = await photo('image/jpeg', { width: 700, height: 700 })
    const link = expectStatus(
      await worker.call(
        'GET',
        `/api/v1/evidence/presign-upload?task_id=${job.taskId}&content_length=${String(jpeg.length)}`,
      ),
      200,
    ).body
    expect(String(link['upload_url'])).toMatch(new RegExp(`^${gateway.endpoint}/evidence/incoming/`))
    const file = async (party: Party, key: string): Promise<Buffer> => {
      const reply = expectStatus(await party.call('GET', `/api/v1/evidence/presign-download?key=${key}`), 200)
      return Buffer.from(await (await fetch(String(reply.body['download_url']))).arrayBuffer())
    }
    const submit = () =>
      worker.call('POST', `/api/v1/tasks/${job.taskId}/submit`, { evidence: { photo: link['public_url'] } })
    expect((await submit()).body.code).toBe('EVIDENCE_INVALID')
    expect(await put(String(link['upload_url']), jpeg)).toBe(200)
    const submitted = expectStatus(await submit(), 201)
    const id = String(submitted.body['submission_id'])
    const seenBy = async (party: Party): Promise<URL> =>
      new URL(
        String(
          (
            expectStatus(await party.call('GET', `/api/v1/submissions/${id}/evidence`), 200).body[
              'evidence'
            ] as readonly { url: string }[]
          )[0]?.url,
        ),
      ) // one photo was submitted
    const [publishers, workers] = [await seenBy(publisher), await seenBy(worker)]
    const keyIn = (url: URL): string => url.pathname.replace('/evidence/evidence/', '')
    expect(Buffer.from(await (await fetch(workers)).arrayBuffer()).equals(jpeg)).toBe(true)
    const clean = Buffer.from(await (await fetch(publishers)).arrayBuffer())
    expect([clean.includes('Apple'), jpeg.includes('Apple')]).toEqual([false, true])
    for (const key of [keyIn(publishers), keyIn(workers)]) expect((await file(publisher, key)).equals(clean)).toBe(true)
    expect((await file(worker, keyIn(workers))).equals(jpeg)).toBe(true)
    const stranger = await market.party(0n)
    expect((await stranger.call('GET', `/api/v1/evidence/presign-download?key=${keyIn(publishers)}`)).body.code).toBe(
      'FORBIDDEN',
    )
    expect((await market.get(`/api/v1/evidence/presign-download?key=${keyIn(publishers)}`)).status).toBe(403)
    expect((await publisher.call('GET', '/api/v1/evidence/presign-download?key=..%2F..%2Fsecrets')).body.code).toBe(
      'NOT_FOUND',
    )
    const asAdmin = await fetch(`${market.url}/api/v1/evidence/presign-download?key=${keyIn(workers)}`, {
      headers: { 'x-admin-key': 'the key of this test' },
    })
    const original: unknown = Reflect.get(Object(await asAdmin.json()), 'download_url')
    expect(Buffer.from(await (await fetch(String(original))).arrayBuffer()).equals(jpeg)).toBe(true)
    expect((await market.get('/api/v1/evidence/files/x')).status).toBe(404)
  })
})
