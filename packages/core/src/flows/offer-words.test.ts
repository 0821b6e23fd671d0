import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { linesOf, refusalOf } from '../testing/scripted-deps.ts'
import { direct, payment } from '../testing/scripted-money.ts'
import { offerStage, publisher, stranger, worker, type OfferGiven } from '../testing/scripted-offers.ts'
import { offerChallenge } from './offer.ts'

const lineOf = (value: unknown): string => linesOf([['answer', value]])[0] ?? ''

describe('the words of an offer', () => {
  test.each<[string, OfferGiven, WalletCaller, string, number | null, string]>([
    [
      'of what is held, for as long as it is',
      {},
      worker,
      '6',
      null,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:6000000n USDC,toPayer:4000000n USDC,nonce:0x…1,expiresAt:2026-11-22T12:00:00.000Z,payments:null}',
    ],
    [
      'of nothing to the worker',
      {},
      worker,
      '0.00',
      1,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:0n USDC,toPayer:10000000n USDC,nonce:0x…1,expiresAt:2026-11-21T13:00:00.000Z,payments:null}',
    ],
    [
      'of all to the worker',
      {},
      publisher,
      '10',
      2,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:10000000n USDC,toPayer:0n USDC,nonce:0x…1,expiresAt:2026-11-21T14:00:00.000Z,payments:null}',
    ],
    [
      'for two days, and no longer than it is held',
      {},
      publisher,
      '6',
      48,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:6000000n USDC,toPayer:4000000n USDC,nonce:0x…1,expiresAt:2026-11-22T12:00:00.000Z,payments:null}',
    ],
    [
      'of what is left, where part moved past us',
      { before: (chain) => void chain.capture(payment.hash, 4_000_000n) },
      worker,
      '6',
      1,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:6000000n USDC,toPayer:0n USDC,nonce:0x…1,expiresAt:2026-11-21T13:00:00.000Z,payments:null}',
    ],
    [
      'of a bounty that nobody holds, with the payments of its publisher',
      { task: { ...direct, id: 'dad0' } },
      publisher,
      '6',
      48,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:6000000n USDC,toPayer:4000000n USDC,nonce:0x…1,expiresAt:2026-11-23T12:00:00.000Z,payments:{payout:{typedData:{},envelope:{from:payer,to:receiver,amount:5220000,nonce:0x0000000000000000000000000000dad001000000000000000000000000000002},expiresAt:2026-11-21T13:00:00.000Z},fee:{typedData:{},envelope:{from:payer,to:treasury,amount:780000,nonce:0x0000000000000000000000000000dad002000000000000000000000000000003},expiresAt:2026-11-21T13:00:00.000Z}}}',
    ],
    [
      'of a bounty that nobody holds, from its worker',
      { task: direct },
      worker,
      '6',
      1,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:6000000n USDC,toPayer:4000000n USDC,nonce:0x…1,expiresAt:2026-11-21T13:00:00.000Z,payments:null}',
    ],
    [
      'of a bounty that nobody holds, and nothing to the worker',
      { task: direct },
      publisher,
      '0',
      1,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:0n USDC,toPayer:10000000n USDC,nonce:0x…1,expiresAt:2026-11-21T13:00:00.000Z,payments:null}',
    ],
    [
      'of so little that no fee is kept',
      { task: { ...direct, id: 'dad0' } },
      publisher,
      '0.000001',
      1,
      'answer {taskId:task,typedData:{nonce:0x…1},toWorker:1n USDC,toPayer:9999999n USDC,nonce:0x…1,expiresAt:2026-11-21T13:00:00.000Z,payments:{payout:{typedData:{},envelope:{from:payer,to:receiver,amount:1,nonce:0x0000000000000000000000000000dad001000000000000000000000000000002},expiresAt:2026-11-21T13:00:00.000Z},fee:null}}',
    ],
  ])('%s', async (_what, given, by, toWorker, validHours, answer) => {
    const { deps } = offerStage(given)
    expect(lineOf(await offerChallenge(deps, by, 'task', { toWorker, validHours }))).toEqual(answer)
  })

  test.each<[string, OfferGiven, WalletCaller, string, unknown]>([
    ['to a stranger', {}, stranger, '6', ['FORBIDDEN', { task_id: 'task' }]],
    [
      'of a task that nobody has',
      { task: { executorId: null } },
      publisher,
      '6',
      ['OFFER_NOT_OPEN', { task_id: 'task', status: 'disputed' }],
    ],
    [
      'of a task that is over',
      { task: { status: 'completed' } },
      worker,
      '6',
      ['OFFER_NOT_OPEN', { task_id: 'task', status: 'completed' }],
    ],
    [
      'of a task that waits for a worker',
      { task: { status: 'published' } },
      worker,
      '6',
      ['OFFER_NOT_OPEN', { task_id: 'task', status: 'published' }],
    ],
    [
      'of a metered task',
      { task: direct, script: { meterTerms: {} } },
      worker,
      '6',
      ['OFFER_NOT_OPEN', { task_id: 'task', is_metered: true }],
    ],
    [
      'of money on its way',
      { task: { escrowStatus: 'releasing' } },
      worker,
      '6',
      ['OFFER_NOT_OPEN', { task_id: 'task', escrow_status: 'releasing' }],
    ],
    [
      'of money that no row names',
      { script: { escrowPayment: null } },
      worker,
      '6',
      ['OFFER_NOT_OPEN', { task_id: 'task', escrow_status: 'authorized' }],
    ],
    [
      'of more than is held',
      {},
      worker,
      '10.000001',
      [
        'VALIDATION_FAILED',
        {
          field: 'worker_amount_usd',
          constraint: 'at most what the task holds, 10000000 atomic units',
          received: '10000001',
        },
      ],
    ],
    [
      'while the chain cannot be read',
      {
        before: (chain) => {
          chain.fault = () => 'unreadable'
        },
      },
      worker,
      '6',
      ['CHAIN_UNAVAILABLE', { network: 'localnet' }],
    ],
  ])('but none %s', async (_what, given, by, toWorker, refused) => {
    const { deps } = offerStage(given)
    expect(await refusalOf(() => offerChallenge(deps, by, 'task', { toWorker, validHours: null }))).toEqual(refused)
  })
})

test.each(['ruling', 'appealed', 'owed'] as const)(
  'nothing is to be signed once a dispute is decided: %s',
  async (kind) => {
    const { deps } = offerStage({
      task: { status: 'disputed', turn: kind === 'ruling' ? { kind, untilMs: 0 } : { kind } },
    })
    const asked = () => offerChallenge(deps, worker, 'task', { toWorker: '6', validHours: null })
    expect(await refusalOf(asked)).toEqual(['OFFER_NOT_OPEN', { task_id: 'task', status: 'disputed', decided: kind }])
    await expect(asked()).rejects.toThrow(kind === 'owed' ? 'pays by approving' : 'has been ruled on')
  },
)

test('its publisher signs no direct payment before there is work it could be for', async () => {
  const { deps } = offerStage({ task: direct, script: { submissions: [] } })
  const asked = (by: WalletCaller, toWorker: string) =>
    refusalOf(() => offerChallenge(deps, by, 'task', { toWorker, validHours: null }))
  expect(await asked(publisher, '6')).toEqual(['OFFER_NOT_OPEN', { task_id: 'task', status: direct.status }])
  expect([await asked(publisher, '0'), await asked(worker, '6')]).toEqual([null, null])
})
