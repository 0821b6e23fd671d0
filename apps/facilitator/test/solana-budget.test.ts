import { generatePrivateKey, toBase58 } from '@ergon/protocols'
import { localKeys } from '@ergon/solana-ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideConfig, readEnv, readSecrets, StartupError } from '../src/index.ts'
import {
  anExact,
  aSplit,
  feePayer,
  keyOf,
  solanaEnv,
  startSolanaFacilitator,
  startSolanaWorld,
  treasury,
  worker,
  type SolanaWorld,
} from './solana-rig.ts'

let world: SolanaWorld
beforeAll(async () => {
  world = await startSolanaWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

describe('the SOL of a day', () => {
  test('is bounded for one payer, and nothing is sent beyond it', async () => {
    await using rig = await startSolanaFacilitator(world, { FACILITATOR_SOL_PER_DAY: '0.000025/0/1' })
    for (let paid = 0; paid < 2; paid += 1)
      expect((await rig.post('/settle', await anExact(world))).body['success']).toBe(true)
    expect(await rig.post('/settle', await anExact(world))).toMatchObject({
      status: 429,
      body: { success: false, errorCode: 'gas_budget_spent', spent_by: 'wallet' },
    })
    // Two signatures each, and a lamport or two for priority: an address takes more or fewer steps to derive.
    const { spent, limit } = (await rig.get('/health')).body['sol'] as { spent: number; limit: number }
    expect(limit).toBe(1_000_000_000)
    expect(spent).toBeGreaterThan(20_000)
    expect(spent).toBeLessThanOrEqual(20_010)
  })

  test('has a share of its own for the rent of new token accounts', async () => {
    await using rig = await startSolanaFacilitator(world, { FACILITATOR_SOL_PER_DAY: '0/0/0.005' })
    const payees = [
      { owner: worker.address, amount: 87n },
      { owner: treasury.address, amount: 13n },
    ]
    // Two accounts are missing: 0.004 SOL of rent, and half of the day's SOL is less.
    expect(await rig.post('/settle', await aSplit(world, { payees }))).toMatchObject({
      status: 503,
      body: { errorCode: 'gas_budget_spent', spent_by: 'rents' },
    })
    await world.solana.fund(treasury.address, { tokens: 0n })
    expect((await rig.post('/settle', await aSplit(world, { payees }))).body['success']).toBe(true)
    const next = [{ owner: keyOf(80).address, amount: 87n }]
    expect((await rig.post('/settle', await aSplit(world, { payees: next }))).body['spent_by']).toBe('rents')
  })

  test('alarm sol_low: a key that holds less than the operator wants', async () => {
    await using rig = await startSolanaFacilitator(world, { FACILITATOR_SOL_ALARM: '1000' })
    expect((await rig.get('/health')).body).toMatchObject({ status: 'degraded', reasons: ['sol_low:solana'] })
  })

  test('alarm out_of_sol: a key without its last lamport, which health says by name', async () => {
    await using poor = await startSolanaWorld(9_000n)
    await using rig = await startSolanaFacilitator(poor)
    expect(await rig.post('/settle', await anExact(poor))).toMatchObject({
      status: 503,
      body: { success: false, errorCode: 'out_of_sol', broadcast: false, final: false },
    })
    expect((await rig.get('/health')).body).toMatchObject({ status: 'degraded', reasons: ['out_of_sol:solana'] })
    await poor.solana.fund(feePayer.address, { lamports: 50_000_000n })
    expect((await rig.post('/settle', await anExact(poor))).body['success']).toBe(true)
  })
})

describe('settings of Solana', () => {
  const decide = (change: Record<string, string>) => {
    const env = { ...solanaEnv(world, 'postgres://localhost/facilitator'), ...change }
    return { config: decideConfig(readEnv(env)), secrets: readSecrets(env) }
  }

  test.each([
    [{ FACILITATOR_SOLANA_MINT: '' }, 'set both'],
    [{ FACILITATOR_SOLANA_GENESIS: 'x' }, 'FACILITATOR_SOLANA_GENESIS'],
    [{ FACILITATOR_RPC_SOLANA: 'ftp://node' }, 'FACILITATOR_RPC_SOLANA'],
    [{ FACILITATOR_NETWORKS: 'solana,solana:mainnet' }, 'once'],
    [{ FACILITATOR_NETWORKS: 'localnet', FACILITATOR_RPC_LOCALNET: 'http://127.0.0.1:1' }, 'does not name solana'],
    [{ FACILITATOR_SOLANA_WITNESSES: '2' }, 'FACILITATOR_SOLANA_WITNESSES'],
    [{ FACILITATOR_SOL_PER_DAY: '1' }, 'FACILITATOR_SOL_PER_DAY'],
    [{ FACILITATOR_SOLANA_KEY: 'zero' }, 'FACILITATOR_SOLANA_KEY'],
    [{ FACILITATOR_SOLANA_KEY: '[1,2]' }, 'FACILITATOR_SOLANA_KEY'],
    [{ FACILITATOR_SOLANA_KEY_FILE: '/nowhere' }, 'not both'],
  ])('that contradict each other or mean nothing stop the start: %j', (change, named) => {
    expect(() => decide(change)).toThrow(StartupError)
    expect(() => decide(change)).toThrow(named)
  })

  test('a key is taken in each form that tools of Solana write', () => {
    const whole = Buffer.concat([feePayer.seed, Buffer.from(keyBytes(feePayer.address))])
    for (const text of [toBase58(feePayer.seed), toBase58(whole), JSON.stringify([...whole])])
      expect(decide({ FACILITATOR_SOLANA_KEY: text }).secrets.solanaSeed).toEqual(feePayer.seed)
    const mixed = Buffer.concat([feePayer.seed, Buffer.from(keyBytes(worker.address))])
    expect(() => decide({ FACILITATOR_SOLANA_KEY: toBase58(mixed) })).toThrow(StartupError)
  })

  test('the public keys of the embedded ledger pay for nothing on the main network', async () => {
    const main = { FACILITATOR_SOLANA_GENESIS: '', FACILITATOR_SOLANA_MINT: '' }
    const started = startSolanaFacilitator(world, {
      ...main,
      FACILITATOR_KEY: generatePrivateKey(),
      FACILITATOR_SOLANA_KEY: toBase58(localKeys.operator.seed),
    })
    await expect(started).rejects.toThrow('public')
  })

  test('a mint that is none, or has other decimals, stops the start', async () => {
    const env = { FACILITATOR_SOLANA_MINT: worker.address }
    await expect(startSolanaFacilitator(world, env)).rejects.toThrow('no mint of SPL Token')
  })
})

function keyBytes(address: string): Uint8Array {
  let value = 0n
  for (const char of address)
    value = value * 58n + BigInt('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.indexOf(char))
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}
