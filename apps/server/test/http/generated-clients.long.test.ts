import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openApiSections } from '@ergon/contract'
import type { Signer, TypedData } from '@ergon/protocols'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../dispatch/send.ts'
import { signed } from '../dispatch/tiny-service.ts'
import { generatedJob, generatedTypes } from './generated-job.ts'
import { startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const tool = (path: string): string => join(root, 'node_modules', path)

let live: LiveMarket
let folder: string
beforeAll(async () => {
  live = await startLiveMarket()
  folder = await mkdtemp(join(tmpdir(), 'generated-'))
  await writeFile(join(folder, 'openapi.json'), await read('/openapi.json'))
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const read = async (path: string): Promise<string> => (await fetch(new URL(path, live.url))).text()

async function judged(bin: string, ...given: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [tool(bin), ...given], { cwd: folder, maxBuffer: 1 << 26 })
  return stdout + stderr
}

describe('the document is read by the tools of others', () => {
  test('redocly lint finds no error and no example that is untrue', async () => {
    const said = await judged(
      '@redocly/cli/bin/cli.js',
      'lint',
      'openapi.json',
      '--config',
      join(root, 'redocly.yaml'),
      '--max-problems',
      '20',
    )
    expect(said).toContain('Your API description is valid')
    expect(said).not.toContain('must conform to the schema')
  })

  test('and none in any section', async () => {
    const files = await Promise.all(
      openApiSections.map(async (section) => {
        await writeFile(join(folder, `${section}.json`), await read(`/openapi/${section}.json`))
        return `${section}.json`
      }),
    )
    const said = await judged('@redocly/cli/bin/cli.js', 'lint', ...files, '--config', join(root, 'redocly.yaml'))
    expect(said).toMatch(/API descriptions are valid/)
  })

  test('redocly lint finds no error in the AsyncAPI document of /ws', async () => {
    await writeFile(join(folder, 'asyncapi.json'), await read('/asyncapi.json'))
    const said = await judged(
      '@redocly/cli/bin/cli.js',
      'lint',
      'asyncapi.json',
      '--config',
      join(root, 'redocly.yaml'),
    )
    expect(said).toContain('Your API description is valid')
  })

  test('openapi-typescript writes types with the names of the resources', async () => {
    await judged('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'types.ts')
    const types = await readFile(join(folder, 'types.ts'), 'utf8')
    for (const name of ['Task', 'Submission', 'Application', 'Worker']) expect(types).toContain(`        ${name}: {`)
  })
})

type Wallet = {
  readonly address: string
  readonly fetch: typeof fetch
  readonly sign: (document: TypedData) => Promise<string>
}
type Job = (baseUrl: string, publisher: Wallet, worker: Wallet) => Promise<unknown>

const checks = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'preserve', '--skipLibCheck']

/** What is wrong with the types of a file; nothing when it compiles. */
async function typeFaults(file: string): Promise<string> {
  const run = judged('typescript/bin/tsc', ...checks, '--noUncheckedIndexedAccess', file)
  return run.catch((failed: unknown) => String((failed as { readonly stdout?: unknown }).stdout)) // of execFile
}

/** What is generated is bundled, because it leaves out the endings of its files. */
async function jobOfGenerated(): Promise<Job> {
  await judged('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client', '-c', '@hey-api/client-fetch')
  await writeFile(join(folder, 'job.ts'), generatedJob)
  const bundle = await rolldown({ input: join(folder, 'job.ts'), platform: 'node' })
  await bundle.write({ file: join(folder, 'job.mjs'), format: 'esm' })
  // The file is the text above.
  return ((await import(pathToFileURL(join(folder, 'job.mjs')).href)) as { readonly job: Job }).job
}

/** A fetch that signs; all that a user of a generated client adds. */
function signing(signer: Signer): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const target = new URL(request.url)
    const body = request.body === null ? undefined : await request.text()
    const [path, headers] = [`${target.pathname}${target.search}`, Object.fromEntries(request.headers)]
    const all = await signed(request.method, path, body, { signer, headers })
    const reply = await send(live.url, request.method, path, all, body)
    return Response.json(reply.body, { status: reply.status })
  }
}

const walletOf = ({ signer, wallet }: Party): Wallet => ({
  address: wallet,
  fetch: signing(signer),
  sign: (document) => signer.signTypedData(document),
})

test('a job against a client that @hey-api/openapi-ts made runs, and compiles without a cast', async () => {
  const job = await jobOfGenerated()
  const [publisher, worker] = [await live.party(5n), await live.party(0n)]
  expect(await job(live.url, walletOf(publisher), walletOf(worker))).toEqual({
    assigned: 'accepted',
    approved: 'approved',
    net: 0.9309,
    ended: 'completed',
    refused: ['TASK_NOT_FOUND', false, expect.stringMatching(/\.$/)],
  })
  expect(await typeFaults('job.ts')).toBe('')
}, 300_000)

test('what openapi-typescript makes of challenges and open answers compiles without a cast', async () => {
  await judged('openapi-typescript/bin/cli.js', 'openapi.json', '--default-non-nullable=false', '-o', 'types.ts')
  await writeFile(join(folder, 'signing.ts'), generatedTypes)
  expect(await typeFaults('signing.ts')).toBe('')
}, 300_000)
