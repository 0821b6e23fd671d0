import { freePort, queryDatabase } from '@ergon/dev-env'
import { figureIn, startCluster } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { aTransfer, exactV2, worker } from '../src/testing/payments.ts'
import { facilitatorEnv } from './harness-env.ts'
import { balanceOf, createClient, eventually, startFacilitator, startFundedChain } from './harness.ts'

/** Decision 0291: a database that is dropped and made anew under a facilitator is not taken for an empty one. */

test('alarm database_silent: over a database that was made anew nothing is settled, and health says so', async () => {
  const chain = await startFundedChain()
  onTestFinished(() => chain[Symbol.asyncDispose]())
  await using cluster = await startCluster()
  cluster.create('payments')
  const port = String(await freePort())
  const env = { FACILITATOR_METRICS_PORT: port, FACILITATOR_SETTLE_WAIT_MS: '500' }
  await using service = await startFacilitator(facilitatorEnv(chain.rpcUrl, cluster.url('payments'), env))
  const client = createClient(await service.listen())
  const page = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const settle = (key: string) =>
    client.post('/settle', exactV2(aTransfer({ value: 1_000n })), { 'idempotency-key': key })
  expect((await settle('before')).body).toMatchObject({ success: true })
  expect((await client.get('/health')).body).toMatchObject({ status: 'healthy' })
  expect(figureIn(await page(), 'ergon_alarm{alarm="database_silent"}')).toBe(0)
  const paid = await balanceOf(chain.rpcUrl, worker.address)

  await queryDatabase(cluster.url('postgres'), 'drop database payments with (force)')
  cluster.create('payments')
  const refused = await settle('after-it')
  expect(refused.status).toBeGreaterThanOrEqual(500)
  expect(refused.body).toMatchObject({ success: false, final: false })
  const health = async (): Promise<object> => (await client.get('/health')).body
  await eventually(health, (said) => 'reasons' in said, 'a reason', 20_000)
  expect(await health()).toMatchObject({ status: 'degraded', reasons: ['database_silent'] })
  await eventually(page, (text) => figureIn(text, 'ergon_alarm{alarm="database_silent"}') === 1, 'the alarm')
  expect((await settle('later-on')).body).toMatchObject({ success: false, final: false })
  expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(paid)
  expect(await queryDatabase(cluster.url('payments'), "select from pg_tables where schemaname = 'public'")).toEqual([])
})
