import { describe, expect, test } from 'vitest'
import { saltOf } from '@ergon/contract/facts'
import { readPolicy } from '../policy/policy.ts'
import type { Task } from '../tasks/task.ts'
import type { FakeChain } from '../testing/fake-chain.ts'
import { linesOf, refusalOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { direct, heldTask, payment, placeOn } from '../testing/scripted-money.ts'
import { publisher, stranger } from '../testing/scripted-offers.ts'
import { assign, assignChallenge, type AssignInput } from './assign.ts'

const now = scriptedNow
const taskId = '01950000-0000-7000-8000-000000000001'
const worker = { id: 'executor', wallet: 'receiver', party: 'human', reputation: { effective: 50 } }
const salt = saltOf(taskId, 7n).toString()
const signed = (change: object = {}) =>
  JSON.stringify({ payer: 'payer', receiver: 'receiver', amount: '10000000', hash: 'hash', salt, ...change })
const input = (change: Partial<AssignInput> = {}): AssignInput => ({
  executorId: 'executor',
  notes: ' By noon. ',
  paymentAuth: signed(),
  ...change,
})

type Given = {
  readonly task?: Partial<Task> & { readonly paymentAuth?: string | null }
  readonly current?: Partial<Task> | null
  readonly input?: Partial<AssignInput>
  readonly script?: Script | (() => Script)
  readonly before?: (chain: FakeChain) => void
  readonly mode?: 'fase1' | 'fase2'
}

function stage({ task = {}, current = {}, script = {}, before = () => undefined, mode = 'fase2' }: Given) {
  const own = {
    ...heldTask({ id: taskId, status: 'published', escrowStatus: 'pending_assignment', executorId: null }),
    ...task,
  }
  let reads = 0
  const one = placeOn(own, {
    task: (id: string) => (id === taskId ? ((reads += 1) > 1 ? { ...own, read: reads } : own) : null),
    worker: (id: string) => (id === 'executor' ? worker : null),
    isBanned: false,
    application: { status: 'pending', hasNotes: false },
    lockTask: current === null ? null : { ...own, ...current },
    isGoingBack: false,
    ...keptClaims(),
    ...(typeof script === 'function' ? script() : script),
  })
  one.chain.fund('payer', payment.maxAmount)
  before(one.chain)
  const taken: unknown[] = []
  const payments = { take: (...of: unknown[]) => Promise.resolve(taken.push(of)) }
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  const deps = {
    ...one.deps,
    payments,
    wakeup,
    settings: { ...one.deps.settings, paymentMode: mode },
  } as unknown as typeof one.deps
  return { ...one, deps, taken, woken }
}
const shortened = (line: string): string => line.replaceAll(taskId, 'TASK').replaceAll(salt, 'SALT')
const lineOf = (value: unknown): string => shortened(linesOf([['answer', value]])[0] ?? '')
const governed = { policy: readPolicy({ reviewHours: 10 }) }
const standingOrder = JSON.stringify({ payment: 'hash', until: 'then' })

describe('an applicant is assigned', () => {
  test.each<[string, Given, number, readonly string[]]>([
    [
      'and the bounty is locked',
      {},
      1,
      [
        'lockTask TASK',
        'application TASK executor',
        'isGoingBack hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:TASK,purpose:lock,subject:TASK,order:{kind:authorize,key:authorize:hash:#1,payment:hash,authorization:{validAfter:0n,validBefore:1795266000n,nonce:hash,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'moveTask TASK assigning now {escrowStatus:authorizing}',
        'putEscrow TASK {network:localnet,asset:USDC,operator:operator,payer:payer,receiver:receiver,token:token,maxAmount:10000000n,preApprovalExpiry:1795266000,authorizationExpiry:1797854400,refundExpiry:1798718400,minFeeBps:0,maxFeeBps:1300,feeReceiver:operator,salt:SALTn,hash:hash}',
        'keepStandingOrder TASK null',
        'putTaskWords TASK {kind:assign,author:payer,executorId:executor,text: By noon. ,at:now}',
        'addPaymentEvent {taskId:TASK,status:success,amount:10000000n USDC,asset:USDC,from:payer,to:null,txHash:null,at:now,id:#2,type:verify}',
        'addPaymentEvent {taskId:TASK,status:success,amount:10000000n USDC,asset:USDC,from:payer,to:null,txHash:null,at:now,id:#3,type:store_auth}',
      ],
    ],
    [
      'and the bounty is locked, where its publisher pays apart',
      { mode: 'fase1' },
      1,
      [
        'lockTask TASK',
        'application TASK executor',
        'isGoingBack hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:TASK,purpose:lock,subject:TASK,order:{kind:authorize,key:authorize:hash:#1,payment:hash,authorization:{validAfter:0n,validBefore:1795266000n,nonce:hash,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'moveTask TASK assigning now {escrowStatus:authorizing}',
        'putEscrow TASK {network:localnet,asset:USDC,operator:operator,payer:payer,receiver:receiver,token:token,maxAmount:10000000n,preApprovalExpiry:1795266000,authorizationExpiry:1797854400,refundExpiry:1798718400,minFeeBps:0,maxFeeBps:1300,feeReceiver:operator,salt:SALTn,hash:hash}',
        'keepStandingOrder TASK null',
        'putTaskWords TASK {kind:assign,author:payer,executorId:executor,text: By noon. ,at:now}',
        'addPaymentEvent {taskId:TASK,status:success,amount:10000000n USDC,asset:USDC,from:payer,to:null,txHash:null,at:now,id:#2,type:store_auth}',
      ],
    ],
    [
      'by what was signed with the task',
      { task: { paymentAuth: signed() }, input: { paymentAuth: null, notes: null } },
      1,
      [
        'lockTask TASK',
        'application TASK executor',
        'isGoingBack hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:TASK,purpose:lock,subject:TASK,order:{kind:authorize,key:authorize:hash:#1,payment:hash,authorization:{validAfter:0n,validBefore:1795266000n,nonce:hash,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'moveTask TASK assigning now {escrowStatus:authorizing}',
        'putEscrow TASK {network:localnet,asset:USDC,operator:operator,payer:payer,receiver:receiver,token:token,maxAmount:10000000n,preApprovalExpiry:1795266000,authorizationExpiry:1797854400,refundExpiry:1798718400,minFeeBps:0,maxFeeBps:1300,feeReceiver:operator,salt:SALTn,hash:hash}',
        'keepStandingOrder TASK null',
        'addPaymentEvent {taskId:TASK,status:success,amount:10000000n USDC,asset:USDC,from:payer,to:null,txHash:null,at:now,id:#2,type:verify}',
        'addPaymentEvent {taskId:TASK,status:success,amount:10000000n USDC,asset:USDC,from:payer,to:null,txHash:null,at:now,id:#3,type:store_auth}',
      ],
    ],
    [
      'with the order by which silence pays',
      { task: governed, input: { standingOrder } },
      1,
      [
        'lockTask TASK',
        'application TASK executor',
        'isGoingBack hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:TASK,purpose:lock,subject:TASK,order:{kind:authorize,key:authorize:hash:#1,payment:hash,authorization:{validAfter:0n,validBefore:1795266000n,nonce:hash,signature:0x}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'moveTask TASK assigning now {escrowStatus:authorizing}',
        'putEscrow TASK {network:localnet,asset:USDC,operator:operator,payer:payer,receiver:receiver,token:token,maxAmount:10000000n,preApprovalExpiry:1795266000,authorizationExpiry:1797854400,refundExpiry:1798718400,minFeeBps:0,maxFeeBps:1300,feeReceiver:operator,salt:SALTn,hash:hash}',
        'keepStandingOrder TASK {payment:hash,until:then}',
        'putTaskWords TASK {kind:assign,author:payer,executorId:executor,text: By noon. ,at:now}',
        'addPaymentEvent {taskId:TASK,status:success,amount:10000000n USDC,asset:USDC,from:payer,to:null,txHash:null,at:now,id:#2,type:verify}',
        'addPaymentEvent {taskId:TASK,status:success,amount:10000000n USDC,asset:USDC,from:payer,to:null,txHash:null,at:now,id:#3,type:store_auth}',
      ],
    ],
    [
      'where nothing is held, with its notes',
      { task: direct, current: { status: 'published' }, input: { paymentAuth: null } },
      2,
      [
        'lockTask TASK',
        'application TASK executor',
        'putTaskWords TASK {kind:assign,author:payer,executorId:executor,text: By noon. ,at:now}',
        'moveTask TASK accepted now {executorId:executor}',
        'acceptApplication TASK executor',
        'pendingApplications TASK 500',
        'addEvent {id:#1,type:task.assigned,taskId:TASK,at:now,data:{task_id:TASK,executor_id:executor,worker_wallet:receiver,bounty_usd:10,escrow_tx:null,notes: By noon. }}',
      ],
    ],
    [
      'where nothing is held, and earlier notes are taken back',
      {
        task: direct,
        input: { paymentAuth: null, notes: null },
        script: { application: { status: 'pending', hasNotes: true } },
      },
      2,
      [
        'lockTask TASK',
        'application TASK executor',
        'putTaskWords TASK {kind:assign,author:payer,executorId:executor,text:null,at:now}',
        'moveTask TASK accepted now {executorId:executor}',
        'acceptApplication TASK executor',
        'pendingApplications TASK 500',
        'addEvent {id:#1,type:task.assigned,taskId:TASK,at:now,data:{task_id:TASK,executor_id:executor,worker_wallet:receiver,bounty_usd:10,escrow_tx:null}}',
      ],
    ],
  ])('%s', async (_what, given, taken, lines) => {
    const one = stage({
      ...given,
      task: given.task === direct ? { ...direct, status: 'published' } : (given.task ?? {}),
    })
    const { deps, asked } = one
    const done = await assign(deps, publisher, taskId, input(given.input))
    expect([done.state, done.executorId, done.workerWallet]).toEqual(['accepted', 'executor', 'receiver'])
    expect(one.taken).toEqual([[publisher, taken]])
    const begun = asked.findIndex(([name]) => name === 'transaction') + 1
    const end = asked.findIndex(([name], index) => name === 'transaction' && index > begun)
    expect(linesOf(asked.slice(begun, end < 0 ? undefined : end)).map(shortened)).toEqual(lines)
  })
  test('later, while nobody knows where the money is', async () => {
    const { deps, chain, woken } = stage({})
    chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    expect((await assign(deps, publisher, taskId, input())).state).toBe('assigning')
    expect(woken).toEqual(['settlements'])
  })
  test('may name where the payment goes, in any case', async () => {
    const both = { paymentWorker: 'RECEIVER', paymentFee: 'Operator' }
    expect((await assign(stage({}).deps, publisher, taskId, input(both))).state).toBe('accepted')
  })

  const other = '01950000-0000-7000-8000-000000000002'
  test.each<[string, Given, unknown]>([
    ['who is not there', { input: { executorId: 'nobody' } }, ['WORKER_NOT_FOUND', { executor_id: 'nobody' }]],
    ['who did not apply', { script: { application: null } }, ['WORKER_NOT_APPLIED', { executor_id: 'executor' }]],
    [
      'of a task that is being assigned',
      { task: { status: 'assigning' } },
      ['ESCROW_NOT_ASSIGNABLE', { task_id: '01950000-0000-7000-8000-000000000001', status: 'assigning' }],
    ],
    [
      'of a task that another has',
      { task: { status: 'accepted' } },
      ['TASK_NOT_ASSIGNABLE', { task_id: '01950000-0000-7000-8000-000000000001', status: 'accepted' }],
    ],
    [
      'at the deadline',
      { task: { deadline: now } },
      ['DEADLINE_PASSED', { task_id: '01950000-0000-7000-8000-000000000001' }],
    ],
    [
      'who is its publisher',
      { script: { worker: { ...worker, wallet: 'payer' } } },
      ['SELF_PAYMENT_BLOCKED', { task_id: '01950000-0000-7000-8000-000000000001' }],
    ],
    [
      'who is no agent',
      { task: { target: 'agent' } },
      ['PARTY_MISMATCH', { target_executor_type: 'agent', executor_type: 'human' }],
    ],
    [
      'of less reputation',
      { task: { minReputation: 51 } },
      ['REPUTATION_TOO_LOW', { min_reputation: 51, effective_reputation_score: 50 }],
    ],
    ['who is banned', { script: { isBanned: true } }, ['WORKER_BLOCKED', { wallet: 'receiver' }]],
    [
      'named otherwise beside',
      { input: { paymentWorker: 'other' } },
      ['FORBIDDEN_RECEIVER', { header: 'X-Payment-Worker', network: 'localnet', required_usdc: 10 }],
    ],
    [
      'with a fee named otherwise beside',
      { input: { paymentFee: 'other' } },
      ['FORBIDDEN_RECEIVER', { header: 'X-Payment-Fee', network: 'localnet', required_usdc: 10 }],
    ],
    [
      'without a signature',
      { input: { paymentAuth: null } },
      [
        'escrow_signature_required',
        {
          challenge: '/api/v1/tasks/01950000-0000-7000-8000-000000000001/assign/challenge?executor_id=executor',
          network: 'localnet',
          required_usdc: 10,
        },
      ],
    ],
    [
      'with a signature of the task for another',
      { task: { paymentAuth: signed({ receiver: 'other' }) }, input: { paymentAuth: null } },
      [
        'escrow_signature_required',
        {
          challenge: '/api/v1/tasks/01950000-0000-7000-8000-000000000001/assign/challenge?executor_id=executor',
          network: 'localnet',
          required_usdc: 10,
        },
      ],
    ],
    [
      'with a signature for another',
      { input: { paymentAuth: signed({ receiver: 'other' }) } },
      ['FORBIDDEN_RECEIVER', {}],
    ],
    [
      'with a signature over another amount',
      { input: { paymentAuth: signed({ amount: '1' }) } },
      ['AMOUNT_MISMATCH', {}],
    ],
    [
      'with the signature of another task',
      {
        input: { paymentAuth: signed({ salt: saltOf(other, 7n).toString() }) },
        script: {
          task: (id: string) => ({
            ...heldTask({ id, status: 'published', escrowStatus: 'pending_assignment', executorId: null }),
          }),
        },
      },
      ['PAYMENT_AUTH_USED', { task_id: '01950000-0000-7000-8000-000000000001' }],
    ],
    [
      'with an order where silence pays nobody',
      { input: { standingOrder } },
      ['LIFECYCLE_ORDER_INVALID', { reason: 'silence pays nobody under the policy of this task' }],
    ],
    [
      'with an order for another payment',
      { task: governed, input: { standingOrder: '{"payment":"other"}' } },
      ['LIFECYCLE_ORDER_INVALID', {}],
    ],
    [
      'by a payer who has less',
      { before: (chain) => chain.fund('payer', -1n) },
      [
        'INSUFFICIENT_FUNDS',
        { network: 'localnet', required_usdc: 10, balance_usdc: 9.999999, wallet_address: 'payer' },
      ],
    ],
    [
      'with a signature that its payer used up',
      {
        before: (chain) => {
          chain.authorize(payment, payment.maxAmount)
          chain.capture(payment.hash, 1n)
        },
      },
      ['LOCK_REVERTED', { network: 'localnet', required_usdc: 10 }],
    ],
    [
      'of a task that went meanwhile',
      { current: null },
      ['TASK_NOT_FOUND', { task_id: '01950000-0000-7000-8000-000000000001' }],
    ],
    [
      'of a task that ended meanwhile',
      { current: { status: 'cancelled' } },
      ['TASK_NOT_ASSIGNABLE', { task_id: '01950000-0000-7000-8000-000000000001', status: 'cancelled' }],
    ],
    [
      'who withdrew meanwhile',
      {
        script: () => {
          let asked = 0
          return { application: () => ((asked += 1) === 1 ? { status: 'pending' } : { status: 'withdrawn' }) }
        },
      },
      ['WORKER_NOT_APPLIED', { executor_id: 'executor' }],
    ],
    [
      'with a signature whose money goes back',
      { script: { isGoingBack: true } },
      ['LOCK_REVERTED', { network: 'localnet', required_usdc: 10 }],
    ],
    [
      'while another is assigned',
      { script: { claimSettlement: false } },
      ['ESCROW_NOT_ASSIGNABLE', { task_id: '01950000-0000-7000-8000-000000000001' }],
    ],
    [
      'whose money the chain does not lock',
      {
        before: (chain) => {
          chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
        },
      },
      ['LOCK_REVERTED', { network: 'localnet', required_usdc: 10 }],
    ],
  ])('but nobody %s', async (_what, { input: change, ...given }, refused) => {
    const { deps, chain } = stage(given)
    expect(await refusalOf(() => assign(deps, publisher, taskId, input(change)))).toEqual(refused)
    expect(chain.landings).toEqual([])
  })
  test('nor by a stranger', async () => {
    expect(await refusalOf(() => assign(stage({}).deps, stranger, taskId, input()))).toEqual([
      'FORBIDDEN',
      { task_id: '01950000-0000-7000-8000-000000000001' },
    ])
  })
})

describe('what is to be signed', () => {
  test('is for this worker', async () => {
    expect(lineOf(await assignChallenge(stage({ task: governed }).deps, publisher, taskId, 'executor'))).toEqual(
      'answer {taskId:TASK,executorId:executor,network:eip155:31337,amount:10000000n USDC,typedData:{},envelope:{payer:payer,receiver:receiver,amount:10000000,hash:0x…1,salt:715573061235425633680743362405083080922650266970879836289106513984850231297},expiresAt:2026-11-21T13:00:00.000Z,collector:collector,token:token,boundUntil:2026-12-21T12:00:00.000Z,standing:null}',
    )
  })
  test.each<[string, Given, unknown]>([
    ['who did not apply', { script: { application: null } }, ['WORKER_NOT_APPLIED', { executor_id: 'executor' }]],
    [
      'who took its application back',
      { script: { application: { status: 'withdrawn' } } },
      ['WORKER_NOT_APPLIED', { executor_id: 'executor' }],
    ],
    [
      'of a task that another has',
      { task: { status: 'accepted' } },
      ['TASK_NOT_ASSIGNABLE', { task_id: '01950000-0000-7000-8000-000000000001', status: 'accepted' }],
    ],
    ['who is banned', { script: { isBanned: true } }, ['WORKER_BLOCKED', { wallet: 'receiver' }]],
    [
      'where nothing is held',
      { task: { ...direct, status: 'published' } },
      ['NETWORK_NO_ESCROW', { network: 'localnet' }],
    ],
  ])('but not for one %s', async (_what, given, refused) => {
    expect(await refusalOf(() => assignChallenge(stage(given).deps, publisher, taskId, 'executor'))).toEqual(refused)
  })
})
