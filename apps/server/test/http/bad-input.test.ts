import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashTypedData, signDigest, hexToBytes, bytesToHex, type TypedData } from '@ergon/protocols'
import {
  applied,
  approveChallenge,
  approveFields,
  assign,
  aTask,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
} from './live-market.ts'

let market: LiveMarket
beforeAll(async () => {
  market = await startLiveMarket()
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

describe('publishing', () => {
  test.each([
    [
      { bounty_usd: 0.009 },
      422,
      'INVALID_BOUNTY',
      { field: 'bounty_usd', constraint: 'minimum', min: 0.01, received: 0.009 },
    ],
    [
      { bounty_usd: 100.01 },
      422,
      'INVALID_BOUNTY',
      { field: 'bounty_usd', constraint: 'maximum', max: 100, received: 100.01 },
    ],
    [{ bounty_usd: 10_001 }, 422, 'INVALID_BOUNTY', { field: 'bounty_usd', received: 10_001 }],
    [
      { bounty_usd: 1.0000001 },
      422,
      'INVALID_BOUNTY',
      { field: 'bounty_usd', constraint: 'decimals', min: 0.01, received: 1.0000001 },
    ],
    [{ tip: 1 }, 422, 'UNKNOWN_FIELD', { fields: ['tip'] }],
    [{ title: 'Hey' }, 422, 'VALIDATION_FAILED', { field: 'title', min: 5, received: 'Hey' }],
    [{ category: 'nonsense' }, 422, 'VALIDATION_FAILED', { field: 'category', received: 'nonsense' }],
    [{ evidence_required: [] }, 422, 'VALIDATION_FAILED', { field: 'evidence_required', min: 1 }],
    [
      { evidence_required: ['photo', 'photo'] },
      422,
      'VALIDATION_FAILED',
      { field: 'evidence_required', constraint: 'items must differ' },
    ],
    [{ network: 'base' }, 422, 'NETWORK_NOT_ACCEPTED', { network: 'base' }],
    [{ network: 'localnet', payment_network: 'base' }, 422, 'VALIDATION_FAILED', { field: 'payment_network' }],
    [{ payment_token: 'EURC' }, 422, 'TOKEN_NOT_ACCEPTED', { token: 'EURC' }],
    [{ payment_streaming: { rail: 'solana_channel', price_per_unit: '0.1', cap_usd: '1' } }, 501, 'NOT_WIRED', {}],
  ] as const)('%j is %i %s', async (change, status, code, details) => {
    const publisher = await market.party(0n)
    const reply = await publisher.call('POST', '/api/v1/tasks', aTask(change))
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect(reply.body.details ?? {}).toMatchObject(details)
    expect((await publisher.call('GET', `/api/v1/tasks?publisher=${publisher.wallet}`)).body['total']).toBe(0)
  })

  test('a repeated idempotency key answers the first task, and refuses another body', async () => {
    const publisher = await market.party(0n)
    const headers = { 'x-idempotency-key': 'once' }
    const first = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask(), headers), 201)
    const again = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask(), headers), 201)
    expect([again.body['id'], again.headers['idempotent-replayed']]).toEqual([first.body['id'], 'true'])
    const other = await publisher.call('POST', '/api/v1/tasks', aTask({ bounty_usd: 2 }), headers)
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })
})

