import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMarket, type Market, type UploadLimits } from '@ergon/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCleaner } from '../../src/adapters/inspector/create-cleaner.ts'
import { createIsProvenWorker } from '../../src/adapters/postgres/proven-wallets.ts'
import { createUploads, type UploadLedger } from '../../src/adapters/postgres/uploads.ts'
import { createDiskEvidence, evidencePath, type DiskEvidence } from '../../src/adapters/storage/disk.ts'
import { photo } from '../files/photos.ts'
import { openStage, publisher, worker, type Stage } from './stage.ts'

const mib = 1_048_576
const keepMs = 24 * 3_600_000
const roomy: UploadLimits = { perTask: 100 * mib, perWalletDay: 1_000 * mib, perDay: 10_000 * mib }
const picture = await photo('image/jpeg', { width: 600, height: 600 })
const cleaner = createCleaner({ timeoutMs: 10_000 })
let stage: Stage
let folder: string
let uploads: UploadLedger
let evidence: DiskEvidence
let market: Market

beforeAll(async () => {
  stage = await openStage('fase1')
  folder = await mkdtemp(join(tmpdir(), 'ergon-uploads-'))
})
afterAll(async () => {
  await cleaner[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await stage.pool.query('delete from uploads')
  await stage.pool.query('delete from upload_counts')
  open(roomy)
})

function open(limits: UploadLimits): void {
  uploads = createUploads(stage.pool, { limits, keepMs }, createIsProvenWorker(stage.pool))
  evidence = createDiskEvidence({
    cleaner,
    meter: uploads,
    dataDir: folder,
    secret: 'one secret',
    baseUrl: 'http://market.test',
  })
  market = createMarket({ ...stage.deps, evidence, uploads })
}

/** A task in the hands of the worker, who is to hand in a photo. */
async function job(): Promise<string> {
  const { task } = await market.publish(publisher, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and take one photo.',
    category: 'simple_action',
    bountyUsd: '1',
    deadlineHours: 240,
    evidenceRequired: ['photo'],
    evidenceOptional: ['document'],
    locationHint: null,
    minReputation: 0,
    network: null,
    token: null,
    target: 'any',
    publisherType: 'agent',
    paymentAuth: null,
    idempotency: null,
  })
  const { executorId } = await market.apply(worker, task.id, { executorId: null, message: null })
  await market.assign(publisher, task.id, { executorId, notes: null, paymentAuth: null })
  return task.id
}

const presign = (taskId: string, bytes: number | null) =>
  market.presignUpload(worker, { taskId, contentType: 'image/jpeg', filename: null, evidenceType: 'photo', bytes })
const submit = (taskId: string, link: string) =>
  market.submit(worker, taskId, { executorId: null, evidence: { photo: link }, notes: null, deviceMetadata: null })

