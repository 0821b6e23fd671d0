import { mintTestUsd } from '@ergon/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addresses,
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  exactV2,
  nowSec,
  payer,
  stranger,
  worker,
} from '../src/testing/payments.ts'
import { startNodeProxy } from '@ergon/dev-env/testing'
import { guardToken, type GuardedToken } from './guarded-token.ts'
import { rpc } from './harness-env.ts'
import { sentByFacilitator, startRig, startRigBeside, type Answer, type Rig } from './harness.ts'

/** What a payment says when it is verified, and then when it is settled. */
async function ask(
  rig: Rig,
  body: object,
): Promise<{ readonly verified: Answer['body']; readonly settled: Answer['body'] }> {
  const { body: verified } = await rig.post('/verify', body)
  const { body: settled } = await rig.post('/settle', body)
  return { verified, settled }
}

const failed = 'invalid_exact_evm_transaction_simulation_failed'

describe('verify makes the call that settle would send', () => {
  let rig: Rig
  let token: GuardedToken
  beforeAll(async () => {
    rig = await startRig()
    token = await guardToken(rig.rpcUrl)
    await mintTestUsd(rig.rpcUrl, stranger.address, 10_000_000n)
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
  })

  test.each([
    ['payer', payer.address],
    ['payee', worker.address],
  ])('a %s that the token refuses is invalid, in the words of the token', async (_who, listed) => {
    await token.list(listed, true)
    try {
      const { verified, settled } = await ask(rig, exactV2(aTransfer()))
      const invalidMessage = 'Blacklistable: account is blacklisted'
      expect(verified).toEqual({ isValid: false, invalidReason: failed, invalidMessage, payer: payer.address })
      expect(settled).toMatchObject({ success: false, errorReason: `${failed}: ${invalidMessage}` })
    } finally {
      await token.list(listed, false)
    }
    expect(await ask(rig, exactV2(aTransfer()))).toMatchObject({
      verified: { isValid: true },
      settled: { success: true },
    })
  })

  test('nor is one into escrow by a payer that the token refuses', async () => {
    await token.list(payer.address, true)
    try {
      const { verified, settled } = await ask(rig, authorizeBody(aPaymentInfo()))
      expect(verified).toMatchObject({ isValid: false, errorCode: 'ContractCall', payer: payer.address })
      expect(verified['invalidReason']).toMatch(/^Contract call failed: /)
      expect(settled).toMatchObject({
        success: false,
        errorReason: `Escrow scheme error: ${String(verified['invalidReason'])}`,
      })
    } finally {
      await token.list(payer.address, false)
    }
  })

  test('a paused token takes no payment', async () => {
    await token.pause(true)
    try {
      for (const body of [exactV2(aTransfer()), authorizeBody(aPaymentInfo())]) {
        const { verified, settled } = await ask(rig, body)
        expect(verified['isValid']).toBe(false)
        expect(settled['success']).toBe(false)
      }
      expect((await rig.post('/verify', exactV2(aTransfer()))).body).toMatchObject({
        invalidMessage: 'Pausable: paused',
      })
    } finally {
      await token.pause(false)
    }
  })

  test('an authorization that becomes valid in a moment is not valid', async () => {
    const { verified, settled } = await ask(rig, exactV2(aTransfer({ validAfter: BigInt(nowSec() + 5) })))
    const reason = 'invalid_exact_evm_payload_authorization_valid_after'
    expect(verified).toEqual({ isValid: false, invalidReason: reason, payer: payer.address })
    expect(settled).toMatchObject({ success: false, errorReason: reason })
  })

  test('a key whose account runs code without ERC-1271 has not signed (EIP-7702)', async () => {
    // The code of the escrow's collector, which answers no question about signatures.
    await rpc(rig.rpcUrl, 'anvil_setCode', [stranger.address, `0xef0100${addresses.collector.slice(2)}`])
    const transfer = aTransfer({ from: stranger.address })
    const direct = await ask(rig, exactV2(transfer, { key: stranger.privateKey }))
    expect(direct.verified).toMatchObject({ isValid: false, invalidReason: 'invalid_exact_evm_signature' })
    expect(direct.settled).toMatchObject({ success: false, errorCode: 'invalid_signature' })
    const info = aPaymentInfo({ payer: stranger.address })
    const escrow = await ask(rig, authorizeBody(info, { key: stranger.privateKey }))
    expect(escrow.verified).toMatchObject({ isValid: false, errorCode: 'invalid_signature' })
    expect(escrow.settled).toMatchObject({ success: false, errorCode: 'invalid_signature' })
    await rpc(rig.rpcUrl, 'anvil_setCode', [stranger.address, '0x'])
    expect((await rig.post('/verify', exactV2(transfer, { key: stranger.privateKey }))).body['isValid']).toBe(true)
  })

  test('a wallet whose code burns all gas is invalid, and spoils no other question', async () => {
    const burner = `0x${'b0'.repeat(20)}` as const
    await rpc(rig.rpcUrl, 'anvil_setCode', [burner, '0x5b5f56'])
    await mintTestUsd(rig.rpcUrl, burner, 1_000_000n)
    const burning = exactV2(aTransfer({ from: burner }), { signature: `0x${'5a'.repeat(97)}` })
    const answers = await Promise.all([
      rig.post('/verify', burning),
      ...Array.from({ length: 5 }, () => rig.post('/verify', exactV2(aTransfer()))),
    ])
    expect(answers.map(({ body }) => body['isValid'])).toEqual([false, true, true, true, true, true])
  })

  test('each payment is simulated, and far from the node they travel together', async () => {
    await using proxy = await startNodeProxy(rig.rpcUrl)
    await using other = await startRigBeside(rig.chain, { FACILITATOR_RPC_LOCALNET: proxy.url })
    proxy.seen.length = 0
    proxy.delayMs = 200
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => other.post('/verify', exactV2(aTransfer({ value: 1_000n })))),
    )
    expect(answers.every(({ body }) => body['isValid'] === true)).toBe(true)
    const calls = proxy.seen.filter((methods) => methods.includes('eth_call'))
    expect(calls.flat().filter((method) => method === 'eth_call')).toHaveLength(100)
    expect(calls.length).toBeLessThan(50)
  })

  test('and sends nothing', async () => {
    const sent = await sentByFacilitator(rig.rpcUrl)
    const body = exactV2(aTransfer())
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.post('/verify', body)))
    expect(answers.every((answer) => answer.body['isValid'] === true)).toBe(true)
    expect(await sentByFacilitator(rig.rpcUrl)).toBe(sent)
  })
})
