import { queryDatabase } from '@ergon/dev-env'
import { startCluster } from '@ergon/dev-env/testing'
import type { PaymentInfo } from '@ergon/protocols'
import { expect, onTestFinished, test } from 'vitest'
import { balanceOf, createClient, eventually, startFacilitator, startFundedChain, type Client } from './harness.ts'
import { facilitatorEnv } from './harness-env.ts'
import { aPaymentInfo, authorizeBody, releaseBody, worker } from '../src/testing/payments.ts'

/** A standby that lacks the last transactions is promoted while the facilitator runs (decision 0283). */

const part = 200_000n
const whole = 1_000_000n

test(
  'a failover to a standby without the last orders: none moves money a second time, and none is denied',
  { timeout: 240_000 },
  async () => {
    const chain = await startFundedChain()
    onTestFinished(() => chain[Symbol.asyncDispose]())
    const cluster = await startCluster()
    onTestFinished(() => cluster[Symbol.asyncDispose]())
    cluster.create('facilitator')
    const env = facilitatorEnv(chain.rpcUrl, cluster.url('facilitator'))
    const start = async (): Promise<Client & AsyncDisposable> => {
      const service = await startFacilitator(env)
      return { ...createClient(await service.listen()), [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
    }
    const paid = (): Promise<bigint> => balanceOf(chain.rpcUrl, worker.address)
    let client = await start()
    onTestFinished(() => client[Symbol.asyncDispose]())
    const locked = async (): Promise<PaymentInfo> => {
      const info = aPaymentInfo()
      expect((await client.post('/settle', authorizeBody(info))).body['success']).toBe(true)
      return info
    }
    const [inParts, atOnce] = [await locked(), await locked()]
    const failOver = await cluster.standby()

    const orders = [
      { body: releaseBody(inParts, part), headers: { 'idempotency-key': 'a-part' } },
      { body: releaseBody(atOnce, whole), headers: { 'idempotency-key': 'the-whole' } },
    ] as const
    for (const { body, headers } of orders)
      expect(await client.post('/settle', body, headers)).toMatchObject({ status: 200, body: { success: true } })
    const before = await paid()
    await failOver()

    const again = (order: (typeof orders)[number]) =>
      eventually(
        () => client.post('/settle', order.body, order.headers),
        ({ body }) => body['errorCode'] !== 'settlement_pending' || body['reason'] === 'database_went_back',
        'an answer of the promoted database',
      )
    expect(await again(orders[0])).toMatchObject({ status: 502, body: { final: false, broadcast: true } })
    // The chain itself refuses what it has carried out whole.
    expect(await again(orders[1])).toMatchObject({ status: 400, body: { success: false } })
    expect(await paid()).toBe(before)

    // What is not in parts goes on.
    const info = await locked()
    expect(await client.post('/settle', releaseBody(info, whole))).toMatchObject({ status: 200 })
    const since = await paid()

    // A process that starts later knows as much.
    await client[Symbol.asyncDispose]()
    client = await start()
    expect((await again(orders[0])).body['reason']).toBe('database_went_back')
    expect(await paid()).toBe(since)

    // An order of today's signers that was signed after it is carried out.
    await client[Symbol.asyncDispose]()
    await queryDatabase(cluster.url('facilitator'), 'update account_leases set went_back_at = went_back_at - 901', [])
    client = await start()
    expect(await client.post('/settle', releaseBody(inParts, part))).toMatchObject({ status: 200 })
    expect((await paid()) - since).toBe((part * 87n) / 100n)
  },
)
