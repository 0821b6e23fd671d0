import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentInfoHash, paymentInfoToWire } from '@ergon/protocols'
import { balanceOf, startRig, type Rig } from './harness.ts'
import {
  addresses,
  aPaymentInfo,
  authorizeBody,
  caip2,
  escrowRequirements,
  payer,
  refundBody,
  releaseBody,
  treasury,
  worker,
} from '../src/testing/payments.ts'

describe('an escrowed payment', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
  })

  test('is verified, authorized, released 87 to 13, its rest refunded, and the fee distributed to the treasury', async () => {
    const info = aPaymentInfo({ maxAmount: 1_000_001n })
    const before = {
      payer: await balanceOf(rig.rpcUrl, payer.address),
      worker: await balanceOf(rig.rpcUrl, worker.address),
      treasury: await balanceOf(rig.rpcUrl, treasury.address),
    }
    const authorize = authorizeBody(info)
    expect((await rig.post('/verify', authorize)).body).toEqual({ isValid: true, payer: payer.address })

    const authorized = await rig.post('/settle', authorize)
    expect(authorized).toMatchObject({ status: 200, body: { success: true, payer: payer.address, network: caip2 } })
    const { transaction, transactionHash, transaction_hash } = authorized.body
    expect(transaction).toMatch(/^0x[0-9a-f]{64}$/)
    expect([transactionHash, transaction_hash]).toEqual([transaction, transaction])
    expect(await balanceOf(rig.rpcUrl, payer.address)).toBe(before.payer - 1_000_001n)

    const state = {
      paymentInfo: paymentInfoToWire(info),
      payer: info.payer,
      network: caip2,
      extra: escrowRequirements()['extra'],
    }
    expect((await rig.post('/escrow/state', state)).body).toEqual({
      hasCollectedPayment: true,
      capturableAmount: '1000001',
      refundableAmount: '0',
      paymentInfoHash: paymentInfoHash(info, 31337, addresses.escrow),
      network: caip2,
    })

    expect(await rig.post('/settle', releaseBody(info, 600_001n))).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await balanceOf(rig.rpcUrl, worker.address)).toBe(before.worker + 600_001n - 78_000n)
    expect(await rig.post('/settle', refundBody(info, 400_000n))).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await balanceOf(rig.rpcUrl, payer.address)).toBe(before.payer - 600_001n)

    const distribute = { network: 'localnet', token: addresses.token }
    expect(await rig.post('/fees/distribute', distribute)).toMatchObject({
      status: 200,
      body: { success: true, amount: '78000', network: 'localnet' },
    })
    expect(await balanceOf(rig.rpcUrl, treasury.address)).toBe(before.treasury + 78_000n)
    expect((await rig.post('/fees/distribute', distribute)).body).toEqual({
      success: true,
      transaction: null,
      amount: '0',
      network: 'localnet',
    })
  })
})
