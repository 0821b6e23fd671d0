import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Chain } from '@ergon/dev-env'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareOut } from '../src/gas/gas-book.ts'
import { createGasBudget, gasOfRegistration } from '../src/gas/gas-budget.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'
import {
  createClient,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
  startRigBeside,
  type Answer,
  type Client,
} from './harness.ts'
import { randomHex32, stranger, worker } from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const register = (
  client: Client,
  recipient: string,
  change: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  client.post(
    '/register',
    { x402Version: 1, network: 'localnet', agentUri: `https://agents.example/${randomHex32()}`, recipient, ...change },
    headers,
  )

const spentAnswer = (status: number, by: string) => ({
  status,
  body: { success: false, errorCode: 'gas_budget_spent', spent_by: by, final: false },
})

describe('gas that identities and ratings cost', () => {
  test.each([0, 600, 2_000])('is no more than what is counted for %i bytes that are stored', async (bytes) => {
    await using rig = await startRigBeside(chain)
    const agentUri = `data:,${'a'.repeat(bytes)}`
    const { body } = await register(rig, worker.address, { agentUri })
    const receipt = await rpc(chain.rpcUrl, 'eth_getTransactionReceipt', [body['transaction']])
    const { gasUsed } = receipt as { readonly gasUsed: string } // a receipt has it
    expect(Number(gasUsed)).toBeLessThanOrEqual(gasOfRegistration(agentUri.length))
  })

  test('is bounded in all, answered with 503 before anything is sent, told in health, and a restart forgets nothing', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    const all = facilitatorEnv(chain.rpcUrl, database.url, { FACILITATOR_GAS_PER_DAY: '0/0/0.9' })
    const start = async () => {
      const service = await startFacilitator(all)
      return { client: createClient(await service.listen()), stop: () => service[Symbol.asyncDispose]() }
    }
    const first = await start()
    expect((await register(first.client, worker.address)).status).toBe(200)
    expect((await register(first.client, stranger.address)).status).toBe(200)
    const sent = await sentByFacilitator(chain.rpcUrl)
    const refused = await register(first.client, worker.address)
    expect(refused).toMatchObject({ ...spentAnswer(503, 'total'), body: { broadcast: false } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const { gas } = (await first.client.get('/health')).body as { gas: { spent: number; limit: number } }
    expect(gas).toMatchObject({ limit: 900_000 })
    expect(gas.spent).toBeGreaterThan(500_000)
    await first.stop()
    const second = await start()
    expect(await register(second.client, worker.address)).toMatchObject(spentAnswer(503, 'total'))
    expect(
      await second.client.post('/feedback/response', {
        network: 'localnet',
        agentId: 0,
        clientAddress: worker.address,
        feedbackIndex: 1,
      }),
    ).toMatchObject({ status: 400, body: { errorCode: 'proof_missing' } })
    await second.stop()
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
  })

  test('of identities is three quarters of a day at the most: the rest is for ratings', async () => {
    const counted = new Map<string, number>()
    const day = { endsAt: new Date(), secondsLeft: 60 }
    const budget = createGasBudget(
      { wallet: 0, client: 0, total: 1_000 },
      {
        take: (wishes) => Promise.resolve({ spent: shareOut(wishes, counted).spent, day }),
        today: () => Promise.resolve({ gas: 0, day }),
        purge: () => Promise.resolve(0),
      },
    )
    const ask = (of: 'identities' | 'ratings', gas: number) =>
      budget.take({ of, gas, wallet: undefined }, {}).then(
        () => 'taken',
        (error: unknown) => (error as { readonly details: { readonly spent_by: string } }).details.spent_by,
      )
    expect(await ask('identities', 750)).toBe('taken')
    expect(await ask('identities', 1)).toBe('identities')
    expect(await ask('ratings', 250)).toBe('taken')
    expect(await ask('ratings', 1)).toBe('total')
  })

  test('is bounded for one wallet, and counts what is stored', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_GAS_PER_DAY: '0.7/0/0' })
    const heavy = { metadata: [{ key: 'k', value: `0x${'00'.repeat(2_048)}` }] }
    expect(await register(rig, worker.address, heavy)).toMatchObject(spentAnswer(429, 'wallet'))
    expect((await register(rig, worker.address)).status).toBe(200)
    expect((await register(rig, worker.address)).status).toBe(200)
    expect(await register(rig, worker.address)).toMatchObject(spentAnswer(429, 'wallet'))
    expect((await register(rig, stranger.address)).status).toBe(200)
  })

  test('is bounded for one caller, and a request that is sent again under its key is counted once', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_GAS_PER_DAY: '0/0.7/0' })
    const body = { agentUri: 'https://agents.example/again' }
    for (let copy = 0; copy < 4; copy += 1)
      expect((await register(rig, worker.address, body, { 'idempotency-key': 'again' })).status).toBe(200)
    expect((await register(rig, stranger.address)).status).toBe(200)
    expect(await register(rig, stranger.address, {}, { 'idempotency-key': 'third' })).toMatchObject(
      spentAnswer(429, 'client'),
    )
  })
})
