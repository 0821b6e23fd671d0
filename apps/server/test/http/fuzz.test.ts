import { errorCatalogue, errorsOf, operations, type Operation } from '@ergon/contract'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import { send } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { applied, assign, aTask, expectStatus, paymentAuth, startLiveMarket, submit, type Applied, type LiveMarket, type Party } from './live-market.ts'
import { signedIn } from './live-people.ts'
import { pour } from './pour.ts'
import { fields, junk, type Known, type Schema } from './schema-arbitrary.ts'

/** Requests made from the schemas themselves, good and bad: no answer is a fault, and each is one the contract names. */

const runs = Number(process.env['ERGON_FUZZ_RUNS'] ?? 12)
let market: LiveMarket
let parties: readonly Party[]
/** The first party through a browser; the rail of people serves its own tasks alone. */
let person: Party
let known: Known = {}
beforeAll(async () => {
  market = await startLiveMarket({ SVC_PUBLISH_PER_HOUR: '0' })
  parties = [await market.party(900n), await market.party(5n), await market.party(5n)]
}, 60_000)
afterAll(async () => { await market[Symbol.asyncDispose]() })

/** A task in every state that requests meet, and what its parties would send. */
async function freshScene(): Promise<Known> {
  const [publisher, worker] = parties
  if (publisher === undefined || worker === undefined) throw new Error('nobody is there')
  await makeUp()
  const open = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201)
  const waiting = await applied(publisher, worker)
  const [accepted, submitted] = [await applied(publisher, worker, { evidence_required: ['text_response'], evidence_optional: ['gps', 'json_response', 'url_reference', 'photo'] }), await applied(publisher, worker)]
  for (const job of [accepted, submitted]) expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  person = await signedIn(market, publisher)
  const byPerson = await appliedToPerson(worker)
  const heldByPerson = await appliedToPerson(worker)
  expectStatus(await assign(publisher, heldByPerson, await paymentAuth(publisher, heldByPerson)), 200)
  const wallets = parties.map((party) => party.wallet)
  return {
    task_id: [String(open.body['id']), waiting.taskId, accepted.taskId, submitted.taskId, byPerson.taskId, heldByPerson.taskId],
    submission_id: [await submit(worker, submitted.taskId), await submit(worker, heldByPerson.taskId)],
    executor_id: [waiting.executorId], wallet: wallets, publisher: wallets, wallet_address: wallets, network: ['localnet', 'base'], payment_network: ['localnet'], payment_token: ['USDC'],
    payment_auth: [await paymentAuth(publisher, waiting)], payment_worker: wallets, agent_id: ['0', '1'],
  }
}

/** Whoever was blocked on the way may work with the others again. */
async function makeUp(): Promise<void> {
  for (const party of parties) for (const other of parties) await party.call('DELETE', `/api/v1/users/block?wallet=${other.wallet}`)
}

async function appliedToPerson(worker: Party): Promise<Applied> {
  const taskId = String(expectStatus(await person.call('POST', '/api/v1/h2a/tasks', aTask()), 201).body['id'])
  const application = expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
  return { taskId, executorId: String(application.body['executor_id']) }
}

/** Its answer ends with the connection; events.test.ts listens to it. */
const endless = new Set(['events.stream'])

const bindings = Object.entries(operations).filter(([name]) => !endless.has(name)).flatMap(([name, operation]: [string, Operation]) => operation.rest.map((binding) => [name, binding.method, binding.path, operation, binding] as const))

/** Nobody waits here for something to happen. */
function atOnce(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const waits = input['wait_seconds']
  return typeof waits === 'number' && waits > 0 && waits <= 25 ? { ...input, wait_seconds: 0 } : input
}

const outputs = new Map(Object.entries(operations).map(([name, operation]: [string, Operation]) => [name, Compile(operation.output)]))

function expectNamed(name: string, operation: Operation, reply: Reply): void {
  const { status, body } = reply
  if (status < 300) {
    const output = outputs.get(name)
    if (operation.raw !== true) expect(output?.Errors(body) ?? []).toEqual([])
    return
  }
  expect(status).not.toBe(500)
  const code = Object.keys(errorCatalogue).find((one) => one === body.code) as keyof typeof errorCatalogue | undefined // a key of the catalogue
  expect(code).toBeDefined()
  if (code === undefined) return
  const entry = errorCatalogue[code]
  expect([status, body.detail?.['code'], body.detail?.['retryable'], typeof body['request_id'], typeof body.message]).toEqual([entry.status, code, entry.retryable, 'string', 'string'])
  // A path that no operation answers is nobody's error.
  if (code !== 'NOT_FOUND') expect([...errorsOf(operation), ...(operation.access.by === 'anyone' ? errorsOf(operations['tasks.publish']) : [])]).toContain(code)
}

describe('every operation, from its own schema', () => {
  test.each(bindings)('%s %s %s', async (name, _method, _path, operation, binding) => {
    known = await freshScene()
    // A TypeBox schema is JSON Schema.
    await fc.assert(fc.asyncProperty(fields(operation.input as unknown as Schema, known), fc.constantFrom(0, 0, 1, 1, 2, 3, 4, 4), async (input, who) => {
      const { target, headers, body } = pour(binding, atOnce(input))
      const caller = [...parties, person][who]
      const reply = caller === undefined
        ? await send(market.url, binding.method, target, { host: authority, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers }, body)
        : await caller.call(binding.method, target, body, headers)
      expectNamed(name, operation, reply)
    }), { numRuns: runs, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false })
  }, 60_000)
})

describe('every operation that takes a body, from no schema at all', () => {
  const bodies = fc.oneof(
    junk.map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('{', '{"a":1e999}', '{"a":-0}', '[]', 'null', `${'['.repeat(9_000)}${']'.repeat(9_000)}`, `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`, '{"\\u0000":1}', '{"a":"\\ud800"}', '\ufeff{}', `{"a":${'9'.repeat(5_000)}}`),
  ).filter((body) => body !== undefined && body !== '')
  test.each(bindings.filter(([, method]) => method !== 'GET' && method !== 'DELETE'))('%s %s %s', async (name, _method, _path, operation, binding) => {
    await fc.assert(fc.asyncProperty(bodies, async (body) => {
      const { target } = pour(binding, { task_id: known['task_id']?.[0], submission_id: known['submission_id']?.[0] })
      const caller = operation.access.by === 'session' ? person : parties[0]
      const reply = await caller?.call(binding.method, target, body)
      if (reply !== undefined) expectNamed(name, operation, reply)
    }), { numRuns: runs })
  })
})

test('after all of it the books balance and nothing waits', async () => {
  expect((await market.get('/api/v1/health/payments')).body).toMatchObject({ ledger_balanced: true, in_doubt: 0 })
})
