import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { plainSignature } from '../testing/fake-ports.ts'
import { linesOf, refusalOf, scriptedNow } from '../testing/scripted-deps.ts'
import { direct, offer } from '../testing/scripted-money.ts'
import { offerStage, publisher, worker, type OfferGiven } from '../testing/scripted-offers.ts'
import { proposeOffer, type OfferInput } from './offer.ts'

const now = scriptedNow
const later = (ms: number): Date => new Date(now.getTime() + ms)
const hour = 3_600_000
const nonce = '0x07'
const pay = (to: string, atomic: number, of = nonce) =>
  JSON.stringify({ from: 'payer', to, amount: String(atomic), nonce: of })

const input = (by: WalletCaller, change: Partial<OfferInput> = {}): OfferInput => ({
  toWorker: '6',
  expiresAt: later(hour),
  nonce,
  signature: plainSignature(by.wallet, nonce),
  message: ' Take six. ',
  payments: null,
  ...change,
})
const lineOf = (value: unknown): string => linesOf([['answer', value]])[0] ?? ''

describe('an offer is made', () => {
  const payments = { payout: pay('receiver', 5_220_000), fee: pay('treasury', 780_000, '0x08') }
  test.each<[string, OfferGiven, WalletCaller, Partial<OfferInput>, string, readonly string[]]>([
    [
      'by the worker',
      {},
      worker,
      {},
      'answer {id:#1,taskId:task,executorId:executor,side:worker,words:{network:localnet,payment:hash,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message: Take six. ,signature:receiver signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockRulingOf task',
        'lockOffers task',
        'lockOffers task',
        'insertOffer {id:#1,taskId:task,executorId:executor,side:worker,words:{network:localnet,payment:hash,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message: Take six. ,signature:receiver signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
        'changeTask task {turn:{kind:offer,of:publisher,untilMs:1795266000000}} now',
        'putTimer task offer_end 2026-11-21T13:00:00.000Z',
        'addEvent {id:#2,type:settlement.offered,taskId:task,at:now,data:{task_id:task,offer_id:#1,by:worker,expires_at:2026-11-21T13:00:00.000Z}}',
      ],
    ],
    [
      'by the publisher, in the place of an earlier one',
      {
        script: {
          lockOffers: [
            offer({ id: 'earlier', side: 'publisher', status: 'open' }),
            offer({ id: 'theirs', status: 'open' }),
          ],
        },
      },
      publisher,
      { message: null },
      'answer {id:#1,taskId:task,executorId:executor,side:publisher,words:{network:localnet,payment:hash,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message:null,signature:payer signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockRulingOf task',
        'lockOffers task',
        'lockOffers task',
        'endOffer earlier withdrawn null now',
        'addEvent {id:#2,type:settlement.closed,taskId:task,at:now,data:{task_id:task,offer_id:earlier,outcome:withdrawn}}',
        'insertOffer {id:#1,taskId:task,executorId:executor,side:publisher,words:{network:localnet,payment:hash,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message:null,signature:payer signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
        'changeTask task {turn:{kind:offer,of:worker,untilMs:1795266000000}} now',
        'putTimer task offer_end 2026-11-21T13:00:00.000Z',
        'addEvent {id:#3,type:settlement.offered,taskId:task,at:now,data:{task_id:task,offer_id:#1,by:publisher,expires_at:2026-11-21T13:00:00.000Z}}',
      ],
    ],
    [
      'by a publisher that pays directly',
      { task: direct },
      publisher,
      { payments },
      'answer {id:#1,taskId:task,executorId:executor,side:publisher,words:{network:localnet,payment:null,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message: Take six. ,signature:payer signs 0x07,answer:null,payments:{payout:{\\from\\:\\payer\\,\\to\\:\\receiver\\,\\amount\\:\\5220000\\,\\nonce\\:\\0x07\\},fee:{\\from\\:\\payer\\,\\to\\:\\treasury\\,\\amount\\:\\780000\\,\\nonce\\:\\0x08\\}},status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockRulingOf task',
        'lockOffers task',
        'lockOffers task',
        'insertOffer {id:#1,taskId:task,executorId:executor,side:publisher,words:{network:localnet,payment:null,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message: Take six. ,signature:payer signs 0x07,answer:null,payments:{payout:{\\from\\:\\payer\\,\\to\\:\\receiver\\,\\amount\\:\\5220000\\,\\nonce\\:\\0x07\\},fee:{\\from\\:\\payer\\,\\to\\:\\treasury\\,\\amount\\:\\780000\\,\\nonce\\:\\0x08\\}},status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
        'changeTask task {turn:{kind:offer,of:worker,untilMs:1795266000000}} now',
        'putTimer task offer_end 2026-11-21T13:00:00.000Z',
        'addEvent {id:#2,type:settlement.offered,taskId:task,at:now,data:{task_id:task,offer_id:#1,by:publisher,expires_at:2026-11-21T13:00:00.000Z}}',
      ],
    ],
    [
      'by a worker that is paid directly',
      { task: direct },
      worker,
      { payments },
      'answer {id:#1,taskId:task,executorId:executor,side:worker,words:{network:localnet,payment:null,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message: Take six. ,signature:receiver signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockRulingOf task',
        'lockOffers task',
        'lockOffers task',
        'insertOffer {id:#1,taskId:task,executorId:executor,side:worker,words:{network:localnet,payment:null,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message: Take six. ,signature:receiver signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
        'changeTask task {turn:{kind:offer,of:publisher,untilMs:1795266000000}} now',
        'putTimer task offer_end 2026-11-21T13:00:00.000Z',
        'addEvent {id:#2,type:settlement.offered,taskId:task,at:now,data:{task_id:task,offer_id:#1,by:worker,expires_at:2026-11-21T13:00:00.000Z}}',
      ],
    ],
    [
      'of nothing, by a publisher that would pay directly',
      { task: direct },
      publisher,
      { toWorker: '0', payments },
      'answer {id:#1,taskId:task,executorId:executor,side:publisher,words:{network:localnet,payment:null,payer:payer,worker:receiver,asset:USDC,toWorker:0n,toPayer:10000000n,nonce:0x07},message: Take six. ,signature:payer signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockRulingOf task',
        'lockOffers task',
        'lockOffers task',
        'insertOffer {id:#1,taskId:task,executorId:executor,side:publisher,words:{network:localnet,payment:null,payer:payer,worker:receiver,asset:USDC,toWorker:0n,toPayer:10000000n,nonce:0x07},message: Take six. ,signature:payer signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-11-21T13:00:00.000Z,endedAt:null}',
        'changeTask task {turn:{kind:offer,of:worker,untilMs:1795266000000}} now',
        'putTimer task offer_end 2026-11-21T13:00:00.000Z',
        'addEvent {id:#2,type:settlement.offered,taskId:task,at:now,data:{task_id:task,offer_id:#1,by:publisher,expires_at:2026-11-21T13:00:00.000Z}}',
      ],
    ],
    [
      'up to its longest time',
      {},
      worker,
      { expiresAt: later(336 * hour) },
      'answer {id:#1,taskId:task,executorId:executor,side:worker,words:{network:localnet,payment:hash,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message: Take six. ,signature:receiver signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-12-05T12:00:00.000Z,endedAt:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockRulingOf task',
        'lockOffers task',
        'lockOffers task',
        'insertOffer {id:#1,taskId:task,executorId:executor,side:worker,words:{network:localnet,payment:hash,payer:payer,worker:receiver,asset:USDC,toWorker:6000000n,toPayer:4000000n,nonce:0x07},message: Take six. ,signature:receiver signs 0x07,answer:null,payments:null,status:open,createdAt:now,expiresAt:2026-12-05T12:00:00.000Z,endedAt:null}',
        'changeTask task {turn:{kind:offer,of:publisher,untilMs:1796472000000}} now',
        'putTimer task offer_end 2026-12-05T12:00:00.000Z',
        'addEvent {id:#2,type:settlement.offered,taskId:task,at:now,data:{task_id:task,offer_id:#1,by:worker,expires_at:2026-12-05T12:00:00.000Z}}',
      ],
    ],
  ])('%s', async (_what, given, by, change, answer, lines) => {
    const { deps, asked } = offerStage(given)
    expect(lineOf(await proposeOffer(deps, by, 'task', input(by, change)))).toEqual(answer)
    expect(linesOf(asked.slice(asked.findIndex(([name]) => name === 'transaction') + 1))).toEqual(lines)
  })

  test.each<[string, OfferGiven, WalletCaller, Partial<OfferInput>, unknown]>([
    [
      'of a task that is over',
      { task: { status: 'expired' } },
      worker,
      {},
      ['OFFER_NOT_OPEN', { task_id: 'task', status: 'expired' }],
    ],
    [
      'that has ended',
      {},
      worker,
      { expiresAt: now },
      [
        'VALIDATION_FAILED',
        {
          field: 'expires_at',
          constraint: 'a whole second in the next 336 hours, as the challenge said',
          received: '2026-11-21T12:00:00.000Z',
        },
      ],
    ],
    [
      'in parts of a second',
      {},
      worker,
      { expiresAt: later(1) },
      [
        'VALIDATION_FAILED',
        {
          field: 'expires_at',
          constraint: 'a whole second in the next 336 hours, as the challenge said',
          received: '2026-11-21T12:00:00.001Z',
        },
      ],
    ],
    [
      'for longer than offers last',
      {},
      worker,
      { expiresAt: later(336 * hour + 1_000) },
      [
        'VALIDATION_FAILED',
        {
          field: 'expires_at',
          constraint: 'a whole second in the next 336 hours, as the challenge said',
          received: '2026-12-05T12:00:01.000Z',
        },
      ],
    ],
    [
      'that its maker did not sign',
      {},
      worker,
      { signature: plainSignature('payer', nonce) },
      [
        'INVALID_SIGNATURE',
        { reason: 'the offer is not signed by who makes it', network: 'localnet', required_usdc: 6 },
      ],
    ],
    [
      'without its payments',
      { task: direct },
      publisher,
      {},
      ['PAYMENT_AUTH_MISSING', { fields: ['settlement_auth_worker', 'settlement_auth_fee'] }],
    ],
    [
      'without the fee',
      { task: direct },
      publisher,
      { payments: { ...payments, fee: null } },
      ['PAYMENT_AUTH_MISSING', { fields: ['settlement_auth_worker', 'settlement_auth_fee'] }],
    ],
    [
      'whose payments have one nonce',
      { task: direct },
      publisher,
      { payments: { ...payments, fee: pay('treasury', 780_000) } },
      ['INVALID_PAYMENT_AUTH', { constraint: 'two different nonces' }],
    ],
    [
      'whose payment pays another',
      { task: direct },
      publisher,
      { payments: { ...payments, payout: pay('other', 5_220_000) } },
      ['FORBIDDEN_RECEIVER', {}],
    ],
    [
      'whose fee is another',
      { task: direct },
      publisher,
      { payments: { ...payments, fee: pay('treasury', 1, '0x08') } },
      ['AMOUNT_MISMATCH', {}],
    ],
    [
      'of work that was not handed in',
      { task: direct, script: { submissions: [] } },
      publisher,
      { payments },
      ['OFFER_NOT_OPEN', { task_id: 'task', status: 'verifying' }],
    ],
    ['of a task that went meanwhile', { current: null }, worker, {}, ['OFFER_NOT_OPEN', { task_id: 'task' }]],
    [
      'of a task that another has meanwhile',
      { current: { executorId: 'other' } },
      worker,
      {},
      ['OFFER_NOT_OPEN', { task_id: 'task' }],
    ],
    [
      'of a task that ended meanwhile',
      { current: { status: 'completed' } },
      worker,
      {},
      ['OFFER_NOT_OPEN', { task_id: 'task', status: 'completed' }],
    ],
    [
      'while money is under way',
      { script: { hasOpenSettlement: true } },
      worker,
      {},
      ['APPROVAL_IN_FLIGHT', { task_id: 'task' }],
    ],
    [
      'after a ruling',
      { script: { lockRulingOf: { verdict: 'release', status: 'standing' } } },
      worker,
      {},
      ['OFFER_NOT_OPEN', { task_id: 'task', ruling: 'release', ruling_status: 'standing' }],
    ],
    [
      'where its publisher owes what was decided',
      { task: { ...direct, status: 'disputed' }, current: { ...direct, status: 'disputed', turn: { kind: 'owed' } } },
      worker,
      {},
      ['OFFER_NOT_OPEN', { task_id: 'task', status: 'disputed', decided: 'owed' }],
    ],
  ])('but none %s', async (_what, given, by, change, refused) => {
    const { deps, of } = offerStage(given)
    expect(await refusalOf(() => proposeOffer(deps, by, 'task', input(by, change)))).toEqual(refused)
    expect(of('insertOffer')).toEqual([])
  })
})