async function put({ url, key }: { readonly url: string; readonly key: string }, body = picture): Promise<unknown> {
  const { searchParams } = new URL(url)
  return evidence.receive(
    {
      key,
      proof: { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' },
      contentType: 'image/jpeg',
      contentLength: undefined,
      body: pieces(body),
    },
    stage.clock.now(),
  )
}

async function* pieces(body: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(body)
}

async function uploaded(taskId: string): Promise<{ readonly key: string; readonly publicUrl: string }> {
  const link = await presign(taskId, picture.length)
  await put(link)
  return link
}

const sizes = () => uploads.sizes()
const fileOf = (key: string): string => join(folder, 'evidence', ...key.replace(/\.[a-z]+$/, '').split('/'), 'file')
const code = (of: string): unknown => expect.objectContaining({ code: of })

test('a task, a wallet and a day have room for so much, and each says so by its code', async () => {
  const [first, second, third] = [await job(), await job(), await job()]
  open({ perTask: 10 * mib, perWalletDay: 15 * mib, perDay: 18 * mib })
  await presign(first, 6 * mib)
  await expect(presign(first, 6 * mib)).rejects.toThrow(code('UPLOAD_QUOTA_EXCEEDED'))
  await presign(second, 6 * mib)
  const refused: unknown = await presign(third, 6 * mib).catch((error: unknown) => error)
  const {
    rows: [today],
  } = await stage.pool.query<{ midnight: Date; left: number }>(
    "select m as midnight, extract(epoch from m - now())::float8 as left from (select ((now() at time zone 'utc')::date + 1)::timestamp at time zone 'utc' as m)",
  )
  expect(refused).toMatchObject({
    code: 'UPLOAD_BUDGET_SPENT',
    details: { budget: 'wallet', limit_bytes: 15 * mib, reset_at: today?.midnight.toISOString() },
  })
  // As matched above.
  const { retry_after_sec: wait } = (refused as { readonly details: { readonly retry_after_sec: number } }).details
  expect(Math.abs(wait - (today?.left ?? 0))).toBeLessThan(5)
  open({ perTask: 10 * mib, perWalletDay: 0, perDay: 18 * mib })
  await presign(third, 6 * mib)
  await expect(presign(second, 1)).rejects.toThrow(code('UPLOAD_BUDGET_SPENT'))
  expect(await sizes()).toMatchObject({
    files: 3,
    bytes: 18 * mib,
    waitingBytes: 18 * mib,
    todayBytes: 18 * mib,
    dayLimitBytes: 18 * mib,
  })
  // The day is that of the database: a process whose clock is ahead begins none.
  stage.clock.advance(24 * 3_600_000)
  await expect(presign(second, 1)).rejects.toThrow(code('UPLOAD_BUDGET_SPENT'))
  await stage.pool.query(
    'update upload_counts set scope = replace(scope, day::text, (day - 1)::text), day = day - 1 where day is not null',
  )
  expect((await presign(second, 1)).maxBytes).toBe(65_536)
})

test('strangers leave a part of the day to workers whose work was paid for', async () => {
  const [task, paid] = [await job(), await job()]
  const limits = { perTask: 0, perWalletDay: 0, perDay: 1_200 * mib }
  open(limits)
  await presign(task, mib)
  await stage.pool.query("update upload_counts set bytes = $1 where scope like 'newcomers:%'", [900 * mib])
  const refused: unknown = await presign(task, mib).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'UPLOAD_BUDGET_SPENT', details: { budget: 'day' } })
  const old = "update tasks set status = 'completed', created_at = now() - interval '2 days' where id = $1"
  await stage.pool.query(old, [paid])
  open(limits)
  const { key } = await presign(task, mib)
  // What a proven one gives back is not taken from the strangers.
  await uploads.stored(key, 1, stage.clock.now())
  const { rows } = await stage.pool.query("select bytes from upload_counts where scope like 'newcomers:%'")
  expect(rows).toEqual([{ bytes: BigInt(900 * mib) }])
})

test('what was taken from the newcomers goes back to them, though their worker is proven when the file comes', async () => {
  const [task, paid] = [await job(), await job()]
  const limits = { perTask: 0, perWalletDay: 0, perDay: 1_200 * mib }
  const shared = async () =>
    (await stage.pool.query<{ bytes: bigint }>("select bytes from upload_counts where scope like 'newcomers:%'")).rows
  await stage.pool.query("update tasks set status = 'published' where status = 'completed'")
  open(limits)
  const { key } = await presign(task, mib)
  expect(await shared()).toEqual([{ bytes: BigInt(mib) }])
  const old = "update tasks set status = 'completed', created_at = now() - interval '2 days' where id = $1"
  await stage.pool.query(old, [paid])
  open(limits)
  expect(await uploads.stored(key, 1, stage.clock.now())).toBe(true)
  const [row] = await shared()
  expect(row?.bytes).toBeLessThan(BigInt(mib))
})

test('of a hundred links at once a task gives those that fit, and not one more', async () => {
  const taskId = await job()
  const given = await Promise.allSettled(Array.from({ length: 100 }, () => presign(taskId, 10 * mib)))
  expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await sizes()).toMatchObject({ files: 10, bytes: 100 * mib })
})

