import { freePort } from '@ergon/dev-env'
import { checkMetrics, figureIn, figuresIn, ownTime } from '@ergon/dev-env/testing'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideConfig, readEnv } from '../../src/index.ts'
import { printFigures } from '@ergon/process'
import { figures } from '../../src/figures.ts'
import { createRequestCounts } from '../../src/request-counts.ts'
import { eventually } from '../adapters/rig.ts'
import { startLineToDatabase, type LineToDatabase } from '../lines/line-to-database.ts'
import { applied, assign, expectStatus, paymentAuth } from './live-market.ts'

let place: LineToDatabase
let url: string
beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${String(port)}/metrics`
  place = await startLineToDatabase({ SVC_METRICS_PORT: String(port) })
})
afterAll(() => place[Symbol.asyncDispose]())

const page = async (): Promise<string> => (await fetch(url)).text()

/** A source that a busy machine holds up for a second is left out of one page. */
function missingIn(text: string): readonly string[] {
  const named = new Set(figuresIn(text))
  // A deployment of a local network has no limits, and audits a minute after its start.
  return Object.keys(figures).filter((name) => name !== 'ergon_money_audit_age_seconds' && !named.has(name))
}

test('what is told during a job is what promtool takes, and every figure of the reference page is there', async () => {
  const { live } = place
  const [publisher, worker] = [await live.party(50n), await live.party(0n)]
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  expect((await live.get('/api/v1/tasks/none')).status).toBeGreaterThan(399)
  const text = await eventually(page, (told) => missingIn(told).length === 0)
  expect(checkMetrics(text)).toBe('')
  expect(missingIn(text)).toEqual([])
  expect(figureIn(text, 'ergon_http_requests_total{operation="tasks.assign",status="2xx"}')).toBe(1)
  expect(figureIn(text, 'ergon_http_request_duration_seconds_count{operation="tasks.assign"}')).toBe(1)
  expect(figureIn(text, 'ergon_settlements_in_doubt{network="localnet"}')).toBe(0)
  expect(figureIn(text, 'ergon_ledger_balanced')).toBe(1)
  expect(figureIn(text, 'ergon_ready')).toBe(1)
  expect(figureIn(text, 'ergon_alarm{alarm="database_silent"}')).toBe(0)
  expect(figureIn(text, 'ergon_database_up')).toBe(1)
  expect(figureIn(text, 'ergon_budget_used{budget="payments"}')).toBe(1)
  // Nothing of whoever was there.
  for (const secret of [publisher.wallet, worker.wallet, job.taskId])
    expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
})

test('a stranger adds no series by what it writes', async () => {
  const { live } = place
  const party = await live.party(0n)
  const method = 'junk.by.a.stranger'
  const message = { jsonrpc: '2.0', id: 1, method, params: { junk: 1 } }
  await party.call('POST', '/a2a', message)
  await live.get('/junk/by/a/stranger')
  await pause(1_100) // so long a page is kept
  const text = await page()
  expect(figureIn(text, 'ergon_http_requests_total{operation="a2a",status="2xx"}')).toBe(1)
  expect(figureIn(text, 'ergon_http_refusals_total{code="NOT_FOUND"}')).toBeGreaterThan(0)
  expect(text).not.toContain('junk')
})

test('a tool that there is not is counted with its protocol, and one that there is by its name', () => {
  const counts = createRequestCounts()
  const line = { method: 'TOOL', path: '/mcp', status: 200, ms: 1 }
  counts.note({ ...line, op: 'junk' })
  counts.note({ ...line, op: 'svc_get_task' })
  const text = printFigures(figures, counts.told())
  expect(figureIn(text, 'ergon_http_requests_total{operation="mcp",status="2xx"}')).toBe(1)
  expect(figureIn(text, 'ergon_http_requests_total{operation="svc_get_task",status="2xx"}')).toBe(1)
  expect(text).not.toContain('junk')
  // A counter that began with 1 would have grown by nothing.
  expect(figureIn(text, 'ergon_approval_budget_unavailable_total')).toBe(0)
})

test('the port of the service tells nobody', async () => {
  const answer = await fetch(new URL('/metrics', place.live.url))
  expect(answer.status).toBe(404)
  expect(await answer.text()).not.toContain('ergon_ready')
})

test('a database that went silent holds a page up for a second, and the rest of it is told', async () => {
  place.line.mute()
  try {
    await pause(1_100) // so long a page is kept
    const { value: text, ownMs } = await ownTime(page)
    expect(ownMs).toBeLessThan(2_000)
    expect(figureIn(text, 'ergon_database_up')).toBe(0)
    expect(figureIn(text, 'ergon_source_up{source="payments"}')).toBe(0)
    expect(text).not.toContain('ergon_settlements_in_doubt{')
    expect(figureIn(text, 'ergon_http_requests_total{operation="tasks.assign",status="2xx"}')).toBe(1)
    expect(checkMetrics(text)).toBe('')
  } finally {
    await place.line.open()
  }
  await eventually(page, (text) => figureIn(text, 'ergon_database_up') === 1, 30_000)
})

test('a name that is misspelt is refused', () => {
  expect(() => decideConfig(readEnv({ SVC_METRIC_PORT: '9464' }))).toThrow('SVC_METRICS_PORT')
})
