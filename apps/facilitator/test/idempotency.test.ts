import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balanceOf, sentByFacilitator, startRig, type Rig } from './harness.ts'
import { aPaymentInfo, aTransfer, authorizeBody, exactV2, payer, releaseBody, worker } from '../src/testing/payments.ts'

type Payload = { readonly authorization: object }

describe('Idempotency-Key', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
  })

  test('answers the same request the same way, and sends one transaction', async () => {
    const body = authorizeBody(aPaymentInfo())
    const before = await sentByFacilitator(rig.rpcUrl)
    const first = await rig.post('/settle', body, { 'idempotency-key': 'one' })
    const second = await rig.post('/settle', body, { 'idempotency-key': 'one' })
    expect(first.status).toBe(200)
    expect(second).toMatchObject({ status: 200, body: first.body })
    expect(await sentByFacilitator(rig.rpcUrl)).toBe(before + 1)
  })

  test('identical calls at the same time get one answer, with a key and without', async () => {
    for (const headers of [{}, { 'idempotency-key': 'at-once' }]) {
      const body = exactV2(aTransfer({ value: 1_000n }))
      const sent = await sentByFacilitator(rig.rpcUrl)
      const answers = await Promise.all(Array.from({ length: 8 }, () => rig.post('/settle', body, headers)))
      expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200))
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
      expect(await sentByFacilitator(rig.rpcUrl)).toBe(sent + 1)
    }
  })

  test('addresses have one case, however they were written', async () => {
    const { paymentPayload, ...body } = exactV2(aTransfer({ value: 1_000n })) as {
      paymentPayload: { payload: Payload }
    }
    const { payload } = paymentPayload
    const from = `0x${payer.address.slice(2).toUpperCase()}`
    const shouted = {
      ...body,
      paymentPayload: { ...paymentPayload, payload: { ...payload, authorization: { ...payload.authorization, from } } },
    }
    expect((await rig.post('/verify', shouted)).body).toMatchObject({ isValid: true, payer: payer.address })
    expect((await rig.post('/settle', shouted)).body).toMatchObject({ success: true, payer: payer.address })
  })

  test('refuses another body under the same key with 409', async () => {
    await rig.post('/settle', authorizeBody(aPaymentInfo()), { 'idempotency-key': 'two' })
    expect(await rig.post('/settle', authorizeBody(aPaymentInfo()), { 'idempotency-key': 'two' })).toMatchObject({
      status: 409,
      body: { error: 'idempotency_key_conflict' },
    })
    expect(await rig.post('/settle', exactV2(aTransfer()), { 'idempotency-key': 'two' })).toMatchObject({
      status: 409,
      body: { error: 'idempotency_key_conflict' },
    })
  })

  test('a refused key stays refused for every later copy', async () => {
    const info = aPaymentInfo()
    const key = { 'idempotency-key': 'three' }
    const body = releaseBody(info, 1_000n)
    const sent = await sentByFacilitator(rig.rpcUrl)
    const refused = await rig.post('/settle', body, key)
    expect(refused).toMatchObject({ status: 400, body: { success: false, errorCode: 'ContractCall', final: true } })
    // What the refusal was for is mended, and the copy that was under way is still not carried out.
    await rig.post('/settle', authorizeBody(info))
    expect(await rig.post('/settle', body, key)).toMatchObject({ status: 400, body: refused.body })
    expect((await rig.post('/settle', releaseBody(info, 1_000n), key)).status).toBe(409)
    expect(await sentByFacilitator(rig.rpcUrl)).toBe(sent + 1)
    expect(await rig.post('/settle', body)).toMatchObject({ status: 200, body: { success: true } })
  })

  test('is not bound by a body that cannot be read', async () => {
    const key = { 'idempotency-key': 'three-and-a-half' }
    expect(await rig.post('/settle', { ...exactV2(aTransfer()), x402Version: 3 }, key)).toMatchObject({
      status: 400,
      body: { final: false },
    })
    expect(await rig.post('/settle', exactV2(aTransfer()), key)).toMatchObject({ status: 200, body: { success: true } })
  })

  test('joins ten requests in flight to one settlement', async () => {
    const body = exactV2(aTransfer({ value: 70_000n }))
    const before = await balanceOf(rig.rpcUrl, worker.address)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => rig.post('/settle', body, { 'idempotency-key': 'four' })),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(new Set(answers.map((answer) => answer.body['transaction'])).size).toBe(1)
    expect(await balanceOf(rig.rpcUrl, worker.address)).toBe(before + 70_000n)
  })

  test.each(['', 'x'.repeat(201), 'a b'])('of the shape %j is refused', async (key) => {
    expect((await rig.post('/settle', exactV2(aTransfer()), { 'idempotency-key': key })).status).toBe(400)
  })

  test('is not needed: ten identical authorizes lock the money once', async () => {
    const info = aPaymentInfo()
    const before = await balanceOf(rig.rpcUrl, payer.address)
    const answers = await Promise.all(Array.from({ length: 10 }, () => rig.post('/settle', authorizeBody(info))))
    expect(new Set(answers.map((answer) => answer.body['transaction'])).size).toBe(1)
    expect(answers.some((answer) => answer.status === 200)).toBe(true)
    expect(await balanceOf(rig.rpcUrl, payer.address)).toBe(before - info.maxAmount)
  })

  test('partial releases of one payment in flight together all land, and never more than was held', async () => {
    const info = aPaymentInfo()
    await rig.post('/settle', authorizeBody(info))
    const before = await balanceOf(rig.rpcUrl, worker.address)
    const answers = await Promise.all(Array.from({ length: 6 }, () => rig.post('/settle', releaseBody(info, 200_000n))))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 200, 400])
    expect(await balanceOf(rig.rpcUrl, worker.address)).toBe(before + 870_000n)
  })
})
