import { networks } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { party, rpc } from '../adapters/rig.ts'
import {
  applied,
  approveFields,
  assign,
  aTask,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { ratingOf } from './rating-of.ts'

/** Who makes a reputation: the parties of paid tasks, and nobody else (decision 0093). */
let market: LiveMarket
let publisher: Party
beforeAll(async () => {
  market = await startLiveMarket()
  publisher = await market.party(50n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

async function ratedJob(worker: Party, rating: number): Promise<string> {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  expectStatus(
    await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, {
      rating,
      feedback: 'Good.',
      ...(await approveFields(publisher, submissionId)),
    }),
    200,
  )
  return job.executorId
}

/** As it is when the rating that makes it so has landed. */
const standing = (executorId: string, score: number) =>
  eventually(
    () => market.get(`/api/v1/workers/${executorId}/reputation`),
    (reply) => reply.body['onchain_reputation_score'] === score,
  )

const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

/** Straight to the registry, from a wallet that this service never saw. */
async function writtenByAnOutsider(agentId: number, value: bigint): Promise<void> {
  const { rpcUrl } = market.rig.chain
  const texts = [0x100n, 0x120n, 0x140n, 0x160n].map(word).join('')
  const data = `0x3c036a7e${word(BigInt(agentId))}${word(value)}${word(0n)}${texts}${word(0n)}${word(0n).repeat(4)}`
  const hash = await rpc(rpcUrl, 'eth_sendTransaction', [
    { from: party(8).address, to: networks.localnet.erc8004?.reputation, data },
  ])
  await rpc(rpcUrl, 'evm_mine', [])
  expect(
    await eventually(
      () => rpc(rpcUrl, 'eth_getTransactionReceipt', [hash]),
      (receipt) => receipt !== null,
    ),
  ).toMatchObject({ status: '0x1' })
}

const huge = 10n ** 38n

describe('a reputation', () => {
  test('is not moved by what an outsider writes to the registry, and opens what it opened before', async () => {
    const worker = await market.party(0n)
    const executorId = await ratedJob(worker, 96)
    const agentId = Number((await standing(executorId, 96)).body['erc8004_agent_id'])
    await writtenByAnOutsider(agentId, -huge)
    expect((await market.get(`/api/v1/reputation/agents/${String(agentId)}`)).body).toMatchObject({
      score: 96,
      rating_count: 1,
      registry: { count: 2 },
    })
    await ratedJob(worker, 90)
    const after = await standing(executorId, 93)
    expect(after.body).toMatchObject({ onchain_reputation_score: 93, effective_reputation_score: 93, avg_score: 93 })
    const read = await market.get(`/api/v1/reputation/agents/${String(agentId)}`)
    expect(read.body).toMatchObject({ score: 93, rating_count: 2, registry: { count: 3 } })
    expect((read.body['registry'] as { mean: number }).mean).toBeLessThan(-1e30)
    expect((await market.get(`/api/v1/reputation/wallet/${worker.wallet}/cross-chain`)).body).toMatchObject({
      networks: [{ score: 93, rating_count: 2, registry: { count: 3 } }],
    })
    const gated = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask({ min_reputation: 90 })), 201)
    expectStatus(await worker.call('POST', `/api/v1/tasks/${String(gated.body['id'])}/apply`, {}), 201)
  })

  test('is not made by an outsider either', async () => {
    const sybil = await market.party(0n)
    expectStatus(await sybil.call('POST', '/api/v1/workers/register', { executor_type: 'agent' }), 201)
    const { body } = await market.get(`/api/v1/reputation/wallet/${sybil.wallet}/cross-chain`)
    const agentId = (body['networks'] as { agent_id: number }[])[0]?.agent_id ?? -1
    await writtenByAnOutsider(agentId, huge)
    expect((await market.get(`/api/v1/reputation/agents/${String(agentId)}`)).body).toMatchObject({
      score: null,
      rating_count: 0,
      registry: { mean: 1e38, count: 1 },
    })
    const gated = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask({ min_reputation: 90 })), 201)
    expect((await sybil.call('POST', `/api/v1/tasks/${String(gated.body['id'])}/apply`, {})).body.code).toBe(
      'REPUTATION_TOO_LOW',
    )
  })
})

test('a rating whose deadline is no date is refused, and nothing is sent', async () => {
  const worker = await market.party(0n)
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  const approval = await approveFields(publisher, submissionId)
  expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, approval), 200)
  const rating = await ratingOf(publisher, job.taskId)
  const reply = await publisher.call('POST', '/api/v1/reputation/relay/submit', {
    ...rating,
    deadline: Number.MAX_SAFE_INTEGER,
  })
  expect([reply.status, reply.body.code]).toEqual([409, 'RATING_REFUSED'])
})
