import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photo } from '../files/photos.ts'
import { send, sendRaw } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { adminKey, asAdmin, expectShape } from './live-admin.ts'
import {
  applied,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from './live-market.ts'

let market: LiveMarket
let publisher: Party
let worker: Party
let taskId: string
beforeAll(async () => {
  market = await startLiveMarket({ SVC_ADMIN_KEY: adminKey })
  publisher = await market.party(5n)
  worker = await market.party(0n)
  const job = await applied(publisher, worker, { evidence_required: ['photo'] })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  taskId = job.taskId
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

const jpeg = await photo('image/jpeg', { width: 1_300, height: 1_300 })

type Link = { readonly target: string; readonly publicUrl: string; readonly contentType: string }

async function presign(): Promise<Link> {
  const reply = expectStatus(
    await worker.call('GET', `/api/v1/evidence/presign-upload?task_id=${taskId}&content_type=image/jpeg`),
    200,
  )
  const url = new URL(String(reply.body['upload_url']))
  return { target: url.pathname + url.search, publicUrl: String(reply.body['public_url']), contentType: 'image/jpeg' }
}

const put = (target: string, body: Uint8Array, contentType = 'image/jpeg') =>
  send(market.url, 'PUT', target, { host: authority, 'content-type': contentType }, body)

test('a link tampered with, for another file, of another type or over the limit takes nothing', async () => {
  const [link, other] = [await presign(), await presign()]
  const [path, proof] = other.target.split('?')
  const cases = [
    [
      link.target.replace(/signature=./, (all) => (all.endsWith('A') ? 'signature=B' : 'signature=A')),
      jpeg,
      'image/jpeg',
      'UPLOAD_NOT_ALLOWED',
    ],
    [`${link.target.split('?')[0] ?? ''}?${proof ?? ''}`, jpeg, 'image/jpeg', 'UPLOAD_NOT_ALLOWED'],
    [link.target.replace(/expires=[0-9]+/, 'expires=9999999999'), jpeg, 'image/jpeg', 'UPLOAD_NOT_ALLOWED'],
    [path ?? '', jpeg, 'image/jpeg', 'UPLOAD_NOT_ALLOWED'],
    [link.target, jpeg, 'image/png', 'UPLOAD_TYPE_REFUSED'],
    [link.target, Buffer.from('<script>alert(1)</script>'), 'image/jpeg', 'UPLOAD_TYPE_REFUSED'],
  ] as const
  for (const [target, body, contentType, code] of cases)
    expect([target, (await put(target, body, contentType)).body.code]).toEqual([target, code])
  const tooLong = await sendRaw(
    market.url,
    `PUT ${link.target} HTTP/1.1\r\nHost: ${authority}\r\nContent-Type: image/jpeg\r\nContent-Length: 26214401\r\n\r\n`,
  )
  expect(tooLong).toMatch(/^HTTP\/1\.1 413 /)
  expect((await put(link.target, jpeg)).status).toBe(201)
})

test('an upload that breaks off keeps nothing and leaves its link good; of ten at once one is kept', async () => {
  const link = await presign()
  const { port } = new URL(market.url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  const gone = new Promise((resolve) => socket.once('close', resolve))
  socket.write(
    `PUT ${link.target} HTTP/1.1\r\nHost: ${authority}\r\n` +
      `Content-Type: image/jpeg\r\nContent-Length: ${String(jpeg.length)}\r\n\r\n`,
  )
  socket.write(jpeg.subarray(0, 500_000), () => {
    socket.destroySoon()
  })
  await gone
  expect(
    await eventually(
      () => drafts(),
      (names) => names.length === 0,
    ),
  ).toEqual([])
  const replies = await Promise.all(Array.from({ length: 10 }, () => put(link.target, jpeg).catch(() => undefined)))
  expect(replies.filter((reply) => reply?.status === 201).length).toBe(1)
  expect(
    await eventually(
      () => drafts(),
      (names) => names.length === 0,
    ),
  ).toEqual([])
})

const drafts = (): Promise<string[]> => readdir(join(market.rig.settings.dataDir, 'evidence', '.incoming'))

test('a link is made for the worker of the task alone', async () => {
  const stranger = await market.party(0n)
  expect((await stranger.call('GET', `/api/v1/evidence/presign-upload?task_id=${taskId}`)).status).toBe(403)
  expect((await market.get(`/api/v1/evidence/presign-upload?task_id=${taskId}`)).body.code).toBe('SIGNATURE_REQUIRED')
})

test('a file is sent by the part, as a player asks for it, and as a whole where no part of it can be meant', async () => {
  const link = await presign()
  expectStatus(await put(link.target, jpeg), 201)
  const key = new URL(link.publicUrl).pathname.replace('/api/v1/evidence/files/', '')
  const own = expectStatus(await worker.call('GET', `/api/v1/evidence/presign-download?key=${key}`), 200)
  const { pathname, search } = new URL(String(own.body['download_url']))
  const size = String(jpeg.length)
  const ask = async (headers: Readonly<Record<string, string>>, method = 'GET') => {
    const answer = await fetch(market.url + pathname + search, { method, headers: { connection: 'close', ...headers } })
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const { answer: whole } = await ask({})
  const etag = whole.headers.get('etag') ?? ''
  expect([whole.status, whole.headers.get('accept-ranges'), etag]).toEqual([
    200,
    'bytes',
    `"${createHash('sha256').update(jpeg).digest('hex')}"`,
  ])
  // What Safari asks first.
  const { answer: probe, bytes: two } = await ask({ range: 'bytes=0-1' })
  expect([probe.status, probe.headers.get('content-range'), probe.headers.get('content-length')]).toEqual([
    206,
    `bytes 0-1/${size}`,
    '2',
  ])
  expect(two.equals(jpeg.subarray(0, 2))).toBe(true)
  expect(probe.headers.get('x-content-type-options')).toBe('nosniff')
  const rest = await ask({ range: 'bytes=1000000-', 'if-range': etag })
  expect([rest.answer.status, rest.bytes.equals(jpeg.subarray(1_000_000))]).toEqual([206, true])
  const last = await ask({ range: 'bytes=-500' })
  expect([last.answer.status, last.bytes.equals(jpeg.subarray(-500))]).toEqual([206, true])
  const other = await ask({ range: 'bytes=0-1', 'if-range': '"another"' })
  expect([other.answer.status, other.bytes.equals(jpeg)]).toEqual([200, true])
  const beyond = await ask({ range: `bytes=${size}-` })
  expect([beyond.answer.status, beyond.answer.headers.get('content-range'), beyond.bytes.length]).toEqual([
    416,
    `bytes */${size}`,
    0,
  ])
  const head = await ask({ range: 'bytes=0-1' }, 'HEAD')
  expect([head.answer.status, head.answer.headers.get('content-length')]).toEqual([200, size])
  expect((await ask({ range: 'bytes=0-1' })).answer.headers.get('cache-control')).toBe('private, no-store')
  const forged = await fetch(`${market.url}${pathname}?expires=1&signature=x`, { headers: { range: 'bytes=0-1' } })
  expect(forged.status).toBe(403)
})

test('a photo larger than a JSON body may be is uploaded once and read by the publisher alone through a short-lived link', async () => {
  const link = await presign()
  expect((await put(link.target, jpeg)).status).toBe(201)
  expect((await put(link.target, jpeg)).body.code).toBe('UPLOAD_NOT_ALLOWED')
  const submitted = expectStatus(
    await worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: { photo: link.publicUrl } }),
    201,
  )
  const seen = expectStatus(
    await publisher.call('GET', `/api/v1/submissions/${String(submitted.body['submission_id'])}`),
    200,
  )
  const evidence = seen.body['evidence'] as { readonly photo: string } // the field just submitted
  const url = new URL(evidence.photo)
  const read = await fetch(market.url + url.pathname + url.search)
  expect([read.status, read.headers.get('content-type'), read.headers.get('x-content-type-options')]).toEqual([
    200,
    'image/jpeg',
    'nosniff',
  ])
  const received = Buffer.from(await read.arrayBuffer())
  expect([received.includes('iPhone'), jpeg.includes('iPhone'), received.length > 1_048_576]).toEqual([
    false,
    true,
    true,
  ])
  expect([read.headers.get('content-disposition'), read.headers.get('content-security-policy')]).toEqual([
    'inline',
    "default-src 'none'; sandbox",
  ])
  const key = new URL(link.publicUrl).pathname.replace('/api/v1/evidence/files/', '')
  const fresh = (party: Party) => party.call('GET', `/api/v1/evidence/presign-download?key=${key}`)
  const bytesFor = async (party: Party): Promise<Buffer> => {
    const { pathname, search } = new URL(String(expectStatus(await fresh(party), 200).body['download_url']))
    return Buffer.from(await (await fetch(market.url + pathname + search)).arrayBuffer())
  }
  expect([(await bytesFor(publisher)).equals(received), (await bytesFor(worker)).equals(jpeg)]).toEqual([true, true])
  expect((await market.get(`/api/v1/evidence/presign-download?key=${key}`)).body.code).toBe('SIGNATURE_REQUIRED')
  const unproved = await market.get(new URL(link.publicUrl).pathname)
  expect(unproved).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(unproved.body['message']).toContain('GET /api/v1/evidence/presign-download')
  const stranger = await market.party(0n)
  expect((await fresh(stranger)).body.code).toBe('FORBIDDEN')
  expect((await stranger.call('GET', `/api/v1/submissions/${String(submitted.body['submission_id'])}`)).body.code).toBe(
    'FORBIDDEN',
  )
})

test('health and metrics say what uploads take', async () => {
  const { uploads } = expectShape('service.health', await market.get('/api/v1/health')) as {
    readonly uploads: Readonly<Record<string, number>>
  } // the contract's output
  expect(uploads).toMatchObject({ day_limit_bytes: 20_480 * 1_048_576 })
  expect(uploads['files']).toBeGreaterThan(3)
  expect(uploads['bytes']).toBeGreaterThan(3 * jpeg.length)
  expect(expectShape('admin.metrics', await asAdmin(market, 'GET', '/api/v1/admin/metrics'))['uploads']).toEqual(
    uploads,
  )
})

test('whoever decides a dispute reads the file as it was uploaded, in the submission and in its evidence', async () => {
  const [{ id }] = expectStatus(await worker.call('GET', `/api/v1/tasks/${taskId}/submissions`), 200).body[
    'submissions'
  ] as [{ readonly id: string }] // the contract's output
  const path = `/api/v1/submissions/${id}`
  expect((await asAdmin(market, 'GET', path)).body.code).toBe('FORBIDDEN')
  expectStatus(
    await worker.call('POST', `${path}/dispute`, { reason: 'no_response', description: 'Nobody looks at it.' }),
    201,
  )
  const { photo: inSubmission } = expectShape('submissions.get', await asAdmin(market, 'GET', path))['evidence'] as {
    readonly photo: string
  } // what the test above submitted
  const [{ url: inEvidence }] = expectShape('submissions.evidence', await asAdmin(market, 'GET', `${path}/evidence`))[
    'evidence'
  ] as [{ readonly url: string }] // the same, as the list of its types
  for (const link of [inSubmission, inEvidence]) expect((await bytesBehind(link)).equals(jpeg)).toBe(true)
})

/** Over a connection that ends with the answer: one that is kept alive would hold up the end of the service. */
async function bytesBehind(link: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const { pathname, search } = new URL(link)
  get(market.url + pathname + search, { agent: false }, (incoming) => {
    buffer(incoming).then(resolve, reject)
  }).on('error', reject)
  return promise
}