describe('the offers of a task are bounded', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => offer({ id: String(index), status: 'withdrawn' }))
  const propose = (lockOffers: readonly unknown[]) => {
    const { deps } = offerStage({ script: { lockOffers } })
    return proposeOffer(deps, worker, 'task', input(worker))
  }
  const full = ['OFFER_NOT_OPEN', { task_id: 'task', offers_max: 20 }]
  test.each([
    [19, null],
    [20, full],
  ])('one beside %d others', async (count, refused) => {
    expect(await refusalOf(() => propose(many(count)))).toEqual(refused)
  })
  test('and the side that has one too many hears what is left to do', async () => {
    await expect(propose(many(20))).rejects.toThrow('This task had 20 offers and takes no more: accept one of them.')
  })
  test('each is signed for a challenge of its own', async () => {
    const earlier = offer({ status: 'withdrawn' })
    const used = { ...earlier, words: { ...earlier.words, nonce } }
    expect(await refusalOf(() => propose([earlier, used]))).toEqual([
      'VALIDATION_FAILED',
      { field: 'nonce', constraint: 'of a challenge of its own', received: nonce },
    ])
  })
})

describe('who makes an offer hears why not', () => {
  test.each<[string, OfferGiven, Partial<OfferInput>]>([
    ['The offer is not signed by who makes it.', {}, { signature: plainSignature('payer', nonce) }],
    [
      'The dispute has been ruled on, so the parties settle no more.',
      { script: { lockRulingOf: { verdict: 'release', status: 'standing' } } },
      {},
    ],
    ['A metered task is settled by closing its channel.', { task: direct, script: { meterTerms: {} } }, {}],
  ])('%s', async (reason, given, change) => {
    const { deps } = offerStage(given)
    await expect(proposeOffer(deps, worker, 'task', input(worker, change))).rejects.toThrow(reason)
  })
})