describe('applying and assigning', () => {
  test('nobody works for themselves', async () => {
    const publisher = await market.party(0n)
    const task = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201)
    const reply = await publisher.call('POST', `/api/v1/tasks/${String(task.body['id'])}/apply`, {})
    expect([reply.status, reply.body.code]).toEqual([409, 'SELF_PAYMENT_BLOCKED'])
  })

  test('a payment for another worker, amount, operator or network is refused and locks nothing', async () => {
    const [publisher, worker, other] = [await market.party(5n), await market.party(0n), await market.party(0n)]
    const job = await applied(publisher, worker)
    const auth = await paymentAuth(publisher, job)
    const envelope = JSON.parse(auth) as {
      payload: { paymentInfo: Record<string, string> }
      paymentInfo?: Record<string, string>
    } // the challenge's own envelope
    const change = (from: string | undefined, to: string): string =>
      auth.replaceAll(new RegExp(from ?? 'nothing', 'gi'), to)
    const info = envelope.payload.paymentInfo
    const cases = [
      [change(worker.wallet, other.wallet), 'FORBIDDEN_RECEIVER'],
      [change('1070000', '1060000'), 'AMOUNT_MISMATCH'],
      [change(info['operator'], other.wallet), 'OPERATOR_MISMATCH'],
      [change('eip155:31337', 'eip155:8453'), 'NETWORK_MISMATCH'],
      [
        auth
          .replace(/("signature":"0x.{20})./, (_all, head: string) => `${head}0`)
          .replace(/("signature":"0x.{30})./, (_all, head: string) => `${head}1`),
        'INVALID_SIGNATURE',
      ],
      ['{"x402Version":1}', 'INVALID_PAYMENT_AUTH'],
    ] as const
    for (const [raw, code] of cases) {
      const reply = await assign(publisher, job, raw)
      expect([code, reply.body.code]).toEqual([code, code])
      // Each 402 says what is asked for (spec §7).
      if (reply.status === 402)
        expect([code, reply.body.details]).toEqual([
          code,
          expect.objectContaining({ network: 'localnet', required_usdc: 1.07 }),
        ])
    }
    const unsigned = await publisher.call('POST', `/api/v1/tasks/${job.taskId}/assign`, { executor_id: job.executorId })
    expect([unsigned.status, unsigned.body.code]).toEqual([402, 'escrow_signature_required'])
    expect(await market.balance(publisher.wallet)).toBe(5_000_000n)
    expectStatus(await assign(publisher, job, auth), 200)
  })

  test('an empty wallet is told how much is missing', async () => {
    const [publisher, worker] = [await market.party(0n), await market.party(0n)]
    const job = await applied(publisher, worker)
    const reply = await assign(publisher, job, await paymentAuth(publisher, job))
    expect([reply.status, reply.body.code]).toEqual([402, 'INSUFFICIENT_FUNDS'])
    expect(reply.body.detail).toMatchObject({ retryable: true, network: 'localnet', required_usdc: expect.anything() })
    expect((await market.get(`/api/v1/tasks/${job.taskId}`)).body['status']).toBe('published')
  })

  test('ten assigns at once lock once', async () => {
    const [publisher, worker] = [await market.party(50n), await market.party(0n)]
    const job = await applied(publisher, worker)
    const auth = await paymentAuth(publisher, job)
    const replies = await Promise.all(Array.from({ length: 10 }, () => assign(publisher, job, auth)))
    expect(replies.filter((reply) => reply.status === 200).length).toBe(1)
    expect(replies.filter((reply) => reply.status !== 200).every((reply) => reply.status === 409)).toBe(true)
    expect(await market.balance(publisher.wallet)).toBe(48_930_000n)
  })
})

describe('approving', () => {
  test('ten approvals at once pay once; strangers and a second approval pay nothing', async () => {
    const [publisher, worker, stranger] = [await market.party(5n), await market.party(0n), await market.party(0n)]
    const job = await applied(publisher, worker)
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    const submissionId = await submit(worker, job.taskId)
    const target = `/api/v1/submissions/${submissionId}/approve`
    const bare = await publisher.call('POST', target, {})
    expect([bare.status, bare.body.code]).toEqual([409, 'LIFECYCLE_ORDER_REQUIRED'])
    const fields = await approveFields(publisher, submissionId)
    expect((await stranger.call('POST', target, fields)).body.code).toBe('FORBIDDEN')
    const replies = await Promise.all(Array.from({ length: 10 }, () => publisher.call('POST', target, fields)))
    expect(replies.filter((reply) => reply.status === 200).length).toBe(1)
    expect(replies.filter((reply) => reply.status !== 200).every((reply) => reply.status === 409)).toBe(true)
    expect(await market.balance(worker.wallet)).toBe(930_900n)
    const again = await publisher.call('POST', target, fields)
    expect([again.status, again.body.detail]).toEqual([
      409,
      expect.objectContaining({ code: 'ESCROW_NOT_RELEASABLE', escrow_status: 'released' }),
    ])
  })

  test("a release approval is the payer's, for this submission, and used once", async () => {
    const [publisher, worker, stranger] = [await market.party(5n), await market.party(0n), await market.party(0n)]
    const job = await applied(publisher, worker)
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    const submissionId = await submit(worker, job.taskId)
    const fields = await approveFields(publisher, submissionId)
    const document = (await approveChallenge(publisher, submissionId)).release_approval.typed_data
    const approve = (approval: string) =>
      publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields, { 'x-svc-approval': approval })
    const far = {
      ...document,
      message: { ...document.message, deadline: String(Math.floor(Date.now() / 1000) + 5_000) },
    }
    for (const bad of ['nonsense', '{}', approvalOf(stranger.key, document), approvalOf(publisher.key, far)]) {
      const reply = await approve(bad)
      expect([reply.status, reply.body.code]).toEqual([409, 'APPROVAL_INVALID'])
    }
    expectStatus(await approve(approvalOf(publisher.key, document)), 200)
    expect(await market.balance(worker.wallet)).toBe(930_900n)
  })

  test('while the chain is down an approval moves nothing, and pays once when it is back', async () => {
    const [publisher, worker] = [await market.party(5n), await market.party(0n)]
    const job = await applied(publisher, worker)
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    const submissionId = await submit(worker, job.taskId)
    const fields = await approveFields(publisher, submissionId)
    await market.rig.facilitatorLine.close()
    const refused = await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields)
    expect([refused.status, refused.body.detail?.['retryable']]).toEqual([502, true])
    expect(await market.balance(worker.wallet)).toBe(0n)
    await market.rig.facilitatorLine.open()
    expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields), 200)
    expect(await market.balance(worker.wallet)).toBe(930_900n)
  })
})

function approvalOf(key: `0x${string}`, document: TypedData): string {
  const signature = bytesToHex(signDigest(hashTypedData(document), hexToBytes(key)))
  return JSON.stringify({ deadline: Number(document.message['deadline']), nonce: document.message['nonce'], signature })
}
