import { errorCatalogue, errorsOf, operations, pathFields, type Operation, type RestBinding } from '@ergon/contract'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, asAdmin } from './live-admin.ts'
import {
  applied,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
} from './live-market.ts'
import { fields, type Known, type Schema } from './schema-arbitrary.ts'

/**
 * Requests that carry the admin key, made from the schemas: no answer is a fault, and no money is lost by any of them.
 */

const runs = Number(process.env['ERGON_FUZZ_RUNS'] ?? 180)
let market: LiveMarket
let known: Known

beforeAll(async () => {
  market = await startLiveMarket({ SVC_ADMIN_KEY: adminKey })
  const [publisher, worker] = [await market.party(50n), await market.party(0n)]
  const jobs = [await applied(publisher, worker), await applied(publisher, worker), await applied(publisher, worker)]
  for (const job of jobs.slice(1)) expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  await submit(worker, jobs[2]?.taskId ?? '')
  known = {
    task_id: jobs.map(({ taskId }) => taskId),
    executor_id: [jobs[0]?.executorId ?? '', '0x1111111111111111111111111111111111111111'],
    network: ['localnet', 'base'],
    token: ['USDC'],
    key: ['bounty.max_usd', 'bounty.min_usd', 'rates.publish_per_hour', 'features.services', 'fee_bps'],
    reason: ['It was asked for.'],
  }
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const escaped = (value: unknown): string => encodeURIComponent(plain(value).toWellFormed()).replaceAll('.', '%2E')

function send({ method, path }: RestBinding, input: Readonly<Record<string, unknown>>) {
  const inPath = new Set(pathFields(path))
  const target = path.replaceAll(/\{([a-z_]+)\}/g, (_all, field: string) => escaped(input[field] ?? 'x') || 'x')
  const { actor, ...others } = input
  const rest = Object.entries(others).filter(([field]) => !inPath.has(field))
  const headers =
    actor === undefined
      ? {}
      : {
          'x-admin-actor': plain(actor)
            .replaceAll(/[^\x20-\x7e]/g, '?')
            .trim(),
        }
  if (method !== 'GET') return asAdmin(market, method, target, Object.fromEntries(rest), headers)
  return asAdmin(
    market,
    method,
    `${target}?${rest.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&')}`,
  )
}

const admin = Object.entries<Operation>(operations)
  .filter(([, { section }]) => section === 'admin')
  .flatMap(([name, operation]) => operation.rest.map((binding) => [name, operation, binding] as const))

test.each(admin)(
  '%s answers within its contract, whatever is sent with the right key',
  async (_name, operation, binding) => {
    const output = Compile(operation.output)
    await fc.assert(
      fc.asyncProperty(fields(operation.input as unknown as Schema, known), async (input) => {
        // a TypeBox schema is JSON Schema
        const { status, body } = await send(binding, input)
        if (status < 300) {
          expect([...output.Errors(body)]).toEqual([])
          return
        }
        const code = Object.keys(errorCatalogue).find((one): one is keyof typeof errorCatalogue => one === body.code)
        expect([code, code === undefined ? 0 : errorCatalogue[code].status]).toEqual([body.code, status])
        if (code !== 'NOT_FOUND') expect(errorsOf(operation)).toContain(code)
        expect(status).not.toBe(500)
      }),
      { numRuns: runs, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
    )
  },
)

test('and after all of it the ledger is where the chain is', async () => {
  const health = await eventually(
    () => market.get('/api/v1/health/payments'),
    ({ body }) => body['in_flight'] === 0 && body['in_doubt'] === 0,
  )
  expect(health.body).toMatchObject({ in_doubt: 0, ledger_balanced: true })
  await market.app.market.duties.auditMoney()
  expect(await market.app.market.unresolvedFindings(10)).toEqual([])
})
