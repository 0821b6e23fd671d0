import { HTTPFacilitatorClient } from '@x402/core/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balanceOf, startRig, type Rig } from './harness.ts'
import {
  account,
  addresses,
  aTransfer,
  caip2,
  exactV1,
  exactV2,
  nowSec,
  payer,
  stranger,
  treasury,
  worker,
  type ExactOverrides,
} from '../src/testing/payments.ts'
import type { TransferAuthorization } from '@ergon/protocols'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

describe('a direct payment', () => {
  test.each([
    ['v1', exactV1, 'localnet'],
    ['v2', exactV2, caip2],
  ] as const)('in the %s envelope is verified, then settled once', async (_version, envelope, network) => {
    const body = envelope(aTransfer())
    const before = await balanceOf(rig.rpcUrl, worker.address)
    expect((await rig.post('/verify', body)).body).toEqual({ isValid: true, payer: payer.address })
    const settled = await rig.post('/settle', body)
    expect(settled).toMatchObject({ status: 200, body: { success: true, payer: payer.address, network } })
    expect(await balanceOf(rig.rpcUrl, worker.address)).toBe(before + 50_000n)
    expect((await rig.post('/verify', body)).body).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_nonce_already_used',
    })
    expect(await rig.post('/settle', body)).toMatchObject({
      status: 400,
      body: {
        errorReason: 'invalid_exact_evm_nonce_already_used',
        errorCode: 'nonce_already_used',
        transaction: settled.body['transaction'],
      },
    })
  })

  test('is taken from the PAYMENT-SIGNATURE header', async () => {
    const { paymentPayload } = exactV2(aTransfer()) as { paymentPayload: unknown }
    const header = Buffer.from(JSON.stringify(paymentPayload)).toString('base64')
    const response = await fetch(`${rig.url}/settle`, { method: 'POST', headers: { 'payment-signature': header } })
    expect(await response.json()).toMatchObject({ success: true, network: caip2 })
  })

  test('to the treasury is how a fee is paid', async () => {
    expect((await rig.post('/settle', exactV2(aTransfer({ to: treasury.address })))).body).toMatchObject({
      success: true,
    })
  })

  test('carries a proof of payment for those who ask', async () => {
    const { body } = await rig.post(
      '/settle',
      exactV2(aTransfer(), {
        requirements: { extra: { name: 'USD Coin', version: '2', '8004-reputation': { includeProof: true } } },
      }),
    )
    expect(body['proofOfPayment']).toMatchObject({
      transactionHash: body['transaction'],
      payer: payer.address,
      payee: worker.address,
      amount: '50000',
      token: addresses.token,
      network: caip2,
    })
  })

  const poor = account(8)
  test.each<[string, string, Partial<TransferAuthorization>, ExactOverrides]>([
    ['signed by another wallet', 'invalid_exact_evm_signature', {}, { key: stranger.privateKey }],
    ['with a malformed signature', 'invalid_exact_evm_signature', {}, { signature: '0x12' }],
    [
      'to another payee than required',
      'invalid_exact_evm_recipient_mismatch',
      {},
      { requirements: { payTo: stranger.address } },
    ],
    ['that has expired', 'invalid_exact_evm_payload_authorization_valid_before', { validBefore: BigInt(nowSec()) }, {}],
    [
      'that is not yet valid',
      'invalid_exact_evm_payload_authorization_valid_after',
      { validAfter: BigInt(nowSec() + 60) },
      {},
    ],
    [
      'below the required value',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      {},
      { requirements: { amount: '50001' } },
    ],
    [
      'under another token name',
      'invalid_exact_evm_token_name_mismatch',
      {},
      { requirements: { extra: { name: 'USDC', version: '2' } } },
    ],
    [
      'under another token version',
      'invalid_exact_evm_token_version_mismatch',
      {},
      { requirements: { extra: { name: 'USD Coin', version: '1' } } },
    ],
    [
      'of a payer without the money',
      'invalid_exact_evm_insufficient_balance',
      { from: poor.address },
      { key: poor.privateKey },
    ],
    [
      'of a token that is not served',
      'invalid_exact_evm_asset_not_supported',
      {},
      { requirements: { asset: worker.address } },
    ],
    ['on an unknown network', 'invalid_network', {}, { network: 'eip155:8453' }],
    ['to oneself', 'self_payment', { to: payer.address }, {}],
    ['to the escrow contract', 'forbidden_receiver', { to: addresses.escrow }, {}],
  ])('%s is refused as %s by both endpoints', async (_what, reason, transfer, overrides) => {
    const body = exactV2(aTransfer(transfer), overrides)
    expect(await rig.post('/verify', body)).toMatchObject({
      status: 200,
      body: { isValid: false, invalidReason: reason },
    })
    expect(await rig.post('/settle', body)).toMatchObject({
      status: 400,
      body: { success: false, errorReason: reason },
    })
  })

  test('by an independent client is understood: supported, verify, settle', async () => {
    const client = new HTTPFacilitatorClient({ url: rig.url })
    const supported = await client.getSupported()
    expect(supported.kinds).toContainEqual(expect.objectContaining({ x402Version: 2, scheme: 'exact', network: caip2 }))
    const { paymentPayload, paymentRequirements } = await independentPayment()
    expect(await client.verify(paymentPayload, paymentRequirements)).toMatchObject({ isValid: true })
    expect(await client.settle(paymentPayload, paymentRequirements)).toMatchObject({ success: true, network: caip2 })
    await expect(client.settle(paymentPayload, paymentRequirements)).rejects.toThrow('nonce_already_used')
  })
})

type Client = HTTPFacilitatorClient
type Independent = {
  paymentPayload: Parameters<Client['verify']>[0]
  paymentRequirements: Parameters<Client['verify']>[1]
}

/** Signed by the x402 project's own client. */
async function independentPayment(): Promise<Independent> {
  const [{ x402Client }, { ExactEvmScheme }, { privateKeyToAccount }] = await Promise.all([
    import('@x402/core/client'),
    import('@x402/evm/exact/client'),
    import('viem/accounts'),
  ])
  // The client's own limits know real tokens only.
  const client = x402Client.fromConfig({
    schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(privateKeyToAccount(payer.privateKey)) }],
    spendControls: false,
  })
  const paymentRequirements = {
    scheme: 'exact',
    network: caip2 as `${string}:${string}`,
    amount: '60000',
    asset: addresses.token,
    payTo: worker.address,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
  }
  const paymentPayload = await client.createPaymentPayload({
    x402Version: 2,
    resource: { url: 'https://market.example/t', description: '', mimeType: '' },
    accepts: [paymentRequirements],
  })
  return { paymentPayload, paymentRequirements }
}