test('whoever waits for the count of all files holds few connections, and all are counted in the end', async () => {
  const [taskId, { pool }] = [await job(), stage]
  const { rows } = await pool.query<{ id: string }>('select executor_id as id from tasks where id = $1', [taskId])
  const executorId = rows[0]?.id ?? ''
  const reserve = () => uploads.reserve({ key: randomUUID(), taskId, executorId, bytes: 10 }, new Date())
  await reserve()
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query("select 1 from upload_counts where scope = 'all' for update")
    const asked = Array.from({ length: 40 }, reserve)
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(3)
    // Who hands in what was uploaded does not wait behind them.
    for (let index = 0; index < 20; index += 1) expect(await uploads.claim('another', new Date())).toBe(false)
    await holder.query('rollback')
    expect(await Promise.all(asked)).toEqual(asked.map(() => null))
  } finally {
    holder.release()
  }
  expect((await uploads.sizes()).files).toBe(41)
})

test('a link takes no more than it has room for, and gives back what the file leaves', async () => {
  const taskId = await job()
  const small = await presign(taskId, 70_000)
  await expect(put(small)).rejects.toThrow(code('request_body_too_large'))
  const link = await presign(taskId, null)
  expect(await sizes()).toMatchObject({ files: 2, bytes: 25 * mib + 70_000 })
  await put(link)
  expect(await sizes()).toMatchObject({ files: 2, bytes: picture.length + 70_000, todayBytes: picture.length + 70_000 })
})

test('what was never submitted is purged when its time is over, copies included, and the task has its room again', async () => {
  const taskId = await job()
  const [left, handedIn, unused] = [await uploaded(taskId), await uploaded(taskId), await presign(taskId, 100)]
  // Taken and then not submitted: another piece of the same submission is refused.
  await expect(
    market.submit(worker, taskId, {
      executorId: null,
      evidence: { photo: left.publicUrl, document: unused.publicUrl },
      notes: null,
      deviceMetadata: null,
    }),
  ).rejects.toThrow(code('EVIDENCE_INVALID'))
  const before = await readdir(join(folder, 'evidence', ...left.key.split('/').slice(0, 2)))
  expect(before).toHaveLength(3) // two uploads and one clean copy
  const { submission } = await submit(taskId, handedIn.publicUrl)
  expect(await market.duties.purgeUploads()).toBe(0)
  stage.clock.advance(keepMs + 1)
  expect(await market.duties.purgeUploads()).toBe(2)
  expect([existsSync(fileOf(left.key)), existsSync(fileOf(handedIn.key))]).toEqual([false, true])
  const kept = submission.evidence.photo as { readonly clean_key: string } // the photo that was submitted
  expect((await readdir(join(folder, 'evidence', ...left.key.split('/').slice(0, 2)))).toSorted()).toEqual(
    [handedIn.key, kept.clean_key].map((key) => key.split('/')[2]?.split('.')[0]).toSorted(),
  )
  expect(await sizes()).toMatchObject({ files: 1, bytes: picture.length, waitingFiles: 0, waitingBytes: 0 })
  // Handing it in again, after a rejection, makes it no more due than it was.
  expect(await uploads.claim(handedIn.key, stage.clock.now())).toBe(true)
  await presign(await job(), 100)
  stage.clock.advance(3_600_000)
  expect(await market.duties.purgeUploads()).toBe(0)
  expect(await sizes()).toMatchObject({ files: 2, waitingFiles: 1, waitingBytes: 65_536 })
  expect(existsSync(fileOf(handedIn.key))).toBe(true)
})

test('a file that a submission is taking is not purged under it, and a purged one is not submitted', async () => {
  const taskId = await job()
  const [late, gone] = [await uploaded(taskId), await uploaded(taskId)]
  stage.clock.advance(keepMs + 1)
  expect(await uploads.claim(late.key, stage.clock.now())).toBe(true)
  expect(await market.duties.purgeUploads()).toBe(1)
  await expect(submit(taskId, gone.publicUrl)).rejects.toThrow(code('EVIDENCE_INVALID'))
  await submit(taskId, late.publicUrl)
})

