import { mintTestUsd } from '@ergon/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from './harness-env.ts'
import { balanceOf, startRig, type Rig } from './harness.ts'
import type { RpcClient } from '../src/chain/rpc-client.ts'
import { Unavailable } from '../src/errors.ts'
import {
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  exactV2,
  lifecycleAuth,
  lifecycleBody,
  stranger,
  worker,
} from '../src/testing/payments.ts'
import { isSignedByContract } from '../src/verify/signature.ts'

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
    for (const [address, code] of [
      [wallet, saysYes],
      [refusing, saysNo],
    ] as const) {
      await rpc(rig.rpcUrl, 'anvil_setCode', [address, code])
      await mintTestUsd(rig.rpcUrl, address, 10_000_000n)
    }
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
  })

  test.each([
    ['a blob of its own', blob],
    ["a key's 65 bytes", undefined],
  ])('pays directly and into escrow with %s', async (_what, signature) => {
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

  test('orders its own release, and one that says no or may order nothing does not', async () => {
    for (const [payer, by, category] of [
      [wallet, wallet, undefined],
      [refusing, refusing, 'bad_signature'],
      [wallet, stranger.address, 'bad_signature'],
    ] as const) {
      const info = aPaymentInfo({ payer: payer === refusing ? wallet : payer })
      expect((await rig.post('/settle', authorizeBody(info, { signature: blob }))).body).toMatchObject({
        success: true,
      })
      const auth = { ...lifecycleAuth('release', info, info.maxAmount), signer: by, signature: blob }
      const answer = await rig.post('/settle', lifecycleBody('release', info, info.maxAmount, auth))
      expect(answer.body).toMatchObject(
        category === undefined ? { success: true } : { success: false, errorCode: 'LifecycleAuthRejected', category },
      )
    }
  })

  test.each([
    ['cannot be reached', () => Promise.reject(new Unavailable('rpc_unavailable', 'the chain node does not answer'))],
    [
      'has an error of its own',
      () => Promise.resolve([{ result: saysYes }, { error: { code: -32_005, message: 'limit exceeded' } }]),
    ],
  ])('is neither believed nor refused while the node %s', async (_what, batch: RpcClient['batch']) => {
    await expect(isSignedByContract({ batch }, new Uint8Array(32), blob, wallet)).rejects.toBeInstanceOf(Unavailable)
  })

  test('is refused when the contract says no', async () => {
    const direct = exactV2(aTransfer({ from: refusing }), { signature: blob })
    expect((await rig.post('/verify', direct)).body).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_signature',
    })
    expect(
      await rig.post('/settle', authorizeBody(aPaymentInfo({ payer: refusing }), { signature: blob })),
    ).toMatchObject({ status: 400, body: { errorCode: 'invalid_signature' } })
  })
})
