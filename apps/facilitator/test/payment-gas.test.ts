import type { Chain } from '@ergon/dev-env'
import { mintTestUsd } from '@ergon/contracts'
import type { PaymentInfo } from '@ergon/protocols'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentByFacilitator, startFundedChain, startRigBeside, type Answer, type Client, type Rig } from './harness.ts'
import {
  addresses,
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  exactV2,
  refundBody,
  releaseBody,
  stranger,
  type ExactOverrides,
} from '../src/testing/payments.ts'
import { decideConfig, readEnv } from '../src/index.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
  await mintTestUsd(chain.rpcUrl, stranger.address, 1_000_000n)
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const spentAnswer = (status: number, by: string) => ({
  status,
  body: { success: false, errorCode: 'gas_budget_spent', spent_by: by, broadcast: false, final: false },
})
const lock = (client: Client, info: PaymentInfo = aPaymentInfo()): Promise<Answer> =>
  client.post('/settle', authorizeBody(info))
const pay = (
  client: Client,
  transfer: Parameters<typeof aTransfer>[0] = {},
  overrides: ExactOverrides = {},
): Promise<Answer> => client.post('/settle', exactV2(aTransfer(transfer), overrides))
/** As when the day turns. */
async function forgetGas({ databaseUrl }: Rig): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl })
  await pool.query('delete from gas_spent')
  await pool.end()
}
const asStranger = { from: stranger.address }

