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
import { aTask, approveFields, signEnvelope, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

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

type Called = (options: Readonly<Record<string, unknown>>) => Promise<{
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: unknown
}>
type Generated = Readonly<Record<string, Called>> & { readonly createClient: (config: object) => object }

/** What is generated is bundled, because it leaves out the endings of its files. */
async function generated(): Promise<Generated> {
  await judged('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client', '-c', '@hey-api/client-fetch')
  await writeFile(
    join(folder, 'entry.ts'),
    "export * from './client'\nexport { createClient } from './client/client'\n",
  )
  const bundle = await rolldown({ input: join(folder, 'entry.ts'), platform: 'node' })
  await bundle.write({ file: join(folder, 'client.mjs'), format: 'esm' })
  // The functions of the operations; each is called as the document says.
  return (await import(pathToFileURL(join(folder, 'client.mjs')).href)) as Generated
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

type Signable = {
  readonly typed_data: TypedData
  readonly envelope: { readonly payload: Readonly<Record<string, unknown>> }
}

test('a client that @hey-api/openapi-ts made does a whole job', async () => {
  const client = await generated()
  const [publisher, worker] = [await live.party(5n), await live.party(0n)]
  const as = ({ signer }: Party): object => client.createClient({ baseUrl: live.url, fetch: signing(signer) })
  const [buyer, seller] = [as(publisher), as(worker)]
  const call = async (name: string, options: Readonly<Record<string, unknown>>) => {
    const { data, error } = (await client[name]?.(options)) ?? {}
    expect(error, name).toBeUndefined()
    return data ?? {}
  }

  const task = await call('tasksPublish', { client: buyer, body: aTask() })
  const path = { task_id: task['id'] }
  expect((await call('tasksAvailable', { client: seller }))['tasks']).toContainEqual(
    expect.objectContaining({ id: task['id'] }),
  )
  const application = await call('tasksApply', { client: seller, path, body: { message: 'I am near.' } })
  const executor = application['executor_id']
  const challenge = await call('tasksAssignChallenge', { client: buyer, path, query: { executor_id: executor } })
  const [first] = challenge['accepts'] as readonly { readonly extra: Signable }[] // the contract's output
  if (first === undefined) throw new Error('the challenge offers nothing to sign')
  const auth = await signEnvelope(publisher.signer, first.extra)
  const assigned = await call('tasksAssign', {
    client: buyer,
    path,
    body: { executor_id: executor },
    headers: { 'X-Payment-Auth': auth },
  })
  expect(assigned['status']).toBe('accepted')
  const submitted = await call('tasksSubmit', {
    client: seller,
    path,
    body: { evidence: { text_response: 'It is open.' } },
  })
  const submission = String(submitted['submission_id'])
  const approved = await call('submissionsApprove', {
    client: buyer,
    path: { submission_id: submission },
    body: { ...(await approveFields(publisher, submission)), rating: 90 },
  })
  expect(approved['status']).toBe('approved')
  expect((await call('tasksGet', { client: seller, path }))['status']).toBe('completed')
})
