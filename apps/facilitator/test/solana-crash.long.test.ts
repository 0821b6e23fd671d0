import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort, queryDatabase } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, eventually, type Client } from './harness.ts'
import type { Fate } from './rpc-proxy.ts'
import { aSplit, anExact, seller, solanaEnv, startSolanaWorld, tokensOf, type SolanaWorld } from './solana-rig.ts'
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
  const health = () =>
    client.get('/health').then(
      ({ status }) => status,
      () => 0,
    )
  await eventually(health, (status) => status === 200, 'the start', 15_000)
  return { client, process }
}

async function stopChild(child: Child): Promise<void> {
  child.process.kill('SIGTERM')
  if (child.process.exitCode === null) await once(child.process, 'exit')
}

let world: SolanaWorld
beforeAll(async () => {
  world = await startSolanaWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const statusIn = async (url: string): Promise<unknown> =>
  (await queryDatabase(url, 'select status from solana_intents'))[0]?.['status']

describe('a facilitator killed with SIGKILL while it pays on Solana', () => {
  // The place of the kill: what the node sees when it happens.
  test.each<[string, string, Fate]>([
    ['before the intent, while it tries', 'simulateTransaction', 'drop'],
    ['between the intent and the broadcast', 'sendTransaction', 'drop'],
    ['between the broadcast and its answer', 'sendTransaction', 'swallow-answer'],
    ['between the broadcast and the status', 'getSignatureStatuses', 'drop'],
  ])('%s has paid exactly once after its restart', async (_where, method, fate) => {
    await using database = await createTestDatabase(facilitatorSchema)
    const env = solanaEnv(world, database.url)
    let child = await startChild(env)
    const before = (await tokensOf(world, seller.address)) ?? 0n
    const body = await anExact(world)
    const headers = { 'idempotency-key': `crash-${method}-${fate}` }
    const victim = child.process
    const dead = once(victim, 'exit')
    world.proxy.decide = async (methods) => {
      if (!methods.includes(method) || victim.killed) return 'forward'
      victim.kill('SIGKILL')
      await dead
      return fate
    }
    await expect(child.client.post('/settle', body, headers)).rejects.toThrow()
    world.proxy.decide = () => 'forward'

    child = await startChild(env)
    // What was promised is kept without anybody asking.
    const isPromised = method !== 'simulateTransaction'
    if (isPromised)
      await eventually(
        () => statusIn(database.url),
        (status) => status === 'succeeded',
        'the promised payment',
      )
    const answer = await child.client.post('/settle', body, headers)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(await child.client.post('/settle', body)).toMatchObject({
      body: { errorReason: 'duplicate_settlement', transaction: answer.body['transaction'] },
    })
    expect(await tokensOf(world, seller.address)).toBe(before + 250_000n)
    expect(await queryDatabase(database.url, 'select 1 from solana_intents')).toHaveLength(1)
    await stopChild(child)
  })

  test('what never reached the ledger is known to have ended when its blockhash is too old, and not before', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    const env = solanaEnv(world, database.url, { FACILITATOR_SETTLE_WAIT_MS: '500' })
    const child = await startChild(env)
    const body = await aSplit(world)
    const headers = { 'idempotency-key': 'never-arrives' }
    world.proxy.decide = (methods) => (methods.includes('sendTransaction') ? 'drop' : 'forward')
    expect(await child.client.post('/settle', body, headers)).toMatchObject({
      body: { success: false, errorCode: 'settlement_pending', broadcast: true, final: false },
    })
    expect(await statusIn(database.url)).toBe('sent')
    await world.solana.skip(151 * 400)
    await eventually(
      () => statusIn(database.url),
      (status) => status === 'expired',
      'the end of the blockhash',
    )
    world.proxy.decide = () => 'forward'
    expect(await child.client.post('/settle', body, headers)).toMatchObject({
      status: 200,
      body: { success: false, errorCode: 'expired_authorization', final: true },
    })
    await stopChild(child)
  })
})
