import {
  authorizationDigest,
  checkPaymentAuth,
  hashTypedData,
  hexToBytes,
  parsePaymentAuth,
  recoverAddress,
  transferWithAuthorizationDigest,
  readTransferAuthorization,
  lifecycleOrderDigest,
  type Hex,
  type PaymentInfo,
  type Signer,
} from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { ChallengeMismatch, createClient } from '../src/index.ts'
import { recordingService, refusal } from './recording-service.ts'
import {
  deployment,
  ids,
  payer,
  rating,
  smallMarket,
  stranger,
  token,
  treasury,
  worker,
  type Lies,
  type MarketOptions,
} from './small-market.ts'

/** A client of a small market, whose wallet counts the documents it was made to sign. */
async function visit<T>(options: MarketOptions, act: (client: ReturnType<typeof createClient>) => Promise<T>) {
  await using service = await recordingService(smallMarket(options))
  const documents: unknown[] = []
  const authorizations: unknown[] = []
  const signer: Required<Signer> = {
    ...payer,
    signTypedData: (document) => {
      documents.push(document)
      return payer.signTypedData(document)
    },
    signAuthorization: (authorization) => {
      authorizations.push(authorization)
      return payer.signAuthorization(authorization)
    },
  }
  const client = createClient({ baseUrl: service.url, signer, chainId: 31337, wait: async () => undefined })
  const outcome = await act(client).then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  )
  const sent = service.arrivals.filter(({ method }) => method === 'POST')
  return { ...outcome, documents, authorizations, sent, last: sent.at(-1) }
}

const assign = (client: ReturnType<typeof createClient>) =>
  client.assignWorker({ task_id: ids.task, executor_id: ids.worker })
const approve = (client: ReturnType<typeof createClient>) =>
  client.approveSubmission({ submission_id: ids.submission, rating: 90 })
const rate = (client: ReturnType<typeof createClient>) =>
  client.rate({ task_id: ids.task, direction: 'publisher_rates_executor', score: 80 })
const now = Math.floor(Date.now() / 1_000)

describe('assigning a worker', () => {
  test('sends the authorization of exactly the agreed terms, signed by the payer', async () => {
    const { value, last } = await visit({}, assign)
    expect(value).toMatchObject({ status: 'accepted', worker_wallet: worker.address })
    const auth = parsePaymentAuth(last?.headers['x-payment-auth'])
    expect(
      checkPaymentAuth(auth, {
        chainId: 31337,
        ...deployment,
        token,
        payer: payer.address,
        receiver: worker.address,
        amount: 1_000_000n,
        feeBps: 1_300,
        now,
      }),
    ).toBeUndefined()
  })

  test('needs no signature where there is no escrow', async () => {
    const { value, last, documents } = await visit({ mode: 'fase1' }, assign)
    expect([value?.status, last?.headers['x-payment-auth'], documents.length]).toEqual(['accepted', undefined, 0])
  })

  test.each<[string, Lies]>([
    ['amount', { terms: { amount: 1_000_001n } }],
    ['receiver', { terms: { receiver: stranger.address } }],
    ['payer', { terms: { payer: stranger.address } }],
    ['network', { terms: { chainId: 8453, token: { ...token, chainId: 8453 } } }],
    ['token', { terms: { token: { ...token, verifyingContract: stranger.address } } }],
    ['operator', { terms: { operator: stranger.address } }],
    ['collector', { terms: { collector: stranger.address } }],
    ['nonce', { terms: { escrow: stranger.address } }],
    ['highest fee', { terms: { maxFeeBps: 9_000 } }],
    ['expired', { terms: { preApprovalExpiry: now - 1 } }],
    ['expiry', { terms: { authorizationExpiry: now + 400 * 86_400, refundExpiry: now + 401 * 86_400 } }],
    ['payer', { task: { agent_id: stranger.address } }],
    ['task', { task: { id: ids.worker } }],
    ['network', { task: { payment_network: 'nowhere' } }],
    ['token', { task: { payment_token: 'EURX' } }],
  ])('a challenge with another %s is not signed: %o', async (term, lies) => {
    const { error, documents, sent } = await visit({ lies }, assign)
    expect(error).toBeInstanceOf(ChallengeMismatch)
    expect([(error as ChallengeMismatch).term, documents.length, sent.length]).toEqual([term, 0, 0])
  })

  test('a document that says something else than its envelope is not signed', async () => {
    const { error, documents } = await visit({ lies: { document: { value: '9000000' } } }, assign)
    expect([error instanceof Error, documents.length]).toEqual([true, 0])
  })

  test.each([
    { bounty_usd: 2 },
    { worker_wallet: stranger.address },
    { payment_network: 'base' },
    { payment_token: 'EURC' },
  ])('what the caller knows better overrules the service: %o', async (pins) => {
    const { error, documents } = await visit({}, (client) =>
      client.assignWorker({ task_id: ids.task, executor_id: ids.worker, ...pins }),
    )
    expect([error instanceof ChallengeMismatch, documents.length]).toEqual([true, 0])
  })

  test('a lock in flight is awaited and never sent again', async () => {
    const { value, sent } = await visit(
      {
        polls: [
          { status: 'assigning' },
          { status: 'assigning' },
          { status: 'accepted', executor_id: ids.worker, escrow_tx: `0x${'cd'.repeat(32)}` },
        ],
      },
      assign,
    )
    expect(value).toMatchObject({ status: 'accepted', escrow_tx: `0x${'cd'.repeat(32)}` })
    expect(sent).toHaveLength(1)
  })

  test('a lock that failed after all is an error with the reason of the payment log', async () => {
    const { error } = await visit(
      { polls: [{ status: 'assigning' }, { status: 'published' }], failedNote: 'INSUFFICIENT_FUNDS' },
      assign,
    )
    expect(error).toMatchObject({ code: 'INSUFFICIENT_FUNDS', status: 402 })
  })
})

