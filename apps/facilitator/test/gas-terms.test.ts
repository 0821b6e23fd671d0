import type { Chain } from '@ergon/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StartupError } from '../src/errors.ts'
import { aPaymentInfo, aTransfer, authorizeBody, exactV2, facilitator, worker } from '../src/testing/payments.ts'
import { rpc } from './harness-env.ts'
import { eventually, sentByFacilitator, startFundedChain, startRigBeside } from './harness.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain.stop()
})

const fund = (wei: bigint): Promise<unknown> =>
  rpc(chain.rpcUrl, 'anvil_setBalance', [facilitator.address, `0x${wei.toString(16)}`])

test('an account without gas has a code of its own, sends nothing, and health tells; funded, the same order goes', async () => {
  await using rig = await startRigBeside(chain)
  const sent = await sentByFacilitator(chain.rpcUrl)
  await fund(1_000_000_000_000_000n)
  try {
    const body = exactV2(aTransfer())
    const key = { 'idempotency-key': 'no-gas' }
    expect(await rig.post('/settle', body, key)).toMatchObject({
      status: 503,
      body: { success: false, errorCode: 'out_of_gas', broadcast: false, final: false },
    })
    expect((await rig.get('/health')).body).toMatchObject({
      status: 'degraded',
      reasons: ['gas_low:localnet'],
      networks: [{ network: 'localnet', account: facilitator.address, gas_balance: '1000000000000000', gas_low: true }],
    })
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
    await fund(10n ** 21n)
    await eventually(
      () => rig.post('/settle', body, key),
      ({ status }) => status === 200,
      'the settlement',
    )
    expect((await rig.get('/health')).body).toMatchObject({ status: 'healthy' })
  } finally {
    await fund(10n ** 22n)
  }
})

test('of a batch, as many are sent as the gas is for', async () => {
  await using rig = await startRigBeside(chain)
  // Each may cost 1.5 million gas and its bytes at a gwei.
  await fund(4_500_000_000_000_000n)
  try {
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => rig.post('/settle', exactV2(aTransfer({ value: 1_000n })))),
    )
    const codes = answers.map(({ body }) => body['errorCode'])
    expect(codes).toContain('out_of_gas')
    expect(codes).toContain(undefined)
  } finally {
    await fund(10n ** 22n)
  }
})

test('alarm gas_low: an account that holds less than the threshold that the operator sets', async () => {
  await using rig = await startRigBeside(chain, { FACILITATOR_GAS_ALARM: '20000.5' })
  expect((await rig.get('/health')).body).toMatchObject({ status: 'degraded', reasons: ['gas_low:localnet'] })
  await expect(startRigBeside(chain, { FACILITATOR_GAS_ALARM: 'much' })).rejects.toThrow(StartupError)
})

test('a payment below the smallest amount is refused before anything is asked', async () => {
  await using rig = await startRigBeside(chain, { FACILITATOR_SMALLEST_PAYMENT: '0.01' })
  const small = exactV2(aTransfer({ value: 9_999n }))
  expect((await rig.post('/verify', small)).body).toMatchObject({
    isValid: false,
    invalidReason: 'amount_below_minimum',
  })
  expect(await rig.post('/settle', small)).toMatchObject({ status: 400, body: { errorCode: 'amount_below_minimum' } })
  const lock = authorizeBody(aPaymentInfo({ maxAmount: 9_999n }))
  expect(await rig.post('/settle', lock)).toMatchObject({ status: 400, body: { errorCode: 'amount_below_minimum' } })
  expect((await rig.post('/settle', exactV2(aTransfer({ value: 10_000n })))).body).toMatchObject({ success: true })
})

test('gas that costs more than the operator pays is waited for', async () => {
  const sent = await sentByFacilitator(chain.rpcUrl)
  await using rig = await startRigBeside(chain, { FACILITATOR_HIGHEST_FEE_GWEI: '0.4' })
  expect(await rig.post('/settle', exactV2(aTransfer()), { 'idempotency-key': 'dear' })).toMatchObject({
    status: 503,
    body: { errorCode: 'gas_too_dear', broadcast: false, final: false },
  })
  expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
})

test('a registration that stores too much is refused, whoever asks', async () => {
  await using rig = await startRigBeside(chain)
  const sent = await sentByFacilitator(chain.rpcUrl)
  const body = { network: 'localnet', agentUri: `data:,${'a'.repeat(8_000)}`, recipient: worker.address }
  const answer = await rig.post('/register', body)
  expect(answer).toMatchObject({ status: 400, body: { errorCode: 'invalid_payload' } })
  expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
})

test('an agent is not made for code that burns the gas when it is handed over, and nothing is sent', async () => {
  await using rig = await startRigBeside(chain, { FACILITATOR_MINING: 'off' })
  const burner = `0x${'b1'.repeat(20)}`
  await rpc(chain.rpcUrl, 'anvil_setCode', [burner, '0x5b5f56'])
  const body = { network: 'localnet', agentUri: 'https://agents.example/burnt', recipient: burner }
  const sent = await sentByFacilitator(chain.rpcUrl)
  expect(await rig.post('/register', body)).toMatchObject({ status: 400, body: { errorCode: 'ContractCall' } })
  expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
})
