import { localAccounts, localRoles } from '@ergon/contracts'
import { freePort, queryDatabase } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { createFacilitator, decideConfig, readEnv, readSecrets } from '@ergon/facilitator'
import { expect, onTestFinished, test } from 'vitest'
import { startRig } from '../adapters/rig.ts'
import { startTcpProxy } from '../adapters/tcp-proxy.ts'
import { applied, assign, eventually, expectStatus, paymentAuth } from '../http/live-market.ts'
import { startServer } from '../lines/server-process.ts'

/** The order key is changed as the guide for operators has it, while a refund is in doubt. */

const old = localRoles.service
const next = localAccounts[7]
if (next === undefined) throw new Error('there are ten accounts')

async function place() {
  const rig = await startRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const [market, payments] = [await createTestDatabase(), await createTestDatabase()]
  for (const database of [market, payments]) onTestFinished(() => database[Symbol.asyncDispose]())
  const node = await startTcpProxy(rig.chain.port)
  onTestFinished(() => node[Symbol.asyncDispose]())
  const port = await freePort()
  let running: AsyncDisposable | undefined
  const stop = async (): Promise<void> => {
    await running?.[Symbol.asyncDispose]()
    running = undefined
  }
  onTestFinished(stop)
  return {
    node,
    /** The facilitator, started again with these delegates. */
    async facilitate(...delegates: readonly string[]) {
      await stop()
      const env = {
        FACILITATOR_PORT: String(port),
        DATABASE_URL: payments.url,
        FACILITATOR_NETWORKS: 'localnet',
        FACILITATOR_RPC_LOCALNET: `http://127.0.0.1:${String(node.port)}`,
        FACILITATOR_KEY: localRoles.facilitator.privateKey,
        FACILITATOR_ORDER_DELEGATES: delegates.join(','),
        FACILITATOR_LOG_LEVEL: 'fatal',
      }
      const facilitator = await createFacilitator(decideConfig(readEnv(env)), readSecrets(env))
      running = facilitator
      await facilitator.listen()
    },
    serve: (SVC_ORDER_SIGNER_KEY: string) =>
      startServer(market.url, {
        rig,
        env: {
          SVC_ORDER_SIGNER_KEY,
          SVC_FACILITATOR_URL: `http://127.0.0.1:${String(port)}`,
          SVC_SETTLE_WAIT_MS: '1000',
        },
      }),
    refunds: () => queryDatabase(market.url, "select status from settlements where purpose = 'refund' order by id"),
  }
}

test('a refund that was ordered under the old key ends under the new one, once', { timeout: 180_000 }, async () => {
  const { node, facilitate, serve, refunds } = await place()
  await facilitate(old.address)
  const before = await serve(old.privateKey)
  const [publisher, worker] = [await before.party(10n), await before.party(0n)]
  const jobs = [await applied(publisher, worker), await applied(publisher, worker)]
  for (const job of jobs) expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const [first, second] = jobs.map(({ taskId }) => `/api/v1/tasks/${taskId}/cancel`)
  // The order arrives, and the facilitator hears nothing of its chain any more.
  node.mute()
  expectStatus(await publisher.call('POST', first ?? '', {}), 202)
  before.child.kill('SIGTERM')
  expect(await before.ended).toBe(0)
  await node.open()

  await facilitate(old.address, next.address)
  const after = await serve(next.privateKey)
  await eventually(refunds, ([refund]) => refund?.['status'] === 'confirmed', 90_000)
  await facilitate(next.address)
  const again = after.known(publisher)
  expectStatus(await eventually(() => again.call('POST', second ?? '', {}), ({ status }) => status === 200), 200) // prettier-ignore
  expect(await refunds()).toEqual([{ status: 'confirmed' }, { status: 'confirmed' }])
  expect(await after.balance(publisher.wallet)).toBe(10_000_000n)
})
