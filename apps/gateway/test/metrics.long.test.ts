import { freePort } from '@ergon/dev-env'
import { checkMetrics, figureIn, figuresIn } from '@ergon/dev-env/testing'
import { startRpcFront } from '@ergon/solana-ledger'
import { expect, test } from 'vitest'
import { figures } from '../src/figures.ts'
import { decideConfig, readSecrets } from '../src/index.ts'
import { startChain, startSession, startStage, startUpstream, until } from './harness.ts'

test('what is told is what promtool takes, to whoever has the token, and nothing of who bought what', async () => {
  await using chain = await startChain()
  await using upstream = await startUpstream()
  const [port, token] = [await freePort(), 'x'.repeat(32)]
  await using stage = await startStage(chain, upstream.url, {
    GATEWAY_METRICS_PORT: String(port),
    GATEWAY_METRICS_TOKEN: token,
  })
  const session = await startSession(chain, stage, 'operator')
  expect((await session.pay('/weather')).status).toBe(200)
  expect((await fetch(`${stage.url}/nothing/${'a'.repeat(20)}`)).status).toBe(404)
  const ask = (authorization: string) =>
    fetch(`http://127.0.0.1:${String(port)}/metrics`, { headers: { authorization } })
  expect((await ask('Bearer another')).status).toBe(401)
  const missingIn = (text: string): readonly string[] => {
    const named = new Set(figuresIn(text))
    return Object.keys(figures).filter((name) => !named.has(name))
  }
  let text = ''
  // A source that a busy machine holds up for a second is left out of one page.
  await until(async () => missingIn((text = await (await ask(`Bearer ${token}`)).text())).length === 0)
  expect(checkMetrics(text)).toBe('')
  expect(figureIn(text, 'ergon_channels{status="open"}')).toBe(1)
  expect(figureIn(text, 'ergon_http_requests_total{operation="/weather",status="2xx"}')).toBeGreaterThan(0)
  expect(figureIn(text, 'ergon_http_requests_total{operation="-",status="4xx"}')).toBe(1)
  expect(figureIn(text, 'ergon_budget_used{budget="sponsored"}')).toBe(1)
  expect(figureIn(text, 'ergon_ledger_up')).toBe(1)
  for (const secret of [session.buyer.address, session.channelId, 'aaaa']) expect(text).not.toContain(secret)
})

test('alarm ledger_silent: a cluster of which no node answers', async () => {
  await using chain = await startChain()
  await using upstream = await startUpstream()
  await using node = await startRpcFront(chain.embedded.machine)
  const port = await freePort()
  const env = { GATEWAY_METRICS_PORT: String(port), GATEWAY_RPC: node.url }
  await using _stage = await startStage(chain, upstream.url, env)
  const isUp = async (): Promise<number> =>
    figureIn(await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text(), 'ergon_ledger_up')
  expect(await isUp()).toBe(1)
  await node[Symbol.asyncDispose]()
  await expect.poll(isUp).toBe(0)
})

test('a listener that others reach is refused without a token, and a misspelt name is', async () => {
  await using chain = await startChain()
  await using upstream = await startUpstream()
  await using stage = await startStage(chain, upstream.url)
  const open = { ...stage.env, GATEWAY_METRICS_PORT: '9472', GATEWAY_METRICS_HOST: '10.0.0.1' }
  expect(() => readSecrets(open, decideConfig(open))).toThrow('set GATEWAY_METRICS_TOKEN')
  expect(() => decideConfig({ ...stage.env, GATEWAY_METRIC_PORT: '9472' })).toThrow('GATEWAY_METRICS_PORT')
})
