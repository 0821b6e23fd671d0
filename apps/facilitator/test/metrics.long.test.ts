import type { Chain } from '@ergon/dev-env'
import { freePort } from '@ergon/dev-env'
import { checkMetrics, createTestDatabase, figureIn, figuresIn, ownTime, startNodeProxy } from '@ergon/dev-env/testing'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figures } from '../src/figures.ts'
import { aPaymentInfo, aTransfer, authorizeBody, exactV2, facilitator, payer } from '../src/testing/payments.ts'
import { facilitatorEnv } from './harness-env.ts'
import { createClient, eventually, startFacilitator, startFundedChain } from './harness.ts'
import { startPgProxy } from './pg-proxy.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain.stop()
})

/** A facilitator over lines that fail, and the page of its figures. */
async function place(env: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const line = stack.use(await startPgProxy(database.url))
  const nodes = [stack.use(await startNodeProxy(chain.rpcUrl)), stack.use(await startNodeProxy(chain.rpcUrl))] as const
  const port = await freePort()
  const urls = nodes.map(({ url }) => url).join(',')
  const service = stack.use(
    await startFacilitator(
      facilitatorEnv(urls, line.url, {
        FACILITATOR_METRICS_PORT: String(port),
        FACILITATOR_RPC_TIMEOUT_MS: '500',
        FACILITATOR_PAYMENT_GAS_PER_DAY: '10/10/100',
        ...env,
      }),
    ),
  )
  const client = createClient(await service.listen())
  const owned = stack.move()
  return {
    ...client,
    line,
    nodes,
    page: async (): Promise<string> => (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function missingIn(text: string): readonly string[] {
  const named = new Set(figuresIn(text))
  return Object.keys(figures).filter((name) => !named.has(name))
}

test('what is told is what promtool takes, with every figure and nothing of whoever paid', async () => {
  await using rig = await place()
  expect((await rig.post('/settle', exactV2(aTransfer()))).status).toBe(200)
  expect((await rig.post('/settle', authorizeBody(aPaymentInfo()))).status).toBe(200)
  // A source that a busy machine holds up for a second is left out of one page.
  const text = await eventually(rig.page, (told) => missingIn(told).length === 0, 'a page with every figure')
  expect(checkMetrics(text)).toBe('')
  expect(figureIn(text, 'ergon_http_requests_total{operation="/settle",status="2xx"}')).toBe(2)
  expect(figureIn(text, 'ergon_nodes{network="localnet"}')).toBe(2)
  expect(figureIn(text, 'ergon_gas_balance{network="localnet"}')).toBeGreaterThan(1)
  expect(figureIn(text, 'ergon_budget_limit{budget="payment_gas"}')).toBe(100_000_000)
  expect(figureIn(text, 'ergon_budget_used{budget="payment_gas"}')).toBeGreaterThan(0)
  expect(figureIn(text, 'ergon_intents_open{network="localnet"}')).toBe(0)
  for (const account of [payer.address, facilitator.address])
    expect(text.toLowerCase()).not.toContain(account.toLowerCase())
  expect((await rig.get('/metrics')).status).toBe(404)
})

test('alarm nodes_missing: one of two nodes that does not answer', async () => {
  await using rig = await place()
  await rig.nodes[0][Symbol.asyncDispose]()
  await untilToldOf(rig, 'nodes_missing')
})

test('alarm node_silent: no node that tells the balance', async () => {
  await using rig = await place()
  for (const node of rig.nodes) await node[Symbol.asyncDispose]()
  await untilToldOf(rig, 'node_silent')
  expect(await rig.page()).not.toContain('ergon_gas_balance{')
})

/** Health and figures tell the same. */
async function untilToldOf(rig: Awaited<ReturnType<typeof place>>, alarm: string): Promise<void> {
  const reasons = async (): Promise<readonly unknown[]> =>
    ((await rig.get('/health')).body['reasons'] ?? []) as readonly unknown[] // what health answers
  await eventually(reasons, (told) => told.includes(`${alarm}:localnet`), alarm)
  await eventually(rig.page, (text) => figureIn(text, `ergon_alarm{alarm="${alarm}",network="localnet"}`) === 1, alarm)
}

test('a database that went silent holds a page up for a second, and the rest of it is told', async () => {
  await using rig = await place()
  await rig.page()
  await pause(1_100) // so long a page is kept
  rig.line.decide = () => 'hold'
  const { value: text, ownMs } = await ownTime(rig.page)
  expect(ownMs).toBeLessThan(2_000)
  expect(figureIn(text, 'ergon_database_up')).toBe(0)
  expect(text).not.toContain('ergon_budget_used')
  expect(figureIn(text, 'ergon_nodes_answering{network="localnet"}')).toBeGreaterThan(0)
  expect(checkMetrics(text)).toBe('')
  rig.line.decide = () => 'carry'
  rig.line.release()
})

test('a listener that others reach is refused without a token', async () => {
  const env = { FACILITATOR_METRICS_PORT: '9471', FACILITATOR_METRICS_HOST: '0.0.0.0' }
  await expect(startFacilitator(facilitatorEnv(chain.rpcUrl, 'postgres://localhost/none', env))).rejects.toThrow(
    'set FACILITATOR_METRICS_TOKEN',
  )
})
