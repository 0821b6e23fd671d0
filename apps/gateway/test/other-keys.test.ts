import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGateway, decideConfig, readSecrets } from '../src/index.ts'
import { startChain, startSession, startStage, startUpstream, until, type Chain, type Upstream } from './harness.ts'

/** What channels were agreed with is not changed under them (decision 0298). */

let chain: Chain
let upstream: Upstream
beforeAll(async () => {
  chain = await startChain()
  upstream = await startUpstream()
})
afterAll(async () => {
  await upstream?.[Symbol.asyncDispose]()
  await chain?.[Symbol.asyncDispose]()
})

const key = (byte: number): string => byte.toString(16).padStart(2, '0').repeat(32)

test('a gateway with other keys than its open channels does not start', async () => {
  await using stage = await startStage(chain, upstream.url)
  const begin = async (changed: Readonly<Record<string, string>>): Promise<void> => {
    const env = { ...stage.env, ...changed }
    const config = decideConfig(env)
    await using _started = await createGateway(config, readSecrets(env, config), { now: chain.now })
  }
  const others = { GATEWAY_VOUCHER_KEY: key(71), GATEWAY_OPERATOR_KEY: key(72) }
  await begin(others)

  const session = await startSession(chain, stage, 'client')
  const own = readSecrets(stage.env, decideConfig(stage.env))
  const voucherKey = Buffer.from(own.voucher.seed).toString('hex')
  await expect(begin({ ...others, GATEWAY_VOUCHER_KEY: voucherKey })).rejects.toThrow(
    /^GATEWAY_OPERATOR_KEY, the mint or the program: channels that are open were agreed with another\. Keep it until/,
  )
  const metered = await startSession(chain, stage, 'operator')
  await expect(begin(others)).rejects.toThrow(/^GATEWAY_VOUCHER_KEY: open channels take vouchers of another key \(1\)/)
  await begin({})

  await stage.pool.query("update channels set status = 'closing', close_reason = 'asked', watch_at = now()")
  const isClosed = async ({ books }: typeof session): Promise<boolean> => (await books())['status'] === 'closed'
  await until(async () => (await isClosed(session)) && (await isClosed(metered)), 60_000)
  await begin(others)
})
