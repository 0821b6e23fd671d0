import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { queryDatabase } from '@ergon/dev-env'
import { expect, onTestFinished, test } from 'vitest'
import { copyEvidence } from '../../src/copy-evidence.ts'
import { decideConfig, readEnv, readSecrets, type Env } from '../../src/index.ts'
import { radosgwMissing } from '../adapters/s3/install-radosgw.ts'
import { startRadosgw } from '../adapters/s3/start-radosgw.ts'
import { photo } from '../files/photos.ts'
import { send } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { applied, assign, envOf, expectStatus, paymentAuth, submit, type Party } from '../http/live-market.ts'
import { beginLifetime, type Lifetime } from './starts.ts'

/** The place where evidence is kept is another one after a start, while people have handed in files. */

const patienceMs = 120_000

/** A photo that was handed in, and a task that waits for its review. */
async function handedIn(lifetime: Lifetime) {
  const live = await lifetime.start()
  const [publisher, worker] = [await live.party(5n), await live.party(0n)]
  const job = await applied(publisher, worker, { evidence_required: ['photo'] })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const jpeg = await photo('image/jpeg')
  const asked = `/api/v1/evidence/presign-upload?task_id=${job.taskId}&content_type=image/jpeg`
  const link = expectStatus(await worker.call('GET', asked), 200).body
  const { pathname, search } = new URL(String(link['upload_url']))
  await send(live.url, 'PUT', pathname + search, { host: authority, 'content-type': 'image/jpeg' }, jpeg)
  const evidence = { photo: link['public_url'] }
  expectStatus(await worker.call('POST', `/api/v1/tasks/${job.taskId}/submit`, { evidence }), 201)
  return { publisher, worker, jpeg, key: String(link['key']) }
}

async function download(party: Party, key: string, url: string): Promise<{ status: number; bytes: Buffer }> {
  const reply = expectStatus(await party.call('GET', `/api/v1/evidence/presign-download?key=${key}`), 200)
  const link = new URL(String(reply.body['download_url']))
  // The service goes by a name that leads nowhere here.
  const answer = await fetch(link.host === authority ? new URL(link.pathname + link.search, url) : link)
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const told = async (url: string): Promise<readonly string[]> =>
  (await send(url, 'GET', '/readyz')).body['reasons'] as readonly string[] // the probe's own shape

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'ergon-place-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

test(
  'alarm evidence_missing: another folder takes files, and has none of those that were handed in',
  { timeout: patienceMs },
  async () => {
    const lifetime = await beginLifetime()
    const { worker, jpeg, key } = await handedIn(lifetime)
    const other = await lifetime.start({ SVC_DATA_DIR: await folder() })
    await expect.poll(() => told(other.url), { timeout: 20_000 }).toContain('evidence_missing')
    expect(await told(other.url)).not.toContain('storage_unwritable')

    // A mount that goes away under a process that runs, and comes back.
    const { dataDir } = lifetime.rig.settings
    const back = await lifetime.start()
    expect((await download(back.known(worker), key, back.url)).bytes.equals(jpeg)).toBe(true)
    expect(await told(back.url)).not.toContain('evidence_missing')
    await rename(dataDir, `${dataDir}-away`)
    await mkdir(dataDir)
    const without = await lifetime.start()
    await expect.poll(() => told(without.url), { timeout: 20_000 }).toContain('evidence_missing')
    await rm(dataDir, { recursive: true })
    await rename(`${dataDir}-away`, dataDir)
    await expect.poll(() => told(without.url), { timeout: 30_000 }).not.toContain('evidence_missing')
  },
)

test(
  'a file that is lost alone is missing until it was taken down, whatever is handed in after it',
  async () => {
    const lifetime = await beginLifetime()
    await handedIn(lifetime)
    const live = await lifetime.start()
    for (let made = 0; made < 6; made += 1) {
      const [publisher, worker] = [await live.party(5n), await live.party(0n)]
      const job = await applied(publisher, worker)
      expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
      await submit(worker, job.taskId)
    }
    const { dataDir } = lifetime.rig.settings
    const [piece] = await queryDatabase(
      lifetime.databaseUrl,
      "select evidence -> 'photo' ->> 'key' as key from submissions where evidence ? 'photo'",
    )
    const file = basename(String(piece?.['key']), '.jpg')
    for (const name of await readdir(dataDir, { recursive: true }))
      if (name.includes(file)) await rm(join(dataDir, name), { recursive: true, force: true })
    const without = await lifetime.start()
    await expect.poll(() => told(without.url), { timeout: 20_000 }).toContain('evidence_missing')
    await queryDatabase(lifetime.databaseUrl, "update submissions set evidence = '{}' where evidence ? 'photo'")
    await expect.poll(() => told(without.url), { timeout: 30_000 }).not.toContain('evidence_missing')
  },
  patienceMs,
)

const missing = await radosgwMissing()
if (missing !== null) console.warn(`the way into a bucket is not tested: ${missing}`)

test.skipIf(missing !== null)(
  'what a folder has is copied into a bucket, and read from there',
  { timeout: 300_000 },
  async () => {
    const lifetime = await beginLifetime()
    const { publisher, worker, jpeg, key } = await handedIn(lifetime)
    const gateway = await startRadosgw()
    onTestFinished(() => gateway[Symbol.asyncDispose]())
    const { endpoint, accessKey, secretKey } = gateway
    const operator = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3', region: 'us-east-1' }) // prettier-ignore
    expect((await operator.fetch(`${endpoint}/evidence`, { method: 'PUT' })).status).toBe(200)
    const bucket: Env = {
      SVC_S3_ENDPOINT: endpoint,
      SVC_S3_BUCKET: 'evidence',
      SVC_S3_ACCESS_KEY: accessKey,
      SVC_S3_SECRET_KEY: secretKey,
    }
    const early = await lifetime.start(bucket)
    await expect.poll(() => told(early.url), { timeout: 20_000 }).toContain('evidence_missing')
    expect((await download(early.known(worker), key, early.url)).status).toBe(404)

    const copy = (env: Env) => {
      const raw = readEnv(envOf(lifetime.rig, lifetime.databaseUrl, env))
      const config = decideConfig(raw)
      return copyEvidence(config, readSecrets(raw, config))
    }
    await expect(copy({})).rejects.toThrow('set SVC_S3_ENDPOINT')
    // The photo, and the copy that says nothing of its maker.
    expect(await copy(bucket)).toEqual({ copied: 2, there: 0, missing: [] })
    expect(await copy(bucket)).toEqual({ copied: 0, there: 2, missing: [] })
    await expect.poll(() => told(early.url), { timeout: 30_000 }).not.toContain('evidence_missing')
    expect((await download(early.known(worker), key, early.url)).bytes.equals(jpeg)).toBe(true)
    expect((await download(early.known(publisher), key, early.url)).status).toBe(200)
    const nowhere = { ...bucket, SVC_S3_BUCKET: 'other', SVC_DATA_DIR: await folder() }
    expect((await operator.fetch(`${endpoint}/other`, { method: 'PUT' })).status).toBe(200)
    const lost = await copy(nowhere)
    expect([lost.copied, lost.missing.length, lost.missing.includes(key)]).toEqual([0, 2, true])
  },
)
