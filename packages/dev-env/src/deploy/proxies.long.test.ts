import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { localChainId, mintTestUsd } from '@ergon/contracts'
import { generatePrivateKey, lowerAddress, privateKeySigner } from '@ergon/protocols'
import { createClient, type Client } from '@ergon/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataFolder } from '../constellation/data-folder.ts'
import { startLocalChain } from '../constellation/local-chain.ts'
import { ensureSecrets } from '../constellation/secrets.ts'
import { facilitatorService, serverService } from '../constellation/services.ts'
import { startNodeService, type NodeService } from '../node-service.ts'
import { freePort } from '../ports.ts'
import { drawJob } from '../storm/jobs/job.ts'
import { playJob } from '../storm/jobs/play-job.ts'
import { seededRandom } from '../storm/random.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { proxyNames, readDeployed, startProxy, type ProxyName } from './proxy.ts'
import { readSettings } from './settings-file.ts'

/** The two servers are of two versions, as while they are replaced one by one. */
const buildNames = ['before', 'after'] as const

/** What a build of the app looks like from outside: a page, and files whose names change with their content. */
function builtApp(root: string, build: string): string {
  const folder = join(root, `app-${build}`)
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta name="ergon-settings" content="{}"><script src="/assets/${build}.js"></script>`,
  )
  writeFileSync(join(folder, 'assets', `${build}.js`), `export const build = '${build}'\n`)
  return folder
}

/** Two servers of one database behind the proxy, as the guide of operators puts them up. */
async function startStage(name: ProxyName) {
  await using parts = new AsyncDisposableStack()
  const root = mkdtempSync(join(tmpdir(), 'ergon-proxy-'))
  parts.defer(() => {
    rmSync(root, { recursive: true, force: true })
  })
  const folder = dataFolder(root)
  for (const path of [folder.server, folder.logs]) mkdirSync(path, { recursive: true })
  const ports = { https: await freePort(), http: await freePort(), facilitator: await freePort() }
  const servers = [await freePort(), await freePort()] as const
  const proxy = parts.use(await startProxy(name, { folder: join(root, 'proxy'), ports: { ...ports, servers } }))
  setDefaultCACertificates([...getCACertificates('default'), proxy.ca])
  const chain = parts.use(await startLocalChain({}))
  const databases = {
    server: parts.use(await createTestDatabase()),
    facilitator: parts.use(await createTestDatabase()),
  }
  const around = {
    folder,
    secrets: ensureSecrets(folder.secrets),
    rpcUrl: chain.rpcUrl,
    databases: { server: databases.server.url, facilitator: databases.facilitator.url },
    paymentMode: 'fase2',
    web: undefined,
    mains: undefined,
    env: {
      server: {
        SVC_BASE_URL: proxy.url,
        SVC_TRUSTED_PROXIES: readSettings(readDeployed('server.env')).get('SVC_TRUSTED_PROXIES') ?? '',
        SVC_RATE_ANON_PER_MIN: '30',
        SVC_RATE_WALLET_PER_MIN: '0',
        SVC_REGISTER_PER_ADDRESS: '0',
      },
    },
  } as const
  const portsOf = (index: 0 | 1) => ({ server: servers[index], facilitator: ports.facilitator })
  parts.use(await startNodeService(facilitatorService({ ...around, ports: portsOf(0) })))
  const running = new Map<0 | 1, NodeService>()
  const start = async (index: 0 | 1): Promise<void> => {
    const web = { SVC_WEB_DIR: builtApp(root, buildNames[index]) }
    const env = { server: { ...around.env.server, ...web } }
    const options = serverService({ ...around, env, ports: portsOf(index) })
    const logFile = join(folder.logs, `server-${String(index)}.log`)
    running.set(index, await startNodeService({ ...options, logFile, stopGraceMs: 25_000 }))
  }
  parts.defer(async () => {
    await Promise.all([...running.values()].map((service) => service.kill()))
  })
  await Promise.all([start(0), start(1)])
  const owned = parts.move()
  return {
    proxy,
    chain,
    adminKey: around.secrets.serverAdminKey,
    start,
    stop: (index: 0 | 1) => running.get(index)?.stop(),
    kill: (index: 0 | 1) => running.get(index)?.kill(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
type Stage = Awaited<ReturnType<typeof startStage>>

const newWallet = () => privateKeySigner(generatePrivateKey())
const clientAt = ({ proxy }: Stage, signer = newWallet()) =>
  createClient({ baseUrl: proxy.url, chainId: localChainId, signer })
const publish = (client: Client) =>
  client.tasks.publish({
    title: 'Count the chairs & tables of the hall: 100% +/ü',
    instructions: 'Count the chairs in the hall and write the number.',
    category: 'data_collection',
    bounty_usd: 1,
    evidence_required: ['document'],
  })

/** A worker on a task whose bounty is locked. */
async function assigned(stage: Stage) {
  const payer = newWallet()
  await mintTestUsd(stage.chain.rpcUrl, lowerAddress(payer.address), 1_000_000n)
  const [publisher, client] = [clientAt(stage, payer), clientAt(stage)]
  const { id: executor_id } = await client.workers.register({ name: 'Worker' })
  const { id: task_id } = await publish(publisher)
  await client.tasks.apply({ task_id, message: 'I am near.' })
  await publisher.assignWorker({ task_id, executor_id })
  return { client, task_id }
}

async function play({ proxy, chain, adminKey }: Stage, number: number) {
  const drawn = drawJob(seededRandom(number), number)
  const job = { ...drawn, kind: 'paid', dustAtomic: 0n, isPatient: true } as const
  await mintTestUsd(chain.rpcUrl, lowerAddress(job.payer.address), job.mintedAtomic)
  const ground = { url: proxy.url, chainId: localChainId, adminKey, passDeadline: async () => undefined }
  return playJob(ground, job, performance.now() + 100_000)
}

/** The answer to a path as it is written here. */
function statusAt(url: string, path: string): Promise<{ readonly status: number; readonly requestId: unknown }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const asked = request({ hostname, port, path, family: 4, agent: false }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, requestId: answer.headers['x-request-id'] })
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** One bare request, with a header that a caller writes itself; its status. */
function ask(url: string, forwardedFor: string, localAddress = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': forwardedFor }
    const asked = request(url, { headers, localAddress, family: 4, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => {
        resolve(answer.statusCode ?? 0)
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe.each(proxyNames)('behind %s, as deploy/ configures it', (name) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage(name)
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  test('a job is paid over TLS', async () => {
    const played = await play(stage, 1)
    expect([played.isDone, played.failure]).toEqual([true, undefined])
  })

  test('a signed target goes through as it was written', async () => {
    const client = clientAt(stage)
    const { id } = await publish(client)
    const found = await client.tasks.available({ q: 'chairs & tables 100% +/ü' })
    expect(found.tasks.map((task) => task.id)).toContain(id)
  })

  test('nobody reaches the figures from outside, however the path is written', async () => {
    for (const path of ['/metrics', '/metrics/', '/metrics?x=1', '/%6detrics', '/./metrics', '/metrics/x']) {
      const answer = await statusAt(stage.proxy.url, path)
      expect([path, answer.status]).toEqual([path, 404])
      // The proxy itself said so: an answer of the service names its request.
      expect([path, answer.requestId]).toEqual([path, undefined])
    }
  })

  test('a page of either version finds its files, whichever server is asked', async () => {
    const seen = new Set<string>()
    for (let count = 0; count < 12; count += 1) {
      // Servers take turns: now and then one more request gives page and file to different ones.
      for (let more = 0; more < count % 3; more += 1) await fetch(stage.proxy.url)
      const page = await (await fetch(stage.proxy.url)).text()
      const [path = ''] = /\/assets\/\w+\.js/.exec(page) ?? []
      const file = await fetch(new URL(path, stage.proxy.url))
      expect([path, file.status]).toEqual([path, 200])
      expect(await file.text()).toContain(path.slice('/assets/'.length, -'.js'.length))
      seen.add(path)
    }
    expect(seen.size).toBe(2)
    const missing = await fetch(new URL('/assets/none.js', stage.proxy.url))
    expect([missing.status, missing.headers.get('x-request-id') === null]).toEqual([404, false])
  })

  test('evidence of 25 MiB reaches the service, which judges it', async () => {
    const { client, task_id } = await assigned(stage)
    const largest = 25 * 1024 * 1024
    const put = async (bytes: number): Promise<number> => {
      const { upload_url, content_type } = await client.evidence.presignUpload({
        ...{ task_id, evidence_type: 'document', filename: 'plan.pdf', content_type: 'application/pdf' },
      })
      const body = new Uint8Array(bytes)
      body.set(new TextEncoder().encode('%PDF-1.7\n'))
      const answer = await fetch(upload_url, { method: 'PUT', headers: { 'content-type': content_type }, body })
      await answer.body?.cancel()
      return answer.status
    }
    expect(await put(largest)).toBe(201)
    expect(await put(largest + 1)).toBe(413)
  })

  test('what happens is told at once, by a stream and by a socket', async () => {
    const client = clientAt(stage)
    await using live = await client.connectEvents()
    const ended = new AbortController()
    const stream = client.events({ signal: ended.signal })
    const told = stream.next()
    const begun = performance.now()
    const { id } = await publish(client)
    const [overSocket, overStream] = await Promise.all([live.next(), told])
    expect(JSON.stringify(overSocket.value)).toContain(id)
    expect(JSON.stringify(overStream.value)).toContain(id)
    // A proxy that buffers tells nothing before the next sign of life, 15 s later.
    expect(performance.now() - begun).toBeLessThan(10_000)
    ended.abort()
    await stream.return(undefined)
  })

  test('an address has its own limit, whatever its caller says where it comes from', async () => {
    const url = `${stage.proxy.url}/api/v1/tasks/available`
    const answers: number[] = []
    for (let count = 0; count < 80; count += 1) answers.push(await ask(url, `10.1.2.${String(count)}`, '127.0.0.2'))
    expect(answers.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(answers.at(-1)).toBe(429)
    expect(await ask(url, '127.0.0.2', '127.0.0.3')).toBe(200)
  })

  test('servers are replaced one by one while jobs run, and each job ends', async () => {
    const jobs = Array.from({ length: 8 }, async (_, index) => {
      await setTimeout(index * 700)
      return play(stage, 10 + index)
    })
    for (const index of [0, 1] as const) {
      await setTimeout(1_000)
      await stage.stop(index)
      await setTimeout(500)
      await stage.start(index)
    }
    const played = await Promise.all(jobs)
    expect(played.map(({ failure }) => failure)).toEqual(played.map(() => undefined))
  })

  test('a server dies, and no signed read fails', async () => {
    const client = clientAt(stage)
    const { id: task_id } = await publish(client)
    const until = performance.now() + 6_000
    let reads = 0
    const readers = Array.from({ length: 6 }, async () => {
      while (performance.now() < until) {
        await client.tasks.get({ task_id })
        reads += 1
      }
    })
    await setTimeout(1_500)
    await stage.kill(1)
    await Promise.all(readers)
    expect(reads).toBeGreaterThan(20)
    await stage.start(1)
  })
})
