import {
  canonicalJson,
  eventTopic,
  keccak256Hex,
  paymentInfoToWire,
  privateKeySigner,
  ratedPaymentTypedData,
  type Hex,
} from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken, rpc } from './harness-env.ts'
import {
  eventually,
  registerAgent,
  sentByFacilitator,
  startRig,
  startRigBeside,
  type Answer,
  type Rig,
} from './harness.ts'
import {
  account,
  addresses,
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  caip2,
  exactV2,
  facilitator,
  payer,
  randomHex32,
  releaseBody,
  service,
  stranger,
  worker,
} from '../src/testing/payments.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

describe('registration', () => {
  test('mints an agent, hands it to its recipient and keeps its metadata', async () => {
    const agentUri = 'https://agents.example/one.json'
    const answer = await rig.post('/register', {
      x402Version: 1,
      network: 'localnet',
      agentUri,
      metadata: [{ key: 'kind', value: '0x726f626f74' }],
      recipient: worker.address,
    })
    expect(answer).toMatchObject({ status: 200, body: { success: true, owner: worker.address, network: 'localnet' } })
    expect(answer.body['transferTransaction']).toMatch(/^0x[0-9a-f]{64}$/)
    const id = String(answer.body['agentId'])
    expect((await rig.get(`/identity/eip155:31337/${id}`)).body).toMatchObject({
      agentId: id,
      agentUri,
      network: 'eip155:31337',
    })
    expect(String((await rig.get(`/identity/localnet/${id}`)).body['owner']).toLowerCase()).toBe(worker.address)
    expect((await rig.get(`/identity/localnet/${id}/metadata/kind`)).body).toMatchObject({ value: '0x726f626f74' })
    expect((await rig.get(`/identity/localnet/owner/${worker.address}`)).body).toMatchObject({ agentIds: [id] })
    expect((await rig.get('/identity/localnet/9999')).status).toBe(404)
  })

  test.each([
    ['a URI with NUL', { agentUri: 'https://agents.example/\0' }],
    ['a URI with half a character', { agentUri: 'https://agents.example/\ud800' }],
    ['a key with NUL', { metadata: [{ key: 'k\0', value: '0x01' }] }],
    ['a key with half a character', { metadata: [{ key: '\udfff', value: '0x01' }] }],
  ])('with %s is refused: the store keeps no such text', async (_, change) => {
    const body = { network: 'localnet', agentUri: 'https://agents.example/odd', recipient: worker.address, ...change }
    expect(await rig.post('/register', body)).toMatchObject({ status: 400, body: { errorCode: 'invalid_payload' } })
  })

  test('answers 202 with a job when asked to respond later', async () => {
    const answer = await rig.post(
      '/register',
      { x402Version: 1, network: 'localnet', agentUri: 'https://agents.example/two.json', recipient: stranger.address },
      { prefer: 'respond-async' },
    )
    expect(answer.status).toBe(202)
    const location = answer.headers.get('location') ?? ''
    const done = await eventually(
      () => rig.get(location),
      ({ body }) => body['status'] === 'done',
      'the registration',
    )
    expect(done.body).toMatchObject({ success: true, owner: stranger.address })
  })

  test('never mints twice under one key, even when asked ten times at once', async () => {
    const body = {
      x402Version: 1,
      network: 'localnet',
      agentUri: 'https://agents.example/three.json',
      recipient: account(9).address,
    }
    const before = (await rig.get('/identity/localnet/total-supply')).body['totalSupply']
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => rig.post('/register', body, { 'idempotency-key': 'register-three' })),
    )
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body: one }) => one['agentId']))
    expect(ids.size).toBe(1)
    expect((await rig.get('/identity/localnet/total-supply')).body['totalSupply']).toBe(String(Number(before) + 1))
    expect(
      (
        await rig.post(
          '/register',
          { ...body, agentUri: 'https://agents.example/other.json' },
          { 'idempotency-key': 'register-three' },
        )
      ).status,
    ).toBe(409)
  })
})

