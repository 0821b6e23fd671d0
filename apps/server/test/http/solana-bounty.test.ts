import { addSignature, associatedTokenAccount, decodeTransaction, encodeTransaction } from '@ergon/channels'
import { startSolana, type Solana } from '@ergon/dev-env'
import { ed25519KeyOf, signEd25519, toBase58, utf8 } from '@ergon/protocols'
import { localKeys, localProgramHash, readTokenAccount } from '@ergon/solana-ledger'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payoutText } from '../../src/api/payout-proof.ts'
import { startRig, type Rig } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { expectShape } from './live-admin.ts'
import { acceptFields, offered } from './live-offers.ts'
import {
  applied,
  eventually,
  expectStatus,
  startLiveMarket,
  submit,
  type Applied,
  type LiveMarket,
  type Party,
} from './live-market.ts'

type Key = { readonly seed: Uint8Array; readonly address: string }
let lastKey = 90
const aKey = (): Key => {
  const seed = new Uint8Array(32).fill((lastKey += 1))
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}

let solana: Solana
let rig: Rig
let market: LiveMarket
beforeAll(async () => {
  solana = await startSolana()
  const cluster = { RPC_SOLANA: solana.rpcUrl, SOLANA_GENESIS: solana.genesisHash, SOLANA_MINT: solana.mint }
  const named = (prefix: string): Record<string, string> =>
    Object.fromEntries(Object.entries(cluster).map(([name, value]) => [`${prefix}_${name}`, value]))
  rig = await startRig({
    ...named('FACILITATOR'),
    FACILITATOR_NETWORKS: 'localnet,solana',
    FACILITATOR_SOLANA_KEY: toBase58(localKeys.feePayer.seed),
  })
  const hex = (seed: Uint8Array): string => Buffer.from(seed).toString('hex')
  market = await startLiveMarket(
    {
      ...named('SVC'),
      SVC_SOLANA_BOUNTIES: 'on',
      SVC_SOLANA_PROGRAM_HASH: localProgramHash(),
      SVC_SOLANA_OPERATOR_KEY: hex(localKeys.operator.seed),
      SVC_SOLANA_VOUCHER_KEY: hex(localKeys.voucher.seed),
    },
    rig,
  )
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
  await solana.stop()
})

async function tokensOf(owner: string): Promise<bigint> {
  const account = await solana.ledger.account(associatedTokenAccount(owner, solana.mint))
  return account === null ? 0n : (readTokenAccount(account.data)?.amount ?? 0n)
}

async function bind(worker: Party, executorId: string, key: Key): Promise<void> {
  const { address } = key
  const issuedAt = new Date().toISOString()
  const message = payoutText({
    service: authority,
    wallet: worker.wallet.toLowerCase(),
    executorId,
    address,
    issuedAt,
  })
  const signature = toBase58(signEd25519(utf8(message), key.seed))
  const body = { solana_payout_address: address, message, signature }
  expectStatus(await worker.call('PATCH', '/api/v1/account/solana-payout-address', body), 200)
}

const onSolana = { payment_network: 'solana', bounty_usd: 10 }
const assignTo = (publisher: Party, { taskId, executorId }: Applied) =>
  publisher.call('POST', `/api/v1/tasks/${taskId}/assign`, { executor_id: executorId })

type Job = {
  readonly publisher: Party
  readonly party: Party
  readonly payer: Key
  readonly worker: Key
  readonly taskId: string
  readonly submissionId: string
}

/** A job on Solana whose evidence waits for its publisher, who has this much there. */
async function aJob(tokens = 50_000_000n): Promise<Job> {
  const [publisher, party] = [await market.party(0n), await market.party(0n)]
  const [payer, worker] = [aKey(), aKey()]
  await solana.fund(payer.address, { tokens })
  const job = await applied(publisher, party, onSolana)
  await bind(party, job.executorId, worker)
  expectStatus(await assignTo(publisher, job), 200)
  return { publisher, party, payer, worker, taskId: job.taskId, submissionId: await submit(party, job.taskId) }
}

type Envelope = { readonly paymentPayload: { readonly payload: { readonly transaction: string } } }

/** What the challenge hands out for a payer, and that payer's signature in its place. */
async function signed({ publisher, submissionId }: Pick<Job, 'publisher' | 'submissionId'>, payer: Key) {
  const path = `/api/v1/submissions/${submissionId}/approve/challenge?payer=${payer.address}`
  const { body } = expectStatus(await publisher.call('GET', path), 200)
  const { envelope } = body['settlement_transaction'] as { readonly envelope: Envelope } // the contract's output
  const wire = new Uint8Array(Buffer.from(envelope.paymentPayload.payload.transaction, 'base64'))
  const unsigned = decodeTransaction(wire)
  const whole = addSignature(unsigned, payer.address, signEd25519(unsigned.messageBytes, payer.seed))
  const transaction = Buffer.from(encodeTransaction(whole)).toString('base64')
  return {
    unsigned: JSON.stringify(envelope),
    signed: JSON.stringify({ ...envelope, paymentPayload: { x402Version: 2, payload: { transaction } } }),
  }
}