describe('approving a submission', () => {
  test('sends a release order that the payer signed for exactly this escrow', async () => {
    const { value, last, documents } = await visit({}, approve)
    expect(value?.status).toBe('approved')
    const { rating: score, lifecycle_order: order } = JSON.parse(last?.body ?? '{}')
    expect(score).toBe(90)
    const digest = hashTypedData(documents[0] as Parameters<typeof hashTypedData>[0])
    expect(recoverAddress(digest, hexToBytes(order.signature))).toBe(payer.address)
    const info = (documents[0] as { message: { paymentInfo: Record<string, unknown> } }).message.paymentInfo
    const paymentInfo = { ...info, maxAmount: 1_000_000n, salt: 2n ** 255n + 9n } as unknown as PaymentInfo
    expect(digest).toEqual(
      lifecycleOrderDigest(
        { action: 'release', amount: 1_000_000n, deadline: order.deadline, nonce: order.nonce as Hex, paymentInfo },
        31337,
      ),
    )
  })

  test('in fase1 sends payout and fee, each signed', async () => {
    const { value, last } = await visit({ mode: 'fase1' }, approve)
    expect(value?.status).toBe('approved')
    const body = JSON.parse(last?.body ?? '{}')
    const paid = ['settlement_auth_worker', 'settlement_auth_fee'].map((field) => {
      const { payload } = JSON.parse(body[field])
      const authorization = readTransferAuthorization(payload.authorization, 'authorization')
      return {
        to: authorization.to,
        value: authorization.value,
        by: recoverAddress(transferWithAuthorizationDigest(token, authorization), hexToBytes(payload.signature)),
      }
    })
    expect(paid).toEqual([
      { to: worker.address, value: 870_000n, by: payer.address },
      { to: treasury, value: 130_000n, by: payer.address },
    ])
  })

  test.each<[string, MarketOptions]>([
    ['payee', { lies: { info: { receiver: stranger.address } } }],
    ['payer', { lies: { info: { payer: stranger.address } } }],
    ['token', { lies: { info: { token: stranger.address } } }],
    ['operator', { lies: { info: { operator: stranger.address } } }],
    ['amount', { lies: { info: { maxAmount: 2_000_000n } } }],
    ['amount', { lies: { order: { amount: 2_000_000n } } }],
    ['amount', { lies: { order: { amount: 0n } } }],
    ['action', { lies: { order: { action: 'refundInEscrow' } } }],
    ['expiry', { lies: { order: { deadline: now + 5_000 } } }],
    ['expiry', { lies: { order: { deadline: now - 5 } } }],
    ['payee', { mode: 'fase1', lies: { payout: { to: stranger.address } } }],
    ['amount', { mode: 'fase1', lies: { payout: { value: 1_000_000n } } }],
    ['payer', { mode: 'fase1', lies: { payout: { from: stranger.address } } }],
    ['expiry', { mode: 'fase1', lies: { payout: { validBefore: BigInt(now + 90_000) } } }],
    ['document', { mode: 'fase1', lies: { task: { escrow_status: 'authorized' } } }],
  ])('a challenge with another %s is not signed: %o', async (term, options) => {
    const { error, documents, sent } = await visit(options, approve)
    expect(error).toBeInstanceOf(ChallengeMismatch)
    expect([(error as ChallengeMismatch).term, documents.length, sent.length]).toEqual([term, 0, 0])
  })

  test('a treasury the caller knows is the only one that is paid', async () => {
    const { error } = await visit({ mode: 'fase1' }, (client) =>
      client.approveSubmission({ submission_id: ids.submission, treasury_wallet: stranger.address }),
    )
    expect(error).toMatchObject({ term: 'payee' })
  })

  test('a payment in flight is awaited and never sent again', async () => {
    const { value, sent } = await visit({ polls: [{ status: 'pending_review' }, { status: 'approved' }] }, approve)
    expect(value).toMatchObject({ status: 'approved', fee_tx: `0x${'ab'.repeat(32)}` })
    expect(sent).toHaveLength(1)
  })

  test.each(['fase1', 'fase2'] as const)('what another window began to pay in %s is awaited unsigned', async (mode) => {
    const market = smallMarket({ mode })
    let isAsked = false
    await using service = await recordingService((arrival) => {
      if (arrival.target.endsWith('/approve/challenge')) {
        isAsked = true
        return refusal(409, 'APPROVAL_IN_FLIGHT', false)
      }
      const { body } = market(arrival)
      if (arrival.target.endsWith('/config')) return { body: { payment_mode: mode } }
      return isAsked && arrival.target.endsWith(ids.submission)
        ? { body: { ...Object(body), status: 'approved' } }
        : { body }
    })
    const signTypedData = () => Promise.reject(new Error('signed'))
    const signer = { ...payer, signTypedData }
    const client = createClient({ baseUrl: service.url, signer, chainId: 31337, wait: async () => undefined })
    expect(await approve(client)).toMatchObject({ status: 'approved', payment_mode: mode })
  })

  test('a payment that failed after all is an error with the reason of the payment log', async () => {
    const { error } = await visit({ polls: [{ status: 'pending_review' }], failedNote: 'CHAIN_UNAVAILABLE' }, approve)
    expect(error).toMatchObject({ code: 'CHAIN_UNAVAILABLE', status: 503 })
  })

  test.each([99, 100, 250])('the same of a task whose log has %i steps from before', async (stepsBefore) => {
    const polls = [{ status: 'pending_review' }]
    const { error } = await visit({ polls, failedNote: 'CHAIN_UNAVAILABLE', stepsBefore }, approve)
    expect(error).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })
})