describe('gas that payments cost', () => {
  test('is bounded for a payer who locks the same money and takes it back, and what is held still moves', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_PAYMENT_GAS_PER_DAY: '1/0/0' })
    const locked: PaymentInfo[] = []
    let refused: Answer | undefined
    while (refused === undefined && locked.length < 20) {
      const info = aPaymentInfo()
      const answer = await lock(rig, info)
      if (answer.status !== 200) refused = answer
      else {
        locked.push(info)
        if (locked.length < 2) expect((await rig.post('/settle', refundBody(info, info.maxAmount))).status).toBe(200)
      }
    }
    expect(refused).toMatchObject(spentAnswer(429, 'wallet'))
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(locked.length).toBe(2)
    const held = locked.at(-1)
    if (held === undefined) throw new Error('nothing was locked')
    expect(await lock(rig)).toMatchObject(spentAnswer(429, 'wallet'))
    expect(await pay(rig, { ...asStranger, value: 1n }, { key: stranger.privateKey })).toMatchObject({ status: 200 })
    expect((await rig.post('/settle', releaseBody(held, held.maxAmount))).body).toMatchObject({ success: true })
  })

  test('is bounded in all with 503 and told in health; what is refused is not sent', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_PAYMENT_GAS_PER_DAY: '0/0/0.25' })
    expect((await pay(rig, { value: 1n })).status).toBe(200)
    expect((await pay(rig, { value: 1n })).status).toBe(200)
    const sent = await sentByFacilitator(chain.rpcUrl)
    const body = exactV2(aTransfer())
    for (let copy = 0; copy < 2; copy += 1)
      expect(await rig.post('/settle', body)).toMatchObject(spentAnswer(503, 'total'))
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
    const { payment_gas: gas } = (await rig.get('/health')).body
    expect(gas).toMatchObject({
      spent: 200_000,
      limit: 250_000,
      resets_at: expect.stringMatching(/T00:00:00\.000Z$/) as string,
    })
  })

  test('binds the key of the payment it refused: no copy under way is carried out when there is gas again', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_PAYMENT_GAS_PER_DAY: '0/0/0.25' })
    const key = { 'idempotency-key': 'refused-for-its-gas' }
    const body = exactV2(aTransfer({ value: 1n }))
    expect((await pay(rig, { value: 1n })).status).toBe(200)
    expect((await pay(rig, { value: 1n })).status).toBe(200)
    const refused = await rig.post('/settle', body, key)
    expect(refused).toMatchObject({ status: 503, body: { ...spentAnswer(503, 'total').body, final: true } })
    await forgetGas(rig)
    const sent = await sentByFacilitator(chain.rpcUrl)
    expect(await rig.post('/settle', body, key)).toMatchObject({ status: 503, body: refused.body })
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
    // A request of its own is one that its payer means now.
    expect((await rig.post('/settle', body, { 'idempotency-key': 'meant-again' })).status).toBe(200)
  })

  test('binds no key of a sweep, which moves the same fees whenever it is carried out', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_PAYMENT_GAS_PER_DAY: '0/0/1' })
    const key = { 'idempotency-key': 'a-sweep' }
    const sweep = (headers = {}): Promise<Answer> =>
      rig.post('/fees/distribute', { network: 'localnet', token: addresses.token }, headers)
    await mintTestUsd(chain.rpcUrl, addresses.operator, 1n)
    expect((await sweep()).status).toBe(200)
    await mintTestUsd(chain.rpcUrl, addresses.operator, 1n)
    expect((await sweep(key)).body).toMatchObject({ errorCode: 'gas_budget_spent' })
    await forgetGas(rig)
    expect((await sweep(key)).body).toMatchObject({ success: true, amount: '1' })
  })

  test('counts nothing for a payment that was made before, whoever sends it again', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_PAYMENT_GAS_PER_DAY: '0.25/0/0' })
    const body = exactV2(aTransfer())
    expect((await rig.post('/settle', body)).status).toBe(200)
    for (let copy = 0; copy < 5; copy += 1)
      expect((await rig.post('/settle', body)).body).toMatchObject({ errorCode: 'nonce_already_used' })
    expect(await pay(rig, { from: stranger.address })).toMatchObject({ status: 400 })
    expect((await pay(rig)).status).toBe(200)
    expect(await pay(rig)).toMatchObject(spentAnswer(429, 'wallet'))
  })

  test('leaves a part for moving fees, which anybody may ask for, and that part is bounded as well', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_PAYMENT_GAS_PER_DAY: '0/0/2' })
    const sweep = (): Promise<Answer> => rig.post('/fees/distribute', { network: 'localnet', token: addresses.token })
    const answers: Answer[] = []
    for (let round = 0; round < 4; round += 1) {
      await mintTestUsd(chain.rpcUrl, addresses.operator, 1n)
      answers.push(await sweep())
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 503])
    expect(answers.at(-1)).toMatchObject(spentAnswer(503, 'sweeps'))
    expect((await pay(rig)).status).toBe(200)
  })

  test('counts the parts that a payer lets go one by one', async () => {
    await using rig = await startRigBeside(chain, { FACILITATOR_PAYMENT_GAS_PER_DAY: '0.7/0/0' })
    const info = aPaymentInfo()
    expect((await lock(rig, info)).status).toBe(200)
    const part = (): Promise<Answer> => rig.post('/settle', releaseBody(info, 1n))
    expect([(await part()).status, (await part()).status]).toEqual([200, 200])
    expect(await part()).toMatchObject(spentAnswer(429, 'wallet'))
    expect((await rig.post('/settle', refundBody(info, info.maxAmount - 2n))).body).toMatchObject({ success: true })
  })

  test('of one payment has an end: a payer whose own code burns it on chain is refused', async () => {
    await using rig = await startRigBeside(chain, {
      FACILITATOR_MINING: 'off',
      FACILITATOR_PAYMENT_GAS_PER_DAY: '0/0/100',
    })
    const wallet = `0x${'b0'.repeat(20)}` as const
    // Counts down from 100,000, for about 2.6 million gas, and says yes (ERC-1271).
    await rpc(chain.rpcUrl, 'anvil_setCode', [wallet, '0x620186a05b6001900380600457631626ba7e60e01b60005260206000f3'])
    await mintTestUsd(chain.rpcUrl, wallet, 1_000_000n)
    const sent = await sentByFacilitator(chain.rpcUrl)
    const refused = await pay(rig, { from: wallet }, { signature: `0x${'5a'.repeat(97)}` })
    expect(refused).toMatchObject({
      status: 400,
      body: {
        success: false,
        errorCode: 'ContractCall',
        errorReason: expect.stringContaining('more than 2000000 gas') as string,
      },
    })
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
  })

  test('has a limit wherever gas is worth something', () => {
    const limitsOf = (env: Record<string, string>): unknown =>
      decideConfig(readEnv(facilitatorEnv(chain.rpcUrl, 'postgres://none', env))).paymentGas
    const base = { FACILITATOR_NETWORKS: 'localnet,base', FACILITATOR_RPC_BASE: chain.rpcUrl }
    expect(limitsOf({})).toBeUndefined()
    expect(limitsOf(base)).toEqual({ wallet: 200_000_000, client: 0, total: 20_000_000_000 })
    expect(limitsOf({ ...base, FACILITATOR_HOST: '0.0.0.0' })).toMatchObject({ client: 2_000_000_000 })
    expect(limitsOf({ ...base, FACILITATOR_PAYMENT_GAS_PER_DAY: 'off' })).toBeUndefined()
    expect(() => limitsOf({ FACILITATOR_PAYMENT_GAS_PER_DAY: '5' })).toThrow('FACILITATOR_PAYMENT_GAS_PER_DAY')
  })
})