const approve = ({ publisher, submissionId }: Job, auth: string) =>
  publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, { settlement_auth_worker: auth })

describe('a bounty on Solana', () => {
  test('is published, assigned, approved and paid 87 to 13 in one transaction; books and ledger agree', async () => {
    const fees = await tokensOf(localKeys.operator.address)
    const job = await aJob()
    // Whoever reads what is accepted finds it there, without escrow.
    const { networks } = (await market.get('/api/v1/payments/networks')).body
    expect(networks).toMatchObject([{ name: 'localnet' }, { name: 'solana', chain_id: null, escrow: null }])
    const { supported_networks } = (await market.get('/api/v1/config')).body
    expect(supported_networks).toEqual(['localnet', 'solana'])
    // Nothing is held before, and the wallet that will pay is not named yet.
    const funding = expectStatus(await market.get(`/api/v1/tasks/${job.taskId}/funding`), 200).body
    expect(funding).toMatchObject({ state: 'at_approval', network: 'solana', publisher_wallet: null, statement: null })
    const answer = expectStatus(await approve(job, (await signed(job, job.payer)).signed), 200).body
    expect(answer).toMatchObject({ status: 'approved', worker_net_usdc: 8.7, platform_fee_usdc: 1.3 })
    expect(answer['fee_tx']).toBe(answer['payment_tx'])
    expect(await solana.ledger.status(String(answer['payment_tx']))).toMatchObject({ error: null })
    expect(await tokensOf(job.worker.address)).toBe(8_700_000n)
    expect(await tokensOf(localKeys.operator.address)).toBe(fees + 1_300_000n)
    expect(await tokensOf(job.payer.address)).toBe(40_000_000n)
    const task = (await job.publisher.call('GET', `/api/v1/tasks/${job.taskId}`)).body
    expect(task['status']).toBe('completed')
    expect((await market.get(`/api/v1/tasks/${job.taskId}/funding`)).body).toMatchObject({ state: 'paid' })
    const earned = await job.party.call('GET', `/api/v1/workers/${String(task['executor_id'])}/earnings`)
    expect(expectShape('workers.earnings', earned)['payments']).toMatchObject([{ gross_usd: 10, payout_usd: 8.7 }])
    expectShape('payments.events', await market.get(`/api/v1/payments/events/${job.taskId}`))
    const database = new pg.Client({ connectionString: market.databaseUrl })
    await database.connect()
    const { rows: lines } = await database.query(
      `select account, sum(amount_atomic)::text as atomic from ledger where task_id = $1
      group by account order by account collate "C"`,
      [job.taskId],
    )
    await database.end()
    expect(lines).toEqual([
      { account: 'treasury', atomic: '1300000' },
      ...[
        { account: `wallet:${job.payer.address}`, atomic: '-10000000' },
        { account: `wallet:${job.worker.address}`, atomic: '8700000' },
      ].toSorted((one, other) => (one.account < other.account ? -1 : 1)),
    ])
    expect((await market.get('/api/v1/health/payments')).body).toMatchObject({ ledger_balanced: true })
  })

  test('is rated by both sides, with the transaction that paid for it, and the ratings are on chain', async () => {
    const job = await aJob()
    const { body } = expectStatus(await approve(job, (await signed(job, job.payer)).signed), 200)
    const terms = { score: 90, task_id: job.taskId, proof_tx: body['payment_tx'] }
    const wrong = { ...terms, proof_tx: String(body['payment_tx']).toLowerCase() }
    const rate = (by: Party, whom: 'workers' | 'agents', input: object) =>
      by.call('POST', `/api/v1/reputation/${whom}/rate`, input)
    expect(await rate(job.publisher, 'workers', wrong)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED' },
    })
    for (const [by, whom] of [
      [job.publisher, 'workers'],
      [job.party, 'agents'],
    ] as const) {
      const { body: rating } = expectStatus(await rate(by, whom, terms), 200)
      expect(rating).toMatchObject({ success: true, network: 'localnet', feedback_index: expect.any(Number) as number })
    }
    const given = (await market.get(`/api/v1/reputation/feedback/${job.taskId}`)).body
    expect(given).toMatchObject({ transactions: { payment_tx: body['payment_tx'] } })
  })

  test('is rated with its approval', async () => {
    const job = await aJob()
    const path = `/api/v1/submissions/${job.submissionId}/approve`
    const { signed: auth } = await signed(job, job.payer)
    expectStatus(await job.publisher.call('POST', path, { settlement_auth_worker: auth, rating: 80 }), 200)
    const told = async () =>
      (await job.publisher.call('GET', '/api/v1/events?types=reputation.updated')).body['events'] as readonly object[]
    await eventually(told, (events) => events.length === 1, 30_000)
    expect(await told()).toMatchObject([{ data: { task_id: job.taskId, score: 80 } }])
  })

  test('waits for a worker whose address there is known', async () => {
    const [publisher, party] = [await market.party(0n), await market.party(0n)]
    const job = await applied(publisher, party, onSolana)
    expect(await assignTo(publisher, job)).toMatchObject({ status: 409, body: { code: 'NO_PAYEE_RESOLVED' } })
    await bind(party, job.executorId, aKey())
    expectStatus(await assignTo(publisher, job), 200)
  })

  test('is paid once, however many approve at once', async () => {
    const job = await aJob()
    const auth = (await signed(job, job.payer)).signed
    const answers = await Promise.all(Array.from({ length: 8 }, () => approve(job, auth)))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(await tokensOf(job.worker.address)).toBe(8_700_000n)
    expect(await tokensOf(job.payer.address)).toBe(40_000_000n)
  })

  test('is approved by nothing but the transaction of its own challenge, signed by its payer', async () => {
    const [job, other] = [await aJob(), await aJob()]
    const mine = await signed(job, job.payer)
    const details = { network: expect.any(String) as string, required_usdc: 10 }
    expect(await approve(job, mine.unsigned)).toMatchObject({
      status: 402,
      body: { code: 'INVALID_SIGNATURE', details },
    })
    const theirs = await signed(other, other.payer)
    expect(await approve(job, theirs.signed)).toMatchObject({ status: 400, body: { code: 'INVALID_PAYMENT_AUTH' } })
    for (const wrong of ['{}', 'xx', '{"payload":{"transaction":"AAAA"}}'])
      expect(await approve(job, wrong)).toMatchObject({ status: 400, body: { code: 'INVALID_PAYMENT_AUTH' } })
    expect(await job.publisher.call('POST', `/api/v1/submissions/${job.submissionId}/approve`, {})).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_AUTH_MISSING' },
    })
    expect(await tokensOf(job.worker.address)).toBe(0n)
    expectStatus(await approve(job, mine.signed), 200)
  })

  test('without enough money is refused, stays approvable, and is paid when the money is there', async () => {
    const job = await aJob(9_999_999n)
    expect(await approve(job, (await signed(job, job.payer)).signed)).toMatchObject({
      status: 402,
      body: { code: 'INSUFFICIENT_FUNDS' },
    })
    await solana.fund(job.payer.address, { tokens: 1n })
    expectStatus(await approve(job, (await signed(job, job.payer)).signed), 200)
  })

  test('is settled without pay alone: of a part, or of all of it, no offer is taken that nobody could pay', async () => {
    const job = await aJob()
    for (const by of [job.party, job.publisher])
      for (const share of [1, 0.5]) {
        const path = `/api/v1/tasks/${job.taskId}/settlements/challenge?worker_amount_usd=${String(10 * share)}`
        const refused = await by.call('GET', path)
        expect(refused).toMatchObject({ status: 409, body: { code: 'OFFER_NOT_OPEN', details: { network: 'solana' } } })
        expect(refused.body['message']).toContain('A settlement can only end it without pay.')
      }
    const offerId = await offered(job.party, job.taskId, 0)
    const accepted = await job.publisher.call(
      'POST',
      `/api/v1/settlements/${offerId}/accept`,
      await acceptFields(job.publisher, offerId),
    )
    expect(expectStatus(accepted, 200).body).toMatchObject({ status: 'settled', worker_amount_usd: 0 })
    expect((await job.publisher.call('GET', `/api/v1/tasks/${job.taskId}`)).body['status']).toBe('cancelled')
  })

  test('whose worker is its payer is refused', async () => {
    const job = await aJob()
    const path = `/api/v1/submissions/${job.submissionId}/approve/challenge?payer=${job.worker.address}`
    expect(await job.publisher.call('GET', path)).toMatchObject({ status: 409, body: { code: 'SELF_PAYMENT_BLOCKED' } })
  })

  test('is paid once when the answer of the facilitator is lost', async () => {
    const job = await aJob()
    const auth = (await signed(job, job.payer)).signed
    const loss = rig.facilitatorLine.loseAnswerTo('"split"')
    const answer = await approve(job, auth)
    expect([200, 202]).toContain(answer.status)
    expect(loss.hasHappened()).toBe(true)
    await eventually(
      async () => (await job.publisher.call('GET', `/api/v1/tasks/${job.taskId}`)).body['status'],
      (status) => status === 'completed',
      30_000,
    )
    expect(await tokensOf(job.worker.address)).toBe(8_700_000n)
    expect(await tokensOf(job.payer.address)).toBe(40_000_000n)
  })
})
