import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { scene } from '../adapters/inspector/pictures.ts'
import { expectShape } from './live-admin.ts'
import {
  applied,
  approveFields,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from './live-market.ts'

let market: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  market = await startLiveMarket()
  publisher = await market.party(5n)
  worker = await market.party(0n)
})
afterAll(() => market[Symbol.asyncDispose]())

/** Paid work with a photo that says where it was taken. */
async function paid(): Promise<Readonly<Record<'taskId' | 'executorId' | 'key', string>>> {
  const job = await applied(publisher, worker, { evidence_required: ['photo'] })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const query = `task_id=${job.taskId}&content_type=image/jpeg`
  const link = expectStatus(await worker.call('GET', `/api/v1/evidence/presign-upload?${query}`), 200)
  const url = new URL(String(link.body['upload_url']))
  const exif = { IFD0: { Make: 'Fairphone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '1/1 2/1 3/1' } }
  const jpeg = await scene(5).withExif(exif).jpeg().toBuffer()
  const headers = { host: authority, 'content-type': 'image/jpeg' }
  expectStatus(await send(market.url, 'PUT', url.pathname + url.search, headers, jpeg), 201)
  const evidence = { photo: link.body['public_url'] }
  const submitted = await worker.call('POST', `/api/v1/tasks/${job.taskId}/submit`, { evidence })
  const submissionId = String(expectStatus(submitted, 201).body['submission_id'])
  const approved = await approveFields(publisher, submissionId)
  expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, approved), 200)
  return { ...job, key: String(link.body['key']) }
}

const fetched = (path: string, headers: Record<string, string> = {}) => fetch(market.url + path, { headers })

test('a picture is public once both agreed, before that by links that end, and gone once it is taken back', async () => {
  const { taskId, executorId, key } = await paid()
  const path = `/api/v1/tasks/${taskId}/portfolio`
  const before = expectShape('portfolio.read', await worker.call('GET', path))
  expect(before).toMatchObject({ state: 'none', may_ask: true, choices: [key], work: { pictures: [] } })
  const asked = expectShape('portfolio.ask', await worker.call('PUT', path, { pictures: [key] }))
  expect(asked).toMatchObject({ state: 'asked', may_ask: false, choices: [] })
  const seen = expectShape('portfolio.read', await publisher.call('GET', path))
  expect(seen['work']).toMatchObject({ title: 'Photograph the gate', month: new Date().toISOString().slice(0, 7) })
  const [preview = ''] = (seen['work'] as { readonly pictures: readonly string[] }).pictures
  const [bare = ''] = preview.split('?')
  for (const [address, status] of [
    [preview, 200],
    [bare, 404],
    [`${preview.slice(0, -1)}_`, 404],
    [`${bare.slice(0, -5)}0.jpg`, 404],
    ['/portfolio/a/b.jpg', 404],
  ] as const)
    expect((await fetched(address)).status, address).toBe(status)
  expect((await fetched(preview)).headers.get('cache-control')).toBe('no-store')
  expect(expectShape('portfolio.list', await market.get(`/api/v1/workers/${executorId}/portfolio`))).toMatchObject({
    total: 0,
    works: [],
  })

  expectShape('portfolio.answer', await publisher.call('POST', `${path}/answer`, { allow: true }))
  const list = expectShape('portfolio.list', await market.get(`/api/v1/workers/${executorId}/portfolio`))
  expect(list).toMatchObject({ total: 1, works: [{ task_id: taskId, pictures: [bare] }] })
  const shown = await fetched(bare)
  expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'public, no-cache',
  ])
  const bytes = Buffer.from(await shown.arrayBuffer())
  expect(await sharp(bytes).metadata()).not.toHaveProperty('exif')
  expect(bytes.includes('Fairphone')).toBe(false)
  const again = await fetched(bare, { 'if-none-match': shown.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)

  expectShape('portfolio.takeBack', await worker.call('DELETE', path))
  for (const address of [bare, preview]) expect((await fetched(address)).status).toBe(404)
})