describe('a rating of work that was paid on Solana (decision 0344)', () => {
  const told = { network: 'solana', transactionHash: '5'.repeat(88), payer: payer.address, payee: worker.address }
  type Told = typeof told
  const wordOf = async (key: Hex, { transactionHash: transaction, ...sides }: Told, chainId = 31_337) => {
    const signer = privateKeySigner(key)
    const signature = await signer.signTypedData(ratedPaymentTypedData({ ...sides, transaction }, chainId))
    return { signer: signer.address.toLowerCase(), signature }
  }
  const give = (agentId: unknown, payment: unknown): Promise<Answer> =>
    rig.post('/feedback', {
      x402Version: 1,
      network: 'localnet',
      feedback: {
        ...{ agentId, value: 87, valueDecimals: 0, tag1: 'work', tag2: 'photo', endpoint: '' },
        ...{ feedbackUri: 'https://feedback.example/7.json', feedbackHash: randomHex32(), payment },
      },
    })

  test('is written by the word of whoever orders here, for a side of the payment, and once', async () => {
    const agentId = await registerAgent(rig, worker.address)
    const refused = async (code: string, payment: object, agent: unknown = agentId) => {
      expect(await give(agent, payment), code).toMatchObject({ status: 400, body: { success: false, errorCode: code } })
    }
    const word = await wordOf(service.privateKey, told)
    await refused('proof_word_of_a_stranger', { ...told, word: await wordOf(stranger.privateKey, told) })
    await refused('proof_word_not_signed', { ...told, payee: stranger.address, word })
    await refused('proof_payee_is_not_agent', { ...told, word }, 0)
    expect((await give(agentId, told)).status).toBe(400)
    expect(await give(agentId, { ...told, word })).toMatchObject({ status: 200, body: { success: true } })
    await refused('proof_replayed', { ...told, word })
  })
})

describe('feedback by the facilitator', () => {
  test('is written, summed, answered and revoked by an admin alone', async () => {
    const agentId = await registerAgent(rig, worker.address)
    const paid = (await rig.post('/settle', exactV2(aTransfer()))).body
    const payment = {
      transactionHash: paid['transaction'],
      network: 'localnet',
      payer: payer.address,
      payee: worker.address,
      token: addresses.token,
    }
    const feedback = {
      agentId,
      value: 87,
      valueDecimals: 0,
      tag1: 'work',
      tag2: 'photo',
      endpoint: '',
      feedbackUri: 'https://feedback.example/1.json',
      feedbackHash: randomHex32(),
    }
    const give = (change: object): Promise<Answer> =>
      rig.post('/feedback', { x402Version: 1, network: 'localnet', feedback: { ...feedback, ...change } })
    for (const [code, change] of [
      ['proof_missing', {}],
      ['proof_transaction_not_found', { payment: { ...payment, transactionHash: randomHex32() } }],
      ['proof_transfer_not_found', { payment: { ...payment, payer: stranger.address } }],
      ['proof_transfer_not_found', { payment: { ...payment, token: stranger.address } }],
      ['proof_network_mismatch', { payment: { ...payment, network: 'base' } }],
      ['proof_payee_is_not_agent', { payment, agentId: 0 }],
    ] as const)
      expect(await give(change), code).toMatchObject({ status: 400, body: { success: false, errorCode: code } })
    const given = await give({ payment })
    expect(await give({ payment, value: 1 })).toMatchObject({ status: 400, body: { errorCode: 'proof_replayed' } })
    expect(given).toMatchObject({ status: 200, body: { success: true, feedbackIndex: 1, network: 'localnet' } })
    expect((await rig.get(`/reputation/localnet/${agentId}?includeFeedback=true`)).body).toMatchObject({
      summary: { count: 1, summaryValue: '87', summaryValueDecimals: 0 },
      feedback: [{ feedbackIndex: 1, value: '87', tag1: 'work', tag2: 'photo', isRevoked: false }],
    })
    const response = {
      x402Version: 1,
      network: 'localnet',
      agentId,
      clientAddress: facilitator.address,
      feedbackIndex: 1,
      responseUri: 'https://feedback.example/r',
      responseHash: randomHex32(),
    }
    const respond = (change: object): Promise<Answer> => rig.post('/feedback/response', { ...response, ...change })
    const before = await sentByFacilitator(rig.rpcUrl)
    for (const [code, change] of [
      ['proof_missing', {}],
      ['proof_transaction_not_found', { payment: { ...payment, transactionHash: randomHex32() } }],
      ['proof_transfer_not_found', { payment: { ...payment, payer: stranger.address } }],
      ['proof_payee_is_not_agent', { payment, agentId: 0 }],
    ] as const)
      expect(await respond(change), code).toMatchObject({ status: 400, body: { success: false, errorCode: code } })
    expect(await sentByFacilitator(rig.rpcUrl)).toBe(before)
    expect(await respond({ payment, feedbackIndex: String(2n ** 64n) })).toMatchObject({
      status: 400,
      body: { errorCode: 'invalid_payload', error: 'feedbackIndex must be the index of a rating' },
    })
    expect(await respond({ payment, feedbackIndex: String(2n ** 64n - 1n) })).toMatchObject({
      status: 400,
      body: { errorCode: 'ContractCall' },
    })
    expect(await respond({ payment })).toMatchObject({ status: 200, body: { success: true } })
    expect(await respond({ payment, responseHash: randomHex32() })).toMatchObject({
      status: 400,
      body: { errorCode: 'proof_replayed' },
    })
    const revoke = { x402Version: 1, network: 'localnet', agentId, feedbackIndex: 1 }
    expect((await rig.post('/feedback/revoke', revoke)).status).toBe(401)
    expect(await rig.post('/feedback/revoke', revoke, { authorization: `Bearer ${adminToken}` })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await rig.get(`/reputation/localnet/${agentId}`)).body).toMatchObject({ summary: { count: 0 } })
    expect((await rig.post('/feedback/revoke', revoke, { authorization: `Bearer ${adminToken}` })).body).toMatchObject({
      success: false,
      errorCode: 'ContractCall',
    })
  })
})

