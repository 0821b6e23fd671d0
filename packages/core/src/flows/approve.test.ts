import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import type { Task } from '../tasks/task.ts'
import type { FakeChain } from '../testing/fake-chain.ts'
import { linesOf, refusalOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { direct, dispute, heldTask, payment, placeOn, submission } from '../testing/scripted-money.ts'
import { publisher, stranger } from '../testing/scripted-offers.ts'
import { approve, type ApproveInput } from './approve.ts'

const now = scriptedNow
const wallet = `0x${'ad'.repeat(20)}`
const order = { signer: 'payer', deadline: 1, nonce: '0x09', signature: '0x' }
const pay = (to: string, atomic: number, nonce: string) =>
  JSON.stringify({ from: 'payer', to, amount: String(atomic), nonce })
const [payoutAuth, feeAuth] = [pay(wallet, 8_700_000, '0x07'), pay('treasury', 1_300_000, '0x08')]
const input = (change: Partial<ApproveInput> = {}): ApproveInput => ({
  rating: null,
  feedback: ' Well done. ',
  order,
  payoutAuth: null,
  feeAuth: null,
  ...change,
})

type Given = {
  readonly task?: Partial<Task>
  readonly current?: Partial<Task> | null
  readonly input?: Partial<ApproveInput>
  readonly script?: Script
  readonly before?: (chain: FakeChain) => void
}

function stage({ task = {}, current = {}, script = {}, before = () => undefined }: Given) {
  const own = heldTask({ status: 'verifying', escrowStatus: 'authorized', ...task })
  const one = placeOn(own, {
    submission: submission(),
    task: own,
    worker: { id: 'executor', wallet },
    openSettlement: null,
    meterTerms: null,
    lockTask: current === null ? null : { ...own, ...current },
    lockRulingOf: null,
    identity: { agentId: 7 },
    ...keptClaims(),
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  if (own.escrowStatus !== 'none') one.chain.authorize(payment, payment.maxAmount)
  before(one.chain)
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  return { ...one, deps: { ...one.deps, wakeup }, woken }
}
const lineOf = (value: unknown): string => linesOf([['answer', value]])[0] ?? ''
const both = { payoutAuth, feeAuth }

describe('work is approved, and its worker paid', () => {
  test.each<[string, Given, string, readonly string[]]>([
    [
      'out of the escrow, by the order of its payer',
      {},
      'answer {state:approved,taskId:task,submissionId:submission,paymentTx:0x…2,feeTx:null,gross:10000000n USDC,fee:1300000n USDC,payout:8700000n USDC,mode:fase2,rating:null}',
      [
        'lockTask task',
        'lockSubmission submission',
        'hasOpenSettlement task',
        'lockOffers task',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:release,subject:hash,order:{kind:capture,key:capture:hash:#1,payment:hash,issuedAt:1795262400,amount:10000000n USDC,order:{signer:payer,deadline:1,nonce:0x09,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:releasing} now',
        'putTaskWords task {kind:approve,author:payer,executorId:executor,text: Well done. ,at:now}',
      ],
    ],
    [
      'out of what is left of it',
      { before: (chain) => void chain.capture(payment.hash, 4_000_000n), script: { movements: [] } },
      'answer {state:approved,taskId:task,submissionId:submission,paymentTx:0x…3,feeTx:null,gross:10000000n USDC,fee:1300000n USDC,payout:8700000n USDC,mode:fase2,rating:null}',
      [
        'lockTask task',
        'lockSubmission submission',
        'hasOpenSettlement task',
        'lockOffers task',
        'addMovement {txHash:0x…1,blockNumber:2n,logIndex:1,network:localnet,hash:hash,kind:authorized,atomic:10000000n,feeBps:null} {taskId:task,settlementId:null}',
        'post {id:#2,taskId:task,asset:USDC,at:now,postings:[{account:wallet:payer,atomic:-10000000n},{account:escrow:hash,atomic:10000000n}]}',
        'addPaymentEvent {id:#3,taskId:task,status:success,amount:10000000n USDC,asset:USDC,txHash:0x…1,at:now,type:settle,from:payer,to:null,note:by another hand on chain}',
        'addMovement {txHash:0x…2,blockNumber:3n,logIndex:2,network:localnet,hash:hash,kind:captured,atomic:4000000n,feeBps:1300} {taskId:task,settlementId:null}',
        'post {id:#5,taskId:task,asset:USDC,at:now,postings:[{account:escrow:hash,atomic:-4000000n},{account:wallet:receiver,atomic:3480000n},{account:operator,atomic:520000n}]}',
        'addPaymentEvent {id:#6,taskId:task,status:success,amount:4000000n USDC,asset:USDC,txHash:0x…2,at:now,type:settle,from:payer,to:null,note:by another hand on chain}',
        'addPaymentEvent {id:#7,taskId:task,status:success,amount:3480000n USDC,asset:USDC,txHash:0x…2,at:now,type:disburse_worker,from:payer,to:receiver,note:by another hand on chain}',
        'addEvent {id:#8,taskId:task,at:now,type:payment.released,data:{task_id:task,worker_amount:3.48,platform_fee:0.52,payment:{chain:localnet,token:USDC,tx_hash:0x…2}}}',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:release,subject:hash,order:{kind:capture,key:capture:hash:#1,payment:hash,issuedAt:1795262400,amount:6000000n USDC,order:{signer:payer,deadline:1,nonce:0x09,signature:0x},after:{blockNumber:3n,logIndex:2}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:releasing} now',
        'putTaskWords task {kind:approve,author:payer,executorId:executor,text: Well done. ,at:now}',
      ],
    ],
    [
      'directly, and the fee with it',
      { task: direct, input: both },
      'answer {state:approved,taskId:task,submissionId:submission,paymentTx:0x…1,feeTx:0x…2,gross:10000000n USDC,fee:1300000n USDC,payout:8700000n USDC,mode:fase1,rating:null}',
      [
        'lockTask task',
        'lockSubmission submission',
        'hasOpenSettlement task',
        'lockOffers task',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:payout,subject:payout:submission,order:{kind:charge,key:charge:localnet:0x07:#1,transfer:{network:localnet,amount:8700000n USDC,token:token,from:payer,to:0xadadadadadadadadadadadadadadadadadadadad,validAfter:0n,validBefore:1795266000n,nonce:0x07,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:true,rating:null,offerId:null,taskId:task,purpose:fee,subject:fee:submission,order:{kind:charge,key:charge:localnet:0x08:#2,transfer:{network:localnet,amount:1300000n USDC,token:token,from:payer,to:treasury,validAfter:0n,validBefore:1795266000n,nonce:0x08,signature:0x}},id:#2,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'putTaskWords task {kind:approve,author:payer,executorId:executor,text: Well done. ,at:now}',
      ],
    ],
    [
      'directly, where no fee is kept',
      {
        task: { ...direct, bounty: { ...heldTask().bounty, atomic: 1n } },
        input: { payoutAuth: pay(wallet, 1, '0x07'), feeAuth },
      },
      'answer {state:approved,taskId:task,submissionId:submission,paymentTx:0x…1,feeTx:null,gross:1n USDC,fee:0n USDC,payout:1n USDC,mode:fase1,rating:null}',
      [
        'lockTask task',
        'lockSubmission submission',
        'hasOpenSettlement task',
        'lockOffers task',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:payout,subject:payout:submission,order:{kind:charge,key:charge:localnet:0x07:#1,transfer:{network:localnet,amount:1n USDC,token:token,from:payer,to:0xadadadadadadadadadadadadadadadadadadadad,validAfter:0n,validBefore:1795266000n,nonce:0x07,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'putTaskWords task {kind:approve,author:payer,executorId:executor,text: Well done. ,at:now}',
      ],
    ],
    [
      'though its publisher had disputed it',
      { task: { status: 'disputed' }, script: { lockDisputeOf: dispute({ status: 'open', resolution: null }) } },
      'answer {state:approved,taskId:task,submissionId:submission,paymentTx:0x…2,feeTx:null,gross:10000000n USDC,fee:1300000n USDC,payout:8700000n USDC,mode:fase2,rating:null}',
      [
        'lockTask task',
        'lockSubmission submission',
        'hasOpenSettlement task',
        'lockDisputeOf submission',
        'lockRulingOf task',
        'lockOffers task',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:release,subject:hash,order:{kind:capture,key:capture:hash:#1,payment:hash,issuedAt:1795262400,amount:10000000n USDC,order:{signer:payer,deadline:1,nonce:0x09,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:releasing} now',
        'putTaskWords task {kind:approve,author:payer,executorId:executor,text: Well done. ,at:now}',
      ],
    ],
    [
      'with a rating, though the worker has no identity',
      { input: { rating: 90 }, script: { identity: null } },
      'answer {state:approved,taskId:task,submissionId:submission,paymentTx:0x…2,feeTx:null,gross:10000000n USDC,fee:1300000n USDC,payout:8700000n USDC,mode:fase2,rating:not_written}',
      [
        'lockTask task',
        'lockSubmission submission',
        'hasOpenSettlement task',
        'lockOffers task',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:{score:90,comment: Well done. },offerId:null,taskId:task,purpose:release,subject:hash,order:{kind:capture,key:capture:hash:#1,payment:hash,issuedAt:1795262400,amount:10000000n USDC,order:{signer:payer,deadline:1,nonce:0x09,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:releasing} now',
        'putTaskWords task {kind:approve,author:payer,executorId:executor,text: Well done. ,at:now}',
      ],
    ],
  ])('%s', async (_what, given, answer, lines) => {
    const { deps, asked, woken, chain } = stage(given)
    if (given.before !== undefined) {
      const check = deps.signatures.checkReleaseOrder
      const checkReleaseOrder: typeof check = (one, of, amount, at) =>
        amount.atomic === 6_000_000n
          ? check(one, of, amount, at)
          : Promise.reject(new MarketError('LIFECYCLE_ORDER_INVALID'))
      Object.assign(deps, { signatures: { ...deps.signatures, checkReleaseOrder } })
    }
    const done = await approve(deps, publisher, 'submission', input(given.input))
    expect(lineOf(done)).toEqual(answer)
    const begun = asked.findIndex(([name]) => name === 'transaction') + 1
    const end = asked.findIndex(([name], index) => name === 'transaction' && index > begun)
    expect(linesOf(asked.slice(begun, end))).toEqual(lines)
    expect(chain.balance(wallet) + chain.balance('receiver') > 0n).toBe(true)
    expect(woken).toContain('settlements')
  })

  test('later, while nobody knows where the money is', async () => {
    const { deps, chain } = stage({})
    chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    expect(lineOf(await approve(deps, publisher, 'submission', input()))).toEqual(
      'answer {state:approving,taskId:task,submissionId:submission,paymentTx:null,feeTx:null,gross:10000000n USDC,fee:1300000n USDC,payout:8700000n USDC,mode:fase2,rating:null}',
    )
    const paid = stage({ task: direct })
    paid.chain.fault = (method, of) =>
      method === 'send' && of?.kind === 'charge' && of.transfer.nonce === '0x08' ? 'lost before' : 'none'
    expect(lineOf(await approve(paid.deps, publisher, 'submission', input(both)))).toEqual(
      'answer {state:approved,taskId:task,submissionId:submission,paymentTx:0x…1,feeTx:null,gross:10000000n USDC,fee:1300000n USDC,payout:8700000n USDC,mode:fase1,rating:null}',
    )
  })

  const expired = { ...payment, authorizationExpiry: now.getTime() / 1_000 }
  test.each<[string, Given, unknown]>([
    ['that is not there', { script: { submission: null } }, ['SUBMISSION_NOT_FOUND', { submission_id: 'submission' }]],
    ['of a task that is not there', { script: { task: null } }, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    [
      'of a worker without a wallet',
      { script: { worker: { id: 'executor', wallet: '' } } },
      ['WORKER_WALLET_MISSING', { executor_id: 'executor' }],
    ],
    [
      'of a worker whose wallet is none',
      { script: { worker: { id: 'executor', wallet: `${wallet}0` } } },
      ['WORKER_WALLET_INVALID', { executor_id: 'executor' }],
    ],
    ['of its own publisher', { task: { publisherWallet: wallet } }, ['SELF_PAYMENT_BLOCKED', { task_id: 'task' }]],
    [
      'while money is under way',
      { script: { openSettlement: {} } },
      ['APPROVAL_IN_FLIGHT', { submission_id: 'submission' }],
    ],
    [
      'whose money went back',
      { task: { escrowStatus: 'refunded' } },
      ['ESCROW_NOT_RELEASABLE', { task_id: 'task', escrow_status: 'refunded' }],
    ],
    [
      'that is decided',
      { script: { submission: submission({ status: 'approved' }) } },
      ['SUBMISSION_NOT_REVIEWABLE', { submission_id: 'submission', status: 'approved', task_status: 'verifying' }],
    ],
    [
      'of a task that is over',
      { task: { status: 'completed' } },
      [
        'SUBMISSION_NOT_REVIEWABLE',
        { submission_id: 'submission', status: 'pending_review', task_status: 'completed' },
      ],
    ],
    ['whose payment no row names', { script: { escrowPayment: null } }, ['ESCROW_STATE_MISSING', { task_id: 'task' }]],
    [
      'whose money can be taken back by now',
      { script: { escrowPayment: expired } },
      ['AUTHORIZATION_EXPIRED', { task_id: 'task' }],
    ],
    [
      'without an order',
      { input: { order: null } },
      ['LIFECYCLE_ORDER_REQUIRED', { challenge: '/api/v1/escrow/task/task/lifecycle-challenge' }],
    ],
    ['by an order of another', { input: { order: { ...order, signer: 'other' } } }, ['LIFECYCLE_ORDER_INVALID', {}]],
    [
      'without its payments',
      { task: direct, input: { payoutAuth } },
      ['PAYMENT_AUTH_MISSING', { fields: ['settlement_auth_worker', 'settlement_auth_fee'] }],
    ],
    [
      'without its fee alone',
      { task: direct, input: { feeAuth } },
      ['PAYMENT_AUTH_MISSING', { fields: ['settlement_auth_worker', 'settlement_auth_fee'] }],
    ],
    [
      'with one nonce for payout and fee',
      { task: direct, input: { payoutAuth, feeAuth: pay('treasury', 1_300_000, '0x07') } },
      ['INVALID_PAYMENT_AUTH', { constraint: 'two different nonces' }],
    ],
    [
      'with a payment to another',
      { task: direct, input: { payoutAuth: pay('other', 8_700_000, '0x07'), feeAuth } },
      ['FORBIDDEN_RECEIVER', {}],
    ],
    [
      'with a fee to another',
      { task: direct, input: { payoutAuth, feeAuth: pay('other', 1_300_000, '0x08') } },
      ['FORBIDDEN_RECEIVER', {}],
    ],
    [
      'by a payer who has less',
      { task: direct, input: both, before: (chain) => chain.fund('payer', -1n) },
      [
        'INSUFFICIENT_FUNDS',
        { network: 'localnet', required_usdc: 10, balance_usdc: 9.999999, wallet_address: 'payer' },
      ],
    ],
    ['of a task that went meanwhile', { current: null }, ['SUBMISSION_NOT_FOUND', { submission_id: 'submission' }]],
    [
      'that went meanwhile',
      { script: { lockSubmission: null } },
      ['SUBMISSION_NOT_FOUND', { submission_id: 'submission' }],
    ],
    [
      'while money is under way meanwhile',
      { script: { hasOpenSettlement: true } },
      ['APPROVAL_IN_FLIGHT', { submission_id: 'submission' }],
    ],
    [
      'whose money went back meanwhile',
      { current: { escrowStatus: 'refunded' } },
      ['ESCROW_NOT_RELEASABLE', { task_id: 'task', escrow_status: 'refunded' }],
    ],
    [
      'that was decided meanwhile',
      { script: { lockSubmission: submission({ status: 'rejected' }) } },
      ['SUBMISSION_NOT_REVIEWABLE', { submission_id: 'submission', status: 'rejected', task_status: 'verifying' }],
    ],
    [
      'that was ruled on',
      {
        task: { status: 'disputed' },
        script: { lockDisputeOf: dispute({ status: 'open' }), lockRulingOf: { status: 'standing' } },
      },
      ['DISPUTE_NOT_OPEN', { dispute_id: 'dispute', ruling_status: 'standing' }],
    ],
    [
      'whose dispute is decided',
      { task: { status: 'disputed' }, script: { lockDisputeOf: dispute({ status: 'resolved' }) } },
      ['SUBMISSION_NOT_REVIEWABLE', { submission_id: 'submission', status: 'pending_review', task_status: 'disputed' }],
    ],
    [
      'whose money another claim moves',
      { script: { claimSettlement: false } },
      ['APPROVAL_IN_FLIGHT', { submission_id: 'submission' }],
    ],
    [
      'whose money the chain does not move',
      {
        before: (chain) => {
          chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
        },
      },
      ['LOCK_REVERTED', { task_id: 'task' }],
    ],
  ])('but not work %s', async (_what, { input: change, ...given }, refused) => {
    const { deps, chain } = stage(given)
    const by =
      given.task?.publisherWallet === undefined ? publisher : { ...publisher, wallet: given.task.publisherWallet }
    expect(await refusalOf(() => approve(deps, by, 'submission', input(change)))).toEqual(refused)
    expect(chain.landings).toEqual([])
  })
  test('the rating is on its way, where the worker has an identity', async () => {
    expect((await approve(stage({}).deps, publisher, 'submission', input({ rating: 90 }))).rating).toBe('on_its_way')
  })
  test('nor by a stranger', async () => {
    expect(await refusalOf(() => approve(stage({}).deps, stranger, 'submission', input()))).toEqual([
      'FORBIDDEN',
      { submission_id: 'submission' },
    ])
  })
  test('what is owed after a resolution is paid, whoever ruled', async () => {
    const script = { lockDisputeOf: dispute(), lockRulingOf: { status: 'standing' } }
    const { deps } = stage({ task: { ...direct, status: 'disputed', turn: { kind: 'owed' } as never }, script })
    expect((await approve(deps, publisher, 'submission', input(both))).state).toBe('approved')
  })
})
