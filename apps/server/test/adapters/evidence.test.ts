import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { MarketError } from '@ergon/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { film, heic } from '../../src/testing/iso-files.ts'
import { photo } from '../files/photos.ts'
import { createCleaner } from '../../src/adapters/inspector/create-cleaner.ts'
import { createDiskEvidence, evidencePath, type DiskEvidence, type Upload } from '../../src/adapters/storage/disk.ts'

const owner = { taskId: randomUUID(), executorId: randomUUID() }
const png = await photo('image/png', { told: false })
const samples: Readonly<Record<string, Buffer>> = {
  'image/jpeg': await photo('image/jpeg', { told: false }),
  'image/png': png,
  'image/webp': await photo('image/webp', { told: false }),
  'image/heic': heic(),
  'application/pdf': Buffer.from('%PDF-1.7\nrest', 'latin1'),
  'video/mp4': film(),
  'video/quicktime': film('qt  '),
  'text/plain': Buffer.from('Grüße aus der Filiale\n'),
  'application/json': Buffer.from('{"ok":true}'),
}
const now = new Date('2026-11-21T12:00:00Z')
const later = (sec: number): Date => new Date(now.getTime() + sec * 1_000)

/** What may be wrong with an upload, and what each is answered with. */
const spoilt: readonly (readonly [what: string, code: string, change: (upload: Upload) => Upload, at?: Date])[] = [
  ['a forged proof', 'UPLOAD_NOT_ALLOWED', (it) => ({ ...it, proof: { ...it.proof, signature: 'A'.repeat(43) } })],
  ['a proof of no kind', 'UPLOAD_NOT_ALLOWED', (it) => ({ ...it, proof: { ...it.proof, signature: '' } })],
  [
    'a later end than was signed',
    'UPLOAD_NOT_ALLOWED',
    (it) => ({ ...it, proof: { ...it.proof, expires: String(Number(it.proof.expires) + 1) } }),
  ],
  ['an end that is no number', 'UPLOAD_NOT_ALLOWED', (it) => ({ ...it, proof: { ...it.proof, expires: '1e12' } })],
  [
    'the key of another file',
    'UPLOAD_NOT_ALLOWED',
    (it) => ({ ...it, key: it.key.replace(/[^/]+$/, `${randomUUID()}.png`) }),
  ],
  ['the key of another task', 'UPLOAD_NOT_ALLOWED', (it) => ({ ...it, key: it.key.replace(/^[^/]+/, randomUUID()) })],
  ['another ending', 'UPLOAD_NOT_ALLOWED', (it) => ({ ...it, key: it.key.replace(/png$/, 'pdf') })],
  ['a path out of the folder', 'UPLOAD_NOT_ALLOWED', (it) => ({ ...it, key: `../../${it.key}` })],
  ['a link after its time', 'UPLOAD_NOT_ALLOWED', (it) => it, later(900)],
  ['a header of another type', 'UPLOAD_TYPE_REFUSED', (it) => ({ ...it, contentType: 'image/jpeg' })],
  ['no type', 'UPLOAD_TYPE_REFUSED', (it) => ({ ...it, contentType: undefined })],
  [
    'bytes of another type',
    'UPLOAD_TYPE_REFUSED',
    (it) => ({ ...it, body: pieces(Buffer.from('<script>alert(1)</script>')) }),
  ],
  ['no bytes', 'UPLOAD_TYPE_REFUSED', (it) => ({ ...it, body: pieces(Buffer.alloc(0)) })],
  ['a length announced too long', 'request_body_too_large', (it) => ({ ...it, contentLength: 4_001 })],
  [
    'more bytes than are taken, unannounced',
    'request_body_too_large',
    (it) => ({ ...it, contentLength: undefined, body: pieces(Buffer.concat([png, png, png])) }),
  ],
  [
    'more bytes than were announced',
    'request_body_too_large',
    (it) => ({ ...it, contentLength: 10, body: pieces(Buffer.concat([png, png, png])) }),
  ],
]

