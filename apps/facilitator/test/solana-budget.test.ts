import { generatePrivateKey, toBase58 } from '@ergon/protocols'
import { localKeys } from '@ergon/solana-ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  anExact,
  aSplit,
  feePayer,
  keyOf,
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
