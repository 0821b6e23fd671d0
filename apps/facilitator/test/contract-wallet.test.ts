import { mintTestUsd } from '@ergon/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from './harness-env.ts'
import { balanceOf, startRig, type Rig } from './harness.ts'
import { aPaymentInfo, aTransfer, authorizeBody, exactV2, stranger, worker } from '../src/testing/payments.ts'

// Runtime code that answers every call with the ERC-1271 magic value, and code that answers with zero.
const saysYes = '0x631626ba7e60e01b60005260206000f3'
const saysNo = '0x600060005260206000f3'

describe('a payer that is a contract (ERC-1271)', () => {
  let rig: Rig
  const wallet = `0x${'c0'.repeat(20)}` as const
  const refusing = `0x${'c1'.repeat(20)}` as const
  const blob = `0x${'5a'.repeat(97)}` as const
  beforeAll(async () => {
    rig = await startRig()
    for (const [address, code] of [[wallet, saysYes], [refusing, saysNo]] as const) {
      await rpc(rig.rpcUrl, 'anvil_setCode', [address, code])
      await mintTestUsd(rig.rpcUrl, address, 10_000_000n)
    }
  })
  afterAll(async () => { await rig[Symbol.asyncDispose]() })

  test.each([['a blob of its own', blob], ['a key\'s 65 bytes', undefined]])('pays directly and into escrow with %s', async (_what, signature) => {
    const signed = signature === undefined ? { key: stranger.privateKey } : { signature }
    const direct = exactV2(aTransfer({ from: wallet }), signed)
    expect((await rig.post('/verify', direct)).body).toMatchObject({ isValid: true })
    const before = await balanceOf(rig.rpcUrl, worker.address)
    const settled = await rig.post('/settle', direct)
    expect(settled.body).toMatchObject({ success: true })
    expect(await balanceOf(rig.rpcUrl, worker.address)).toBe(before + 50_000n)
    const escrow = authorizeBody(aPaymentInfo({ payer: wallet }), signed)
    expect((await rig.post('/verify', escrow)).body).toMatchObject({ isValid: true })
    expect((await rig.post('/settle', escrow)).body).toMatchObject({ success: true })
  })

  test('is refused when the contract says no', async () => {
    const direct = exactV2(aTransfer({ from: refusing }), { signature: blob })
    expect((await rig.post('/verify', direct)).body).toMatchObject({ isValid: false, invalidReason: 'invalid_exact_evm_signature' })
    expect(await rig.post('/settle', authorizeBody(aPaymentInfo({ payer: refusing }), { signature: blob }))).toMatchObject({ status: 400, body: { errorCode: 'invalid_signature' } })
  })
})