describe('evidence on disk', () => {
  let dataDir: string
  let evidence: DiskEvidence
  const cleaner = createCleaner({ timeoutMs: 10_000 })
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ergon-evidence-'))
    evidence = createDiskEvidence({
      cleaner,
      dataDir,
      secret: 'one secret',
      baseUrl: 'http://market.test/',
      uploadMaxBytes: 4_000,
    })
  })
  afterAll(async () => {
    await cleaner[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  const presign = (contentType: string) => evidence.presignUpload({ ...owner, contentType, bytes: null }, now)
  const uploadTo = (
    url: string,
    body: Uint8Array,
    contentType: string | undefined,
    changes: Partial<Upload> = {},
  ): Upload => ({ ...proofIn(url), contentType, contentLength: body.length, body: pieces(body), ...changes })
  const codeOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'accepted',
      (error: unknown) => (error instanceof MarketError ? error.code : String(error)),
    )

  test.each(Object.entries(samples))(
    'a file of type %s is taken, measured and hashed, and comes back byte for byte',
    async (contentType, bytes) => {
      const { url, publicUrl, key, headers, maxBytes, expiresInSec } = await presign(contentType)
      expect({ headers, maxBytes, expiresInSec }).toEqual({
        headers: { 'Content-Type': contentType },
        maxBytes: 4_000,
        expiresInSec: 900,
      })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(await evidence.resolve(publicUrl, owner)).toBeNull()
      expect(await evidence.receive(uploadTo(url, bytes, `${contentType}; charset=x`), now)).toEqual({
        bytes: bytes.length,
        sha256,
      })
      expect(await evidence.resolve(publicUrl, owner)).toMatchObject({ key, contentType, bytes: bytes.length, sha256 })
      expect(evidence.ownerOf(key)).toEqual(owner)
      expect(Buffer.from(await evidence.read(key)).equals(bytes)).toBe(true)
      const link = proofIn((await evidence.presignDownload(key, now)).url)
      const file = await evidence.open(link.key, link.proof, later(899))
      expect({ contentType: file.contentType, bytes: file.bytes }).toEqual({ contentType, bytes: bytes.length })
      expect((await buffer(file.stream())).equals(bytes)).toBe(true)
    },
  )

  test.each(spoilt.map(([what, code, change, at]) => [what, code, change, at ?? now] as const))(
    'an upload with %s is refused with %s, and leaves nothing behind',
    async (_what, code, change, at) => {
      const { url, publicUrl } = await presign('image/png')
      expect(await codeOf(evidence.receive(change(uploadTo(url, png, 'image/png')), at))).toBe(code)
      expect(await evidence.resolve(publicUrl, owner)).toBeNull()
      expect(leftovers()).toEqual([])
      // Nothing was spoilt: the link still takes the right file.
      expect(await codeOf(evidence.receive(uploadTo(url, png, 'image/png'), now))).toBe('accepted')
    },
  )

  test.each(['text/plain', 'application/json'])('%s with bytes that are no text is refused', async (contentType) => {
    const bad = Buffer.concat([Buffer.from('"'), Buffer.from([0xff, 0xfe]), Buffer.from('"')])
    expect(await codeOf(evidence.receive(uploadTo((await presign(contentType)).url, bad, contentType), now))).toBe(
      'UPLOAD_TYPE_REFUSED',
    )
    expect(
      await codeOf(
        evidence.receive(uploadTo((await presign(contentType)).url, Buffer.from('"a\0b"'), contentType), now),
      ),
    ).toBe('UPLOAD_TYPE_REFUSED')
  })

  test('a link is used once, also when it is used twice at once', async () => {
    const { url, publicUrl } = await presign('image/png')
    const other = Buffer.concat([png, Buffer.of(1)])
    const codes = await Promise.all(
      [png, other].map((bytes) => codeOf(evidence.receive(uploadTo(url, bytes, 'image/png'), now))),
    )
    expect(codes.toSorted()).toEqual(['UPLOAD_NOT_ALLOWED', 'accepted'])
    const standing = await evidence.resolve(publicUrl, owner)
    expect(standing).toHaveProperty('bytes', codes[0] === 'accepted' ? png.length : other.length)
    expect(await codeOf(evidence.receive(uploadTo(url, png, 'image/png'), now))).toBe('UPLOAD_NOT_ALLOWED')
    expect(await evidence.resolve(publicUrl, owner)).toEqual(standing)
    expect(leftovers()).toEqual([])
  })

  test('an upload that breaks off leaves nothing, and may be begun again', async () => {
    const { url } = await presign('image/png')
    await expect(evidence.receive(uploadTo(url, png, 'image/png', { body: breakingOff(png) }), now)).rejects.toThrow(
      'the line broke',
    )
    expect(leftovers()).toEqual([])
    expect(await codeOf(evidence.receive(uploadTo(url, png, 'image/png'), now))).toBe('accepted')
  })

  test('the copy for the other side is kept beside the upload, once', async () => {
    const told = await photo('image/jpeg', { width: 8, height: 8 })
    const { url, publicUrl, key } = await presign('image/jpeg')
    await evidence.receive(uploadTo(url, told, 'image/jpeg'), now)
    const [first, second] = await Promise.all([evidence.resolve(publicUrl, owner), evidence.resolve(publicUrl, owner)])
    expect(second).toEqual(first)
    const cleanKey = first !== null && 'cleanKey' in first ? (first.cleanKey ?? '') : ''
    expect(cleanKey).not.toBe(key)
    expect(evidence.ownerOf(cleanKey)).toEqual(owner)
    const link = proofIn((await evidence.presignDownload(cleanKey, now)).url)
    const clean = await buffer((await evidence.open(link.key, link.proof, now)).stream())
    expect([clean.includes('Apple'), Buffer.from(await evidence.read(key)).equals(told)]).toEqual([false, true])
    expect(leftovers()).toEqual([])
  })

  test('a picture that is none behind its first bytes is refused when it is submitted', async () => {
    const { url, publicUrl } = await presign('image/png')
    await evidence.receive(uploadTo(url, Buffer.concat([png.subarray(0, 40), Buffer.alloc(100, 7)]), 'image/png'), now)
    expect(await evidence.resolve(publicUrl, owner)).toEqual({ refused: 'an intact file of type image/png' })
  })

  const textFor = async (one: typeof owner): Promise<string> => {
    const { url, key } = await evidence.presignUpload({ ...one, contentType: 'text/plain', bytes: null }, now)
    await evidence.receive(uploadTo(url, Buffer.from('seen'), 'text/plain'), now)
    return key
  }

  test('what is purged takes the folders of its worker and its task with it, and no file that is left', async () => {
    const one = { taskId: randomUUID(), executorId: randomUUID() }
    const [first, second] = [await textFor(one), await textFor(one)]
    const other = await textFor({ ...one, executorId: randomUUID() })
    const folder = join(dataDir, 'evidence', one.taskId)
    await evidence.remove(first, [])
    expect(Buffer.from(await evidence.read(second)).toString()).toBe('seen')
    await evidence.remove(second, [])
    expect(existsSync(join(folder, one.executorId))).toBe(false)
    expect(Buffer.from(await evidence.read(other)).toString()).toBe('seen')
    await evidence.remove(other, [])
    await evidence.remove(other, [])
    expect(existsSync(folder)).toBe(false)
  })

  test('a file that comes while the last one beside it is purged is kept', async () => {
    const one = { taskId: randomUUID(), executorId: randomUUID() }
    const gone = await textFor(one)
    let isDone = false
    const purge = async (): Promise<void> => {
      while (!isDone) await evidence.remove(gone, [])
    }
    const purging = purge()
    for (let round = 0; round < 150; round += 1) {
      const key = await textFor(one)
      expect(Buffer.from(await evidence.read(key)).toString()).toBe('seen')
      await evidence.remove(key, [])
    }
    isDone = true
    await purging
  })

  test('only the task and worker a file was uploaded for may submit it', async () => {
    const { url, publicUrl } = await presign('image/png')
    await evidence.receive(uploadTo(url, png, 'image/png'), now)
    const resolved = [
      evidence.resolve(publicUrl, { ...owner, taskId: randomUUID() }),
      evidence.resolve(publicUrl, { ...owner, executorId: randomUUID() }),
      evidence.resolve(publicUrl.replace('market.test', 'elsewhere.test'), owner),
      evidence.resolve(`${publicUrl}/..`, owner),
      evidence.resolve('', owner),
    ]
    expect(await Promise.all(resolved)).toEqual([null, null, null, null, null])
    expect(await evidence.resolve(`${publicUrl}?expires=1&signature=x#part`, owner)).not.toBeNull()
  })

  test('reading needs a link of its own, for this file, in time', async () => {
    const { url, key } = await presign('image/png')
    await evidence.receive(uploadTo(url, png, 'image/png'), now)
    const { proof } = proofIn((await evidence.presignDownload(key, now)).url)
    expect(await codeOf(evidence.open(key, proof, later(900)))).toBe('FORBIDDEN')
    expect(await codeOf(evidence.open(key, proofIn(url).proof, now))).toBe('FORBIDDEN')
    expect(await codeOf(evidence.open((await presign('image/png')).key, proof, now))).toBe('FORBIDDEN')
    const absent = (await presign('image/png')).key
    expect(
      await codeOf(evidence.open(absent, proofIn((await evidence.presignDownload(absent, now)).url).proof, now)),
    ).toBe('NOT_FOUND')
    const stranger = createDiskEvidence({ cleaner, dataDir, secret: 'another secret', baseUrl: 'http://market.test' })
    expect(await codeOf(stranger.open(key, proof, now))).toBe('FORBIDDEN')
  })

  test('no text but a key of ours reaches the disk', async () => {
    const proof = { expires: '99999999999', signature: 'A'.repeat(43) }
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.webPath(), fc.constantFrom('../x', 'a/b/c.png', '\0')), async (key) => {
        expect(await codeOf(evidence.open(key, proof, now))).toBe('FORBIDDEN')
        expect(await evidence.resolve(`http://market.test${evidencePath}/${key}`, owner)).toBeNull()
      }),
    )
  })

  /** What uploads that ended badly would leave. */
  function leftovers(): readonly string[] {
    const incoming = join(dataDir, 'evidence', '.incoming')
    return existsSync(incoming) ? readdirSync(incoming) : []
  }
})

function proofIn(link: string): Pick<Upload, 'key' | 'proof'> {
  const url = new URL(link)
  return {
    key: url.pathname.slice(evidencePath.length + 1),
    proof: { expires: url.searchParams.get('expires') ?? '', signature: url.searchParams.get('signature') ?? '' },
  }
}

async function* pieces(bytes: Uint8Array, size = 5): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

async function* breakingOff(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes.subarray(0, 100))
  throw new Error('the line broke')
}
