import { saltOf } from '@ergon/contract/facts'
import {
  fundingStatementTypedData,
  paymentInfoHash,
  paymentInfoToWire,
  type FundingStatement,
  type PaymentInfo,
} from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { recordingService } from './recording-service.ts'
import { deployment, ids, payer, stranger, token, worker } from './small-market.ts'

const otherTask = '01890000-0000-7000-8000-0000000000ff'
const later = Math.floor(Date.now() / 1_000) + 86_400

/** What a service says and signs of a task, and the lies in it. */
type Lies = {
  readonly info?: Partial<PaymentInfo>
  readonly funding?: Readonly<Record<string, unknown>>
  readonly statement?: Partial<FundingStatement>
  readonly chainId?: number
}

async function verified({ info: terms = {}, funding = {}, statement = {}, chainId = 31337 }: Lies) {
  const info: PaymentInfo = {
    operator: deployment.operator,
    payer: payer.address,
    receiver: worker.address,
    token: token.verifyingContract,
    maxAmount: 1_000_000n,
    preApprovalExpiry: later,
    authorizationExpiry: later,
    refundExpiry: later,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    feeReceiver: deployment.operator,
    salt: saltOf(ids.task, 7n),
    ...terms,
  }
  const payment_hash = paymentInfoHash(info, 31337, deployment.escrow)
  const said: FundingStatement = {
    taskId: ids.task,
    state: 'held',
    escrow: deployment.escrow,
    paymentHash: payment_hash,
    payer: payer.address,
    receiver: worker.address,
    token: token.verifyingContract,
    capturable: 1_000_000n,
    authorizationExpiry: later,
    asOf: later - 86_400,
    ...statement,
  }
  const typed_data = fundingStatementTypedData(said, chainId)
  const { payer: _payer, ...payment_info } = paymentInfoToWire(info) as Record<string, unknown>
  const answer = {
    task_id: ids.task,
    state: 'held',
    network: 'localnet',
    chain_id: 31337,
    token: 'USDC',
    amount_usd: 1,
    payer: payer.address,
    receiver: worker.address,
    payment_hash,
    payment_info,
    bound_until: null,
    statement: { typed_data, signature: await stranger.signTypedData(typed_data), signer: stranger.address },
    ...funding,
  }
  const words = [1n, 1_000_000n, 0n].map((word) => word.toString(16).padStart(64, '0')).join('')
  await using node = await recordingService(() => ({ body: { jsonrpc: '2.0', id: 1, result: `0x${words}` } }))
  await using service = await recordingService(({ target }) => ({
    body: target.includes('/keys') ? { keys: [{ address: stranger.address }] } : answer,
  }))
  return await createClient({ baseUrl: service.url }).verifyFunding({
    task_id: ids.task,
    rpc_url: node.url,
    worker_wallet: worker.address,
  })
}

test('money that is locked for this task and this worker is held', async () => {
  expect(await verified({})).toMatchObject({ held: true, faults: [], signed: true, capturable: 1_000_000n })
})

test.each<readonly [what: string, lies: Lies, fault: string]>([
  ['was locked for another task', { info: { salt: saltOf(otherTask, 7n) } }, 'the payment does not name this task'],
  ['names no task', { info: { salt: 7n } }, 'the payment does not name this task'],
  ['is for another wallet', { info: { receiver: stranger.address } }, 'it is held for another wallet'],
  ['is held through another operator', { info: { operator: stranger.address } }, 'it is held through another operator'],
  ['is held in another token', { info: { token: stranger.address } }, 'it is held in another token'],
  ['is of less', { info: { maxAmount: 999_999n } }, 'the payment is of less than the bounty'],
  ['lets no fee be taken', { info: { maxFeeBps: 1_299 } }, 'no release fits the fee that the payer signed'],
  ['asks for a higher fee', { info: { minFeeBps: 1_301 } }, 'no release fits the fee that the payer signed'],
  ['pays its fee elsewhere', { info: { feeReceiver: stranger.address } }, 'no release fits'],
  ['is free again', { info: { authorizationExpiry: 1_000 } }, 'the payer can take it back already'],
  ['has another hash', { funding: { payment_hash: `0x${'ab'.repeat(32)}` } }, 'the hash is not that of the terms'],
])('a payment that %s is none for this task', async (_what, lies, fault) => {
  expect(await verified(lies)).toMatchObject({ held: false, faults: [expect.stringContaining(fault)] })
})

test('an answer about another task is refused', async () => {
  await expect(verified({ funding: { task_id: otherTask } })).rejects.toMatchObject({ term: 'task' })
})

test.each<readonly [what: string, lies: Lies]>([
  ['another task', { statement: { taskId: otherTask } }],
  ['another payment', { statement: { paymentHash: `0x${'ab'.repeat(32)}` } }],
  ['another state', { statement: { state: 'not_funded' } }],
  ['another chain', { chainId: 8453 }],
])('a statement about %s is none about this money', async (_what, lies) => {
  expect(await verified(lies)).toMatchObject({ held: true, signed: false })
})