test('a link that was purged takes no bytes, and bytes that come while it is purged are not kept', async () => {
  const taskId = await job()
  const link = await presign(taskId, picture.length)
  await stage.pool.query("update uploads set purge_at = '2000-01-01'")
  const slow = {
    ...uploads,
    allowance: async (key: string) => {
      const allowed = await uploads.allowance(key)
      await market.duties.purgeUploads()
      return allowed
    },
  }
  const racing = createDiskEvidence({
    cleaner,
    meter: slow,
    dataDir: folder,
    secret: 'one secret',
    baseUrl: 'http://market.test',
  })
  const { searchParams } = new URL(link.url)
  const upload = {
    key: link.key,
    proof: { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' },
    contentType: 'image/jpeg',
    contentLength: undefined,
    body: pieces(picture),
  }
  await expect(racing.receive(upload, stage.clock.now())).rejects.toThrow(code('UPLOAD_NOT_ALLOWED'))
  expect(existsSync(fileOf(link.key))).toBe(false)
  await expect(put(link)).rejects.toThrow(code('UPLOAD_NOT_ALLOWED'))
  expect(link.publicUrl).toContain(evidencePath)
})

test('two processes purge each file once, and one that fails leaves it for the next', async () => {
  const taskId = await job()
  for (let file = 0; file < 4; file += 1) await uploaded(taskId)
  stage.clock.advance(keepMs + 1)
  const broken = createMarket({
    ...stage.deps,
    uploads,
    evidence: { ...evidence, remove: () => Promise.reject(new Error('the disk is away')) },
  })
  await expect(broken.duties.purgeUploads()).rejects.toThrow('the disk is away')
  expect(await market.duties.purgeUploads()).toBe(0)
  stage.clock.advance(11 * 60_000)
  const counts = await Promise.all([market.duties.purgeUploads(), market.duties.purgeUploads()])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(await sizes()).toMatchObject({ files: 0, bytes: 0, waitingFiles: 0 })
})

test('what an upload left that broke off with its process is removed after an hour', async () => {
  const drafts = join(folder, 'evidence', '.incoming')
  const [old, young] = [join(drafts, randomUUID()), join(drafts, randomUUID())]
  for (const path of [old, young]) await mkdir(path, { recursive: true })
  const ago = (ms: number): number => (stage.clock.now().getTime() - ms) / 1_000
  await utimes(old, ago(3_700_000), ago(3_700_000))
  await utimes(young, ago(60_000), ago(60_000))
  await market.duties.purgeUploads()
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

test('reserving, purging and adding up read by index however many uploads there are', async () => {
  await stage.pool.query(
    `insert into uploads (key, task_id, executor_id, day, bytes, purge_at)
      select n::text, (select id from tasks limit 1), gen_random_uuid(), '2026-01-01', 1,
        case when n % 100 = 0 then now() end from generate_series(1, 20000) n`,
  )
  await stage.pool.query(`insert into upload_counts select 'task:' || n, null, 1, 1 from generate_series(1, 20000) n`)
  await stage.pool.query('analyze uploads, upload_counts')
  const plan = async (text: string): Promise<string> =>
    (await stage.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`)).rows
      .map((row) => row['QUERY PLAN'])
      .join('\n')
  expect(
    await plan(
      "select key from uploads where purge_at <= '2000-01-01' order by purge_at limit 50 for update skip locked",
    ),
  ).toContain('uploads_to_purge')
  expect(
    await plan("select scope, files, bytes from upload_counts where scope = any('{all,waiting,day:2026-01-01}')"),
  ).toContain('upload_counts_pkey')
  expect(await plan("delete from upload_counts where day < '2000-01-01'")).toContain('upload_counts_by_day')
})