/** Emits Transfer(first word, second, third) with the fourth as its amount: what anybody's token may claim. */
const worthlessCode = '0x60603560005260403560203560003560206000a300'

describe('feedback without money behind it', () => {
  let agentId: string
  beforeAll(async () => {
    agentId = await registerAgent(rig, worker.address)
  })
  const words = (...values: readonly string[]): string =>
    values.map((value) => value.slice(2).padStart(64, '0')).join('')
  const called = async (to: string, data: string) => {
    const transaction = await rpc(rig.rpcUrl, 'eth_sendTransaction', [{ from: account(9).address, to, data }])
    return eventually(
      () => rpc(rig.rpcUrl, 'eth_getTransactionReceipt', [transaction]),
      (receipt) => receipt !== null,
      'the receipt',
    ).then((receipt) => ({ transactionHash: String(transaction), blockNumber: Number((receipt as Block).blockNumber) }))
  }
  type Block = { readonly blockNumber: string }
  const parties = { payer: payer.address, payee: worker.address }
  const give = (feedback: Record<string, unknown>): Promise<Answer> =>
    rig.post('/feedback', { network: 'localnet', feedback: { agentId, value: 1, rater: payer.address, ...feedback } })
  const proofOf = (landed: object, amount: string, token: string) =>
    rehashed({ ...landed, ...parties, network: caip2, amount, token, timestamp: 0 })

  test("is refused: anybody moves nothing out of another's wallet", async () => {
    // transferFrom, by a stranger whom the payer allowed nothing
    const landed = await called(addresses.token, `0x23b872dd${words(payer.address, worker.address, '0x0')}`)
    const { transactionHash } = landed
    const refused = { status: 400, body: { success: false, errorCode: 'amount_below_minimum' } }
    expect(
      await give({ payment: { transactionHash, network: 'localnet', ...parties, token: addresses.token } }),
    ).toMatchObject(refused)
    expect(await give({ proof: proofOf(landed, '0', addresses.token) })).toMatchObject(refused)
  })

  test('is refused: a token that is not served may claim anything', async () => {
    const token = `0x${'bd'.repeat(20)}`
    await rpc(rig.rpcUrl, 'anvil_setCode', [token, worthlessCode])
    const claim = words(eventTopic('Transfer'), payer.address, worker.address, '0x1388')
    const landed = await called(token, `0x${claim}`)
    const { transactionHash } = landed
    const refused = { status: 400, body: { success: false, errorCode: 'proof_transfer_not_found' } }
    expect(await give({ payment: { transactionHash, network: 'localnet', ...parties, token } })).toMatchObject(refused)
    expect(await give({ proof: proofOf(landed, '5000', token) })).toMatchObject(refused)
  })

  test('is refused where less was paid than is taken for a payment, and written from there on', async () => {
    await using strict = await startRigBeside(rig.chain, {
      FACILITATOR_SMALLEST_PAYMENT: '0.01',
      FACILITATOR_KEY: account(8).privateKey,
    })
    const paying = async (value: bigint) => (await rig.post('/settle', exactV2(aTransfer({ value })))).body
    const giveFor = async (value: bigint): Promise<Answer> =>
      strict.post('/feedback', {
        network: 'localnet',
        feedback: {
          agentId,
          value: 1,
          payment: {
            transactionHash: (await paying(value))['transaction'],
            network: caip2,
            ...parties,
            token: addresses.token,
          },
        },
      })
    expect(await giveFor(9_999n)).toMatchObject({ status: 400, body: { errorCode: 'amount_below_minimum' } })
    expect(await giveFor(10_000n)).toMatchObject({ status: 200, body: { success: true } })
  })
})

