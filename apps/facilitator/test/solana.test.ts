import { HTTPFacilitatorClient } from '@x402/core/http'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from './harness.ts'
import {
  anExact,
  aSplit,
  devnet,
  exactBody,
  feePayer,
  payer,
  requirementsOf,
  seller,
  startSolanaFacilitator,
  startSolanaWorld,
  tokensOf,
  treasury,
  worker,
  type SolanaWorld,
} from './solana-rig.ts'

let world: SolanaWorld
let rig: AsyncDisposable & Client
beforeAll(async () => {
  world = await startSolanaWorld()
  rig = await startSolanaFacilitator(world)
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

test('the service lists Solana, with the key that pays its fees', async () => {
  const { body } = await rig.get('/supported')
  const extra = { feePayer: feePayer.address, tokens: [{ token: 'USDC', address: world.solana.mint, decimals: 6 }] }
  expect(body['kinds']).toEqual([
    { x402Version: 1, scheme: 'exact', network: 'solana', extra },
    { x402Version: 2, scheme: 'exact', network: devnet.caip2, extra },
    { x402Version: 2, scheme: 'split', network: devnet.caip2, extra },
  ])
  expect(body['signers']).toMatchObject({ 'solana:*': [feePayer.address] })
  expect((await rig.get('/health')).body).toMatchObject({
    status: 'healthy',
    solana: { network: 'solana', account: feePayer.address, out_of_sol: false, nodes: { all: 1, answering: 1 } },
  })
})

test('a public client pays through it, by what the service itself lists', async () => {
  const facilitator = new HTTPFacilitatorClient({ url: rig.url })
  const { kinds } = await facilitator.getSupported()
  const kind = kinds.find(({ network, scheme }) => network === devnet.caip2 && scheme === 'exact')
  const signer = await createKeyPairSignerFromPrivateKeyBytes(payer.seed)
  const accepted = { ...requirementsOf(world), extra: { feePayer: kind?.extra?.['feePayer'] } }
  const scheme = new ExactSvmScheme(signer, { rpcUrl: world.proxy.url })
  // The client's own types brand what ours writes as plain text.
  const { payload } = await scheme.createPaymentPayload(2, accepted as never)
  const paid = { x402Version: 2, accepted, payload } as never
  const before = (await tokensOf(world, seller.address)) ?? 0n
  expect(await facilitator.verify(paid, accepted as never)).toMatchObject({ isValid: true, payer: payer.address })
  const settled = await facilitator.settle(paid, accepted as never)
  expect(settled).toMatchObject({ success: true, payer: payer.address, network: devnet.caip2 })
  expect(await tokensOf(world, seller.address)).toBe(before + 250_000n)
  expect(await world.solana.ledger.status(settled.transaction)).toMatchObject({ error: null })
})

test('the direct rail pays 87 and 13 in one transaction, and costs the payer no lamport', async () => {
  const body = await aSplit(world)
  expect((await rig.post('/verify', body)).body).toEqual({ isValid: true, payer: payer.address })
  expect(await tokensOf(world, worker.address)).toBeUndefined()
  const settled = await rig.post('/settle', body)
  expect(settled).toMatchObject({ status: 200, body: { success: true, payer: payer.address } })
  expect([await tokensOf(world, worker.address), await tokensOf(world, treasury.address)]).toEqual([
    8_700_000n,
    1_300_000n,
  ])
  expect(await world.solana.ledger.account(payer.address)).toBeNull()
})

test('a payment counts once: afterwards it is refused with the transaction that made it', async () => {
  const body = await anExact(world)
  const settled = await rig.post('/settle', body)
  expect(settled.body['success']).toBe(true)
  expect(await rig.post('/settle', body)).toMatchObject({
    status: 400,
    body: {
      success: false,
      errorReason: 'duplicate_settlement',
      errorCode: 'nonce_already_used',
      transaction: settled.body['transaction'],
    },
  })
  expect((await rig.post('/verify', body)).body).toMatchObject({
    isValid: false,
    invalidReason: 'duplicate_settlement',
  })
})

test('under one key the answer stays the same, and the key is for no other body', async () => {
  const body = await anExact(world)
  const headers = { 'idempotency-key': 'solana-order-1' }
  const first = await rig.post('/settle', body, headers)
  expect(first.body['success']).toBe(true)
  expect((await rig.post('/settle', body, headers)).body).toEqual(first.body)
  expect(await rig.post('/settle', await anExact(world), headers)).toMatchObject({
    status: 409,
    body: { errorCode: 'idempotency_key_conflict' },
  })
})

test('a refusal under a key is its last word', async () => {
  const headers = { 'idempotency-key': 'solana-order-2' }
  const body = exactBody(world, 'AAAA')
  const first = await rig.post('/settle', body, headers)
  expect(first).toMatchObject({
    status: 400,
    body: { errorReason: 'invalid_exact_svm_payload_transaction_could_not_be_decoded', final: true },
  })
  expect((await rig.post('/settle', body, headers)).body).toEqual(first.body)
})

test('twenty identical calls at once move the money once, and all hear the same', async () => {
  const body = await anExact(world)
  const before = (await tokensOf(world, seller.address)) ?? 0n
  const answers = await Promise.all(Array.from({ length: 20 }, () => rig.post('/settle', body)))
  expect(new Set(answers.map((one) => JSON.stringify(one.body))).size).toBe(1)
  expect(answers[0]?.body['success']).toBe(true)
  expect(await tokensOf(world, seller.address)).toBe(before + 250_000n)
})

test('of many different bodies with one transaction at once, one is paid and the others are told so', async () => {
  const body = await anExact(world)
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => rig.post('/settle', { ...body, note: at })))
  expect(answers.filter((one) => one.body['success'] === true)).toHaveLength(1)
  expect(answers.filter((one) => one.body['errorReason'] === 'duplicate_settlement')).toHaveLength(7)
})
