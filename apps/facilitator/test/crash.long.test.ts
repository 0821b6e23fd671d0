import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facilitatorEnv } from './harness-env.ts'
import { balanceOf, createClient, eventually, sentByFacilitator, startFundedChain, type Client } from './harness.ts'
import { startRpcProxy, type Fate } from './rpc-proxy.ts'
import { aPaymentInfo, aTransfer, authorizeBody, exactV2, releaseBody, worker } from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

type Child = { readonly client: Client; readonly process: ChildProcess }

async function startChild(env: Record<string, string>): Promise<Child> {
  const port = await freePort()
  const process = fork(main, {
    env: { ...env, FACILITATOR_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const client = createClient(`http://127.0.0.1:${port}`)
  await eventually(
    () =>
      client.get('/health').then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
    'the start',
    15_000,
  )
  return { client, process }
}

async function stopChild(child: Child): Promise<void> {
  child.process.kill('SIGTERM')
  if (child.process.exitCode === null) await once(child.process, 'exit')
}

describe('a facilitator killed with SIGKILL', () => {
  let chain: Chain
  beforeAll(async () => {
    chain = await startFundedChain()
  })
  afterAll(async () => {
    await chain.stop()
  })

  // The place of the kill: what the node sees when it happens.
  test.each<[string, string, Fate]>([
    ['between the intent and the broadcast', 'eth_sendRawTransaction', 'drop'],
    ['between the broadcast and its answer', 'eth_sendRawTransaction', 'swallow-answer'],
    ['between the broadcast and the receipt', 'evm_mine', 'drop'],
    ['before it read the receipt', 'eth_getBlockReceipts', 'drop'],
  ])('%s has moved the money exactly once after its restart', async (_where, method, fate) => {
    await using proxy = await startRpcProxy(chain.rpcUrl)
    await using database = await createTestDatabase(facilitatorSchema)
    const env = facilitatorEnv(proxy.url, database.url)
    let child = await startChild(env)
    const info = aPaymentInfo()
    expect((await child.client.post('/settle', authorizeBody(info))).body['success']).toBe(true)
    const before = {
      sent: await sentByFacilitator(chain.rpcUrl),
      worker: await balanceOf(chain.rpcUrl, worker.address),
    }
    const body = releaseBody(info, 1_000_000n)
    const victim = child.process
    const dead = once(victim, 'exit')
    proxy.decide = async (methods) => {
      if (!methods.includes(method) || victim.killed) return 'forward'
      victim.kill('SIGKILL')
      await dead
      return fate
    }
    await expect(child.client.post('/settle', body, { 'idempotency-key': `crash-${method}-${fate}` })).rejects.toThrow()
    proxy.decide = () => 'forward'

    child = await startChild(env)
    const answer = await child.client.post('/settle', body, { 'idempotency-key': `crash-${method}-${fate}` })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect((await child.client.post('/settle', body)).body).toMatchObject({
      category: 'replayed',
      transaction: answer.body['transaction'],
    })
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(before.sent + 1)
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before.worker + 870_000n)
    // The account's nonces go on without a gap.
    expect((await child.client.post('/settle', exactV2(aTransfer()))).body).toMatchObject({ success: true })
    await stopChild(child)
  })

  test('ends when its parent lets go of it', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    const child = await startChild(facilitatorEnv(chain.rpcUrl, database.url))
    const ended = once(child.process, 'exit')
    child.process.disconnect()
    expect((await ended)[0]).toBe(0)
  })
})
