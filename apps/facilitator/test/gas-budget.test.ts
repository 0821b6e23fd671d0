import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Chain } from '@ergon/dev-env'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gasOfRegistration } from '../src/gas/gas-budget.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'
import {
  createClient,
  registerAgent,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
  startRigBeside,
  type Answer,
  type Rig,
  type Client as Caller,
} from './harness.ts'
import {
  addresses,
  aTransfer,
  exactV2,
  facilitator,
  payer,
  randomHex32,
  stranger,
  worker,
} from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const register = (
  client: Caller,
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
  const gasUsedBy = async ({ body }: Answer): Promise<number> => {
    const receipt = await rpc(chain.rpcUrl, 'eth_getTransactionReceipt', [body['transaction']])
    return Number((receipt as { readonly gasUsed: string }).gasUsed) // a receipt has it
  }
  const spentOn = async ({ databaseUrl }: Rig): Promise<number> => {
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    const { rows } = await client.query<{ gas: string }>("select gas from gas_spent where key = 'total'")
    await client.end()
    return Number(rows[0]?.gas ?? 0)
  }

  test.each([
    [0, 'a'],
    [600, 'a'],
    [2_000, 'a'],
    [600, '€'],
    [1_200, '€'],
  ])('is no more than what is counted for an agent of %i times %s', async (times, letter) => {
    await using rig = await startRigBeside(chain)
    const agentUri = `data:,${letter.repeat(times)}`
    const metadata = [{ key: letter.repeat(40), value: `0x${'ab'.repeat(50)}` }]
    const answer = await register(rig, worker.address, { agentUri, metadata })
    const used = await gasUsedBy(answer)
    expect(used).toBeLessThanOrEqual(await spentOn(rig))
    expect(await spentOn(rig)).toBe(
      gasOfRegistration(Buffer.byteLength(agentUri) + Buffer.byteLength(letter) * 40 + 50),
    )
  })

  test.each(['', 'a', '€'])(
    'is no more than what is counted for a rating and its answer, full of %j',
    async (letter) => {
      await using rig = await startRigBeside(chain)
      const agentId = await registerAgent(rig, worker.address)
      const paid = (await rig.post('/settle', exactV2(aTransfer()))).body
      const payment = {
        transactionHash: paid['transaction'],
        network: 'localnet',
        payer: payer.address,
        payee: worker.address,
        token: addresses.token,
      }
      const [tag1, tag2] = [letter.repeat(128), letter.repeat(128)]
      const [endpoint, feedbackUri] = [letter.repeat(2_048), letter.repeat(2_048)]
      const feedback = { agentId, value: -1, valueDecimals: 18, tag1, tag2, endpoint, feedbackUri, payment }
      const before = await spentOn(rig)
      const rated = await rig.post('/feedback', { network: 'localnet', feedback })
      const counted = (await spentOn(rig)) - before
      expect(rated.status).toBe(200)
      expect(await gasUsedBy(rated)).toBeLessThanOrEqual(counted)
      // What is short is not counted as if it were long.
      if (letter === '') expect(counted).toBe(250_000)
      const answered = await rig.post('/feedback/response', {
        network: 'localnet',
        agentId,
        clientAddress: facilitator.address,
        feedbackIndex: rated.body['feedbackIndex'],
        responseUri: letter === '' ? 'x' : letter.repeat(2_048),
        payment,
      })
      expect(answered.status).toBe(200)
      expect(await gasUsedBy(answered)).toBeLessThanOrEqual((await spentOn(rig)) - before - counted)
    },
  )

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
