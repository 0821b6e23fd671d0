import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photo } from '../files/photos.ts'
import { send } from '../dispatch/send.ts'
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
beforeAll(async () => {
  market = await startLiveMarket({ SVC_ADMIN_KEY: adminKey })
  publisher = await market.party(5n)
  worker = await market.party(0n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

const jpeg = await photo('image/jpeg', { width: 60, height: 40 })
const words = 'Ábrelo: what nobody should read.'
const sha256 = (of: string | Uint8Array): string => createHash('sha256').update(of).digest('hex')

async function handedIn(): Promise<Readonly<Record<'taskId' | 'submissionId' | 'key', string>>> {
  const job = await applied(publisher, worker, { evidence_required: ['photo', 'text_response'] })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const query = `task_id=${job.taskId}&content_type=image/jpeg`
  const link = expectStatus(await worker.call('GET', `/api/v1/evidence/presign-upload?${query}`), 200)
  const url = new URL(String(link.body['upload_url']))
  const headers = { host: authority, 'content-type': 'image/jpeg' }
  expect((await send(market.url, 'PUT', url.pathname + url.search, headers, jpeg)).status).toBe(201)
  const evidence = { photo: link.body['public_url'], text_response: words }
  const submitted = expectStatus(
    await worker.call('POST', `/api/v1/tasks/${job.taskId}/submit`, { evidence, notes: 'and this' }),
    201,
  )
  return {
    taskId: job.taskId,
    submissionId: String(submitted.body['submission_id']),
    key: String(link.body['key']),
  }
}

const filesOf = (taskId: string): Promise<readonly string[]> =>
  readdir(join(market.rig.settings.dataDir, 'evidence', taskId), { recursive: true })
    .then((names) => names.filter((name) => name.endsWith('file')))
    .catch(() => [])

test('evidence that the operator takes down is deleted, and each piece stays provable by its hash', async () => {
  const { taskId, submissionId, key } = await handedIn()
  const report = { target: 'submission', target_id: submissionId, reason: 'illegal' }
  const id = String(expectStatus(await publisher.call('POST', '/api/v1/reports', report), 201).body['id'])
  expect((await filesOf(taskId)).length).toBeGreaterThan(0)
  const decide = (action: string) =>
    asAdmin(market, 'PUT', `/api/v1/admin/reports/${id}`, { action, reason: 'It was asked for.' })
  const hashes = { photo: sha256(jpeg), text_response: sha256(words), notes: sha256('and this') }
  const linkFor = (party: Party) => party.call('GET', `/api/v1/evidence/presign-download?key=${key}`)
  for (const reader of [publisher, worker]) expectStatus(await linkFor(reader), 200)
  const decided = expectShape('admin.decideReport', await decide('take_down'))
  expect(decided).toMatchObject({ state: 'taken_down', taken_down: { hashes } })
  for (const reader of [publisher, worker]) {
    expect(await linkFor(reader)).toMatchObject({ status: 410, body: { code: 'EVIDENCE_TAKEN_DOWN' } })
    const path = `/api/v1/submissions/${submissionId}`
    expect(expectShape('submissions.evidence', await reader.call('GET', `${path}/evidence`))).toMatchObject({
      count: 0,
      taken_down: { hashes },
    })
    expect(expectShape('submissions.get', await reader.call('GET', path))).toMatchObject({
      evidence: {},
      notes: null,
      taken_down: { hashes },
    })
  }
  const byAdmin = await asAdmin(market, 'GET', `/api/v1/evidence/presign-download?key=${key}`)
  expect(byAdmin).toMatchObject({ status: 410, body: { code: 'EVIDENCE_TAKEN_DOWN' } })
  expect((await linkFor(await market.party(0n))).status).toBe(403)
  const { lines } = expectShape('admin.audit', await asAdmin(market, 'GET', `/api/v1/admin/audit?subject=${id}`))
  expect(lines).toMatchObject([{ action: 'report.decide', after: { sha256_photo: hashes.photo } }])
  // Taken down again, the hashes stay.
  expect(expectShape('admin.decideReport', await decide('take_down'))).toMatchObject({ taken_down: { hashes } })
  expect(
    await eventually(
      () => filesOf(taskId),
      (files) => files.length === 0,
      90_000,
    ),
  ).toEqual([])
  expect((await linkFor(worker)).status).toBe(410)
}, 180_000)

test('what is no submission has no evidence to take down', async () => {
  const { taskId } = await applied(publisher, worker)
  const report = { target: 'task', target_id: taskId, reason: 'spam' }
  const id = String(expectStatus(await worker.call('POST', '/api/v1/reports', report), 201).body['id'])
  const body = { action: 'take_down', reason: 'It was asked for.' }
  expect((await asAdmin(market, 'PUT', `/api/v1/admin/reports/${id}`, body)).status).toBe(422)
})
