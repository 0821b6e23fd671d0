import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../tour/scene.ts'
import { asksOf, type Ask } from './asks.ts'
import { createJudge } from './judge.ts'
import { readPrinted, type Printed } from './printed.ts'
import { sendAsk, type Cast } from './send-ask.ts'
import { makeThings } from './things.ts'

/**
 * Requests that are made of the printed document alone, good, changed and hostile, as everybody: no answer has a
 * status, a type or a field that the document does not declare for its operation.
 *
 * `ERGON_OPENAPI_REQUESTS=15000 npm run test:long -- apps/server/test/openapi` sends more than the usual share, and
 * `ERGON_FUZZ_SEED` repeats a run.
 */
const wanted = Number(process.env['ERGON_OPENAPI_REQUESTS'] ?? 2_000)
const seed = Number(process.env['ERGON_FUZZ_SEED'] ?? 1_659_869_787)
/** So many of each operation before the things that they name are made anew. */
const perScene = 5

let scene: Scene & AsyncDisposable
let printed: readonly Printed[]
const judge = createJudge()
const faults = new Map<string, string>()
const statuses = new Map<number, number>()
let sent = 0

beforeAll(async () => {
  scene = await openScene()
  printed = readPrinted((await scene.get('/openapi.json')).body)
})
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
})

test('no answer is one that the printed document does not declare', async () => {
  const isAdmins = ({ tag }: Printed): boolean => tag === 'admin'
  const [others, admins] = [printed.filter((one) => !isAdmins(one)), printed.filter(isAdmins)]
  // What the admin key opens can shut all others out, so it comes last.
  const last = Math.round((wanted * admins.length) / printed.length)
  for (let number = 0; sent < wanted - last; number += 1) await turn(others, wanted - last, perScene, seed + number)
  await turn(admins, wanted, Math.ceil(last / admins.length), seed)
  process.stdout.write(`openapi: ${String(sent)} requests; ${counted()}; seed ${String(seed)}\n`)
  expect([...faults].map(([name, how]) => `${name}\n    ${how}`)).toEqual([])
  expect(sent).toBe(wanted)
}, 1_200_000)

test('the answers are of every kind, so that it was more than the door that was tried', () => {
  const share = (of: (status: number) => boolean): number =>
    [...statuses].reduce((sum, [status, count]) => sum + (of(status) ? count : 0), 0) / sent
  expect(share((status) => status < 300)).toBeGreaterThan(0.15)
  expect(share((status) => status === 429)).toBeLessThan(0.05)
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 409, 413, 415, 422]))
})

test('an answer that is not declared is seen', () => {
  const [health] = printed.filter(({ path }) => path === '/api/v1/health')
  if (health === undefined) throw new Error('the document has no health')
  const type = 'application/json'
  expect(judge(health, { status: 418, type, text: '{}' })).toMatch('status 418')
  expect(judge(health, { status: 200, type: 'text/html', text: '{}' })).toMatch('of type text/html')
  expect(judge(health, { status: 200, type, text: '{}' })).toMatch('required')
  expect(judge(health, { status: 200, type, text: '{' })).toMatch('no JSON')
  expect(judge(health, { status: 500, type, text: '{"oops":1}' })).toMatch('required')
})

async function turn(operations: readonly Printed[], until: number, each: number, from: number): Promise<void> {
  const { known, stranger, person } = await makeThings(scene)
  const { publisher, worker, market } = scene
  const keys = { publisher: publisher.key, worker: worker.key, stranger: stranger.key }
  const asked = operations.map((one, index) =>
    fc.sample(asksOf(one, known), { numRuns: each, seed: (from * 31 + index) | 0 }),
  )
  for (let round = 0; round < each; round += 1)
    for (const [index, operation] of operations.entries()) {
      const ask = asked[index]?.[round]
      if (ask === undefined || sent >= until) continue
      await tried(market.url, { keys, cookie: person.cookie }, operation, ask)
    }
}

async function tried(url: string, cast: Cast, operation: Printed, ask: Ask): Promise<void> {
  sent += 1
  const answer = await sendAsk(url, cast, ask)
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  const fault = judge(operation, answer)
  if (fault === undefined) return
  const name = `${operation.id}: ${fault.slice(0, 100)}`
  const { caller, proof, method, target, body = '' } = ask
  faults.set(name, `${caller}, ${proof}: ${method} ${target.slice(0, 200)} ${body.slice(0, 300)}: ${fault}`)
}

const counted = (): string =>
  [...statuses]
    .sort(([, one], [, other]) => other - one)
    .map(([status, count]) => `${String(status)} ${String(count)}`)
    .join(', ')