describe('rating the other party', () => {
  test('a first rating carries the delegation of the account, and both are signed by the rater', async () => {
    const { last, documents } = await visit({}, rate)
    const { signature, authorization } = JSON.parse(last?.body ?? '{}')
    expect(
      recoverAddress(hashTypedData(documents[0] as Parameters<typeof hashTypedData>[0]), hexToBytes(signature)),
    ).toBe(payer.address)
    expect(authorization).toMatchObject({ chainId: 31337, address: rating.delegate, nonce: 0 })
    const bytes = new Uint8Array([
      ...hexToBytes(authorization.r),
      ...hexToBytes(authorization.s),
      27 + Number(authorization.yParity),
    ])
    expect(recoverAddress(authorizationDigest({ chainId: 31337, address: rating.delegate, nonce: 0 }), bytes)).toBe(
      payer.address,
    )
  })

  test('an account that has delegated signs the rating alone', async () => {
    const { last, authorizations } = await visit({ delegated: true }, rate)
    expect([JSON.parse(last?.body ?? '{}').authorization, authorizations.length]).toEqual([undefined, 0])
  })

  test.each<[string, Lies]>([
    ['score', { prepared: { score: 100 } }],
    ['document', { rating: { value: 100n } }],
    ['document', { rating: { registry: stranger.address } }],
    ['rating delegate', { prepared: { delegate: stranger.address } }],
    ['rater', { prepared: { rater_wallet: stranger.address } }],
    ['direction', { prepared: { direction: 'executor_rates_publisher' } }],
    ['chain', { prepared: { chain_id: 8453 } }],
    ['network', { prepared: { network: 'nowhere' } }],
    ['digest', { prepared: { digest: `0x${'00'.repeat(32)}` } }],
    ['expiry', { rating: { deadline: now + 90_000 } }],
  ])('a document with another %s is not signed: %o', async (term, lies) => {
    const { error, documents, authorizations, sent } = await visit({ lies }, rate)
    expect(error).toBeInstanceOf(ChallengeMismatch)
    expect([(error as ChallengeMismatch).term, documents.length, authorizations.length, sent.length]).toEqual([
      term,
      0,
      0,
      1,
    ])
  })
})

describe('uploading evidence', () => {
  test('the bytes are put where the link says, unsigned and with its headers', async () => {
    const service = await recordingService(({ method }) =>
      method === 'PUT'
        ? {}
        : {
            body: {
              upload_url: `${service.url}/files/1?token=t`,
              method: 'PUT',
              headers: { 'x-token': 't' },
              public_url: 'http://files/1',
              key: 'k',
              content_type: 'image/jpeg',
              max_bytes: 4,
              expires_in: 60,
            },
          },
    )
    await using _ = service
    const client = createClient({ baseUrl: service.url, signer: worker, chainId: 31337 })
    const uploaded = await client.uploadEvidence({
      task_id: ids.task,
      content_type: 'image/jpeg',
      bytes: new Uint8Array([65, 66, 67]),
    })
    expect(uploaded).toEqual({ public_url: 'http://files/1', key: 'k', content_type: 'image/jpeg' })
    expect(service.arrivals[1]).toMatchObject({
      method: 'PUT',
      target: '/files/1?token=t',
      body: 'ABC',
      headers: { 'x-token': 't', 'content-type': 'image/jpeg' },
    })
    await expect(client.uploadEvidence({ task_id: ids.task, bytes: new Uint8Array(5) })).rejects.toThrow(RangeError)
    expect(service.arrivals.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })
})