describe('feedback about a capture', () => {
  test('is written for either side, and not for another capture or another payment', async () => {
    const [info, other] = [aPaymentInfo(), aPaymentInfo()]
    const settled: Record<string, unknown>[] = []
    for (const one of [info, other]) {
      expect((await rig.post('/settle', authorizeBody(one))).status).toBe(200)
      settled.push((await rig.post('/settle', releaseBody(one, 1_000n))).body)
    }
    const [ofPayee, ofPayer] = [await registerAgent(rig, info.receiver), await registerAgent(rig, info.payer)]
    const payment = {
      transactionHash: settled[0]?.['transaction'],
      network: caip2,
      payer: info.payer,
      payee: info.receiver,
      token: info.token,
      paymentInfo: paymentInfoToWire(info),
    }
    const give = (agentId: string, change: object = {}): Promise<Answer> =>
      rig.post('/feedback', {
        x402Version: 1,
        network: 'localnet',
        feedback: { agentId, value: 80, payment: { ...payment, ...change } },
      })
    expect((await give(ofPayee, { transactionHash: settled[1]?.['transaction'] })).body['errorCode']).toBe(
      'proof_transfer_not_found',
    )
    expect((await give(ofPayee, { payee: stranger.address })).body['errorCode']).toBe('proof_transfer_not_found')
    expect(await give(ofPayee)).toMatchObject({ status: 200, body: { success: true } })
    expect(await give(ofPayer)).toMatchObject({ status: 200, body: { success: true } })
  })
})

describe('feedback with a proof of payment', () => {
  let agentId: string
  let proof: Record<string, unknown>
  beforeAll(async () => {
    agentId = await registerAgent(rig, worker.address)
    const extra = { name: 'USD Coin', version: '2', '8004-reputation': { includeProof: true } }
    proof = (await rig.post('/settle', exactV2(aTransfer(), { requirements: { extra } }))).body[
      'proofOfPayment'
    ] as Record<string, unknown>
  })
  const give = (overrides: Record<string, unknown>): Promise<Answer> =>
    rig.post('/feedback', {
      x402Version: 1,
      network: 'localnet',
      feedback: { agentId, value: 80, tag1: 'paid', rater: payer.address, proof, ...overrides },
    })

  test.each<[string, (own: Record<string, unknown>) => Record<string, unknown>]>([
    ['rater_missing', () => ({ rater: undefined })],
    ['proof_payer_is_not_rater', () => ({ rater: stranger.address })],
    ['proof_network_mismatch', (own) => ({ proof: { ...own, network: 'eip155:1' } })],
    ['proof_payment_hash_mismatch', (own) => ({ proof: { ...own, amount: '49999' } })],
    ['proof_transaction_not_found', (own) => ({ proof: rehashed({ ...own, transactionHash: randomHex32() }) })],
    ['proof_block_number_mismatch', (own) => ({ proof: rehashed({ ...own, blockNumber: 1 }) })],
    ['proof_transfer_not_found', (own) => ({ proof: rehashed({ ...own, amount: '49999' }) })],
    ['proof_payee_is_not_agent', () => ({ agentId: 0 })],
  ])('is refused as %s', async (code, change) => {
    expect(await give(change(proof))).toMatchObject({ status: 400, body: { success: false, errorCode: code } })
  })

  test('is written once, also where the same payment is shown without a proof', async () => {
    expect(await give({})).toMatchObject({ status: 200, body: { success: true, proof } })
    expect(await give({ value: 81 })).toMatchObject({ status: 400, body: { errorCode: 'proof_replayed' } })
    const { transactionHash, network, payer: from, payee, token } = proof
    const payment = { transactionHash, network, payer: from, payee, token }
    expect(await give({ proof: undefined, payment, value: 81 })).toMatchObject({
      status: 400,
      body: { errorCode: 'proof_replayed' },
    })
  })
})

/** A forger can hash as well as anybody. */
function rehashed({ paymentHash: _, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return { ...fields, paymentHash: keccak256Hex(new TextEncoder().encode(canonicalJson(fields))) }
}
