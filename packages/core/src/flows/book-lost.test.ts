import { describe, expect, test } from 'vitest'
import { saltOf } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'
import { directNonceOf, type DirectPart } from '../escrow/direct-nonce.ts'
import type { Movement } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import type { SeenMovement, SpentNonce } from '../ports/chain-logs.ts'
import type { Found, Rail } from '../ports/rail.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { charge, heldTask, moved, payment, placeOn, settlementOf, submission } from '../testing/scripted-money.ts'
import { bookLostLock } from './book-lost-lock.ts'
import { bookLostTransfer } from './book-lost-transfer.ts'

/** A payment on chain that no row names: the database is older than the chain, as after a restore. */

const now = scriptedNow
const taskId = '01950000-0000-7000-8000-000000000001'
const place = { txHash: '0xlanded', blockNumber: 7n, logIndex: 1 }
const unread = (): Promise<never> => Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))

type Stage = { readonly task?: Partial<Task> | null; readonly script?: Script; readonly rail?: Partial<Rail> }

function stage({ task = {}, script = {}, rail = {} }: Stage) {
  const own = task === null ? null : heldTask({ id: taskId, ...task })
  const one = placeOn(heldTask(), {
    task: own,
    lockTask: own,
    ...keptClaims(),
    settlement: null,
    workerByWallet: { id: 'executor', wallet: 'receiver' },
    worker: { id: 'executor', wallet: 'receiver' },
    ...script,
  })
  return { ...one, deps: { ...one.deps, rails: () => ({ ...one.chain.rail, ...rail }) } }
}
/** Up to the claim and what belongs to it: that a claim is confirmed is held elsewhere. */
const claimedBy = ({ asked }: ReturnType<typeof stage>): readonly string[] =>
  linesOf(asked)
    .map((line) => line.replaceAll(taskId, 'task'))
    .filter((line) => /^(claimSettlement|insertApplication|moveTask|putEscrow|putWorker|endSettlement)/.test(line))

const authorization = { validAfter: 0n, validBefore: 0n, nonce: 'nonce', signature: '0x' }
const lostPayment: Payment = { ...payment, salt: saltOf(taskId, 1n) }

describe('a lock that no row names', () => {
  type Given = Stage & {
    readonly payment?: Partial<Payment>
    readonly atomic?: bigint
    readonly movements?: readonly Movement[] | 'unread'
    readonly lock?: null
  }
  const open = { status: 'published', escrowStatus: 'pending_assignment', executorId: null } as const

  async function booked({ payment: change = {}, atomic = payment.maxAmount, movements, lock, ...given }: Given) {
    const own = { ...lostPayment, ...change }
    const seen: SeenMovement = {
      ...moved('authorized', atomic, place),
      operator: 'ours',
      lock: lock === null ? null : { payment: own, authorization },
    }
    const read = movements ?? [seen]
    const task = given.task === null ? null : { ...open, ...given.task }
    const one = stage({
      ...given,
      task,
      rail: { movements: () => (read === 'unread' ? unread() : Promise.resolve(read)) },
    })
    return { one, lost: await bookLostLock(one.deps, seen) }
  }

  test('is claimed for the task that its salt carries, and the task is assigned as it was', async () => {
    const { one, lost } = await booked({})
    expect(lost).toMatchObject({ state: 'booked', known: { payment: lostPayment, lock: { purpose: 'lock' } } })
    const lines = claimedBy(one)
    expect(lines[0]).toContain('taskId:task,purpose:lock,subject:task,order:{kind:authorize,key:authorize:hash:#2,')
    expect(lines.slice(1, 4)).toEqual([
      'insertApplication {id:#3,taskId:task,executorId:executor,status:pending,message:null,createdAt:now}',
      'moveTask task assigning now {escrowStatus:authorizing}',
      expect.stringMatching(/^putEscrow task /) as string,
    ])
    expect(lines.at(-1)).toMatch(/^endSettlement #2 \{status:confirmed,txHash:0xlanded/)
  })
  test.each([
    ['any', ''],
    ['human', ',party:human'],
  ] as const)('for a worker that the chain alone knows, of a task for %s', async (target, party) => {
    const script = { workerByWallet: null, putWorker: { id: 'executor', wallet: 'receiver' } }
    const { one } = await booked({ task: { target }, script })
    expect(claimedBy(one)[0]).toBe(`putWorker {id:#1,wallet:receiver,at:now${party}}`)
  })
  test('and a worker that is known stays as it is', async () => {
    const { one } = await booked({})
    expect(one.of('putWorker')).toEqual([])
  })

  const asset = (change: object) => ({ asset: { ...payment.asset, ...change } })
  test.each<[string, Given]>([
    ['that carries no lock', { lock: null }],
    ['of a task that is gone', { task: null }],
    ['whose salt carries nothing', { payment: { salt: 1n } }],
    ['of another payer', { payment: { payer: 'other' } }],
    ['that pays its payer', { payment: { receiver: 'payer' } }],
    ['on another network', { payment: asset({ network: 'other' }) }],
    ['in another token', { payment: asset({ symbol: 'EURC' }) }],
    ['of another amount', { payment: { maxAmount: 9n } }],
    ['that held another amount', { atomic: 9n }],
    ['that ends before the deadline', { payment: { authorizationExpiry: now.getTime() / 1_000 } }],
    ['of a task that another has', { task: { status: 'accepted' } }],
    ['of a task that went meanwhile', { script: { lockTask: null } }],
    ['that is claimed otherwise', { script: { claimSettlement: false } }],
  ])('is for a person to see: one %s', async (_what, given) => {
    const { one, lost } = await booked(given)
    expect(lost.state).toBe('unfit')
    expect(one.of('moveTask')).toEqual([])
  })
  test('fits a task whose deadline is the end of its authorization', async () => {
    const { lost } = await booked({ task: { deadline: new Date(payment.authorizationExpiry * 1_000) } })
    expect(lost.state).toBe('booked')
  })

  const held = moved('authorized')
  test.each<[string, NonNullable<Given['movements']>, string]>([
    ['cannot be read', 'unread', 'unread'],
    ['shows no such payment yet', [], 'unread'],
    ['shows that it went back', [held, moved('voided')], 'over'],
    ['shows that it was paid out', [held, moved('captured')], 'booked'],
    ['shows that it is held', [held], 'booked'],
  ])('where the chain %s', async (_what, movements, state) => {
    const { lost } = await booked({ movements })
    expect(lost.state).toBe(state)
  })
})

describe('a direct payment that no row names', () => {
  type Given = Stage & {
    readonly part?: DirectPart
    readonly spent?: Partial<SpentNonce>
    readonly found?: Found | 'unread'
    readonly network?: string
  }
  const pending = { status: 'verifying', escrowStatus: 'none' } as const
  const landed: Found = { state: 'landed', ...place }

  async function booked({ part = 'payout', spent = {}, found = landed, network = 'localnet', ...given }: Given) {
    const nonce = directNonceOf(taskId, part, 1n)
    const task = given.task === null ? null : { ...pending, ...given.task }
    const script = { submissions: [submission({ status: 'rejected', id: 'before' }), submission()], ...given.script }
    const find = () => (found === 'unread' ? unread() : Promise.resolve(found))
    const one = stage({ task, script, rail: { find } })
    const lost = await bookLostTransfer(
      one.deps,
      { ...place, token: 'token', payer: 'payer', nonce, ...spent },
      network,
    )
    return { one, lost, nonce }
  }
  const paid = settlementOf('payout', charge(), { status: 'confirmed' })

  test('is claimed for the work that waits to be paid, and its fee is owed from then on', async () => {
    const { one, lost, nonce } = await booked({})
    expect(lost).toEqual({ state: 'booked' })
    const [payout, fee, owed] = claimedBy(one)
    expect(payout).toContain('submissionId:submission,executorId:executor')
    expect(payout).toContain('purpose:payout,subject:payout:submission,order:{kind:charge')
    expect(payout).toContain('amount:8700000n USDC,token:token,from:payer,to:receiver,validAfter:0n,validBefore:0n')
    expect(payout).toContain(`nonce:${nonce.replaceAll(/0x0{30,}/g, '0x…')},signature:0x}`)
    expect(fee).toContain('purpose:fee,subject:fee:submission,order:{kind:charge')
    expect(fee).toContain('amount:1300000n USDC,token:token,from:payer,to:treasury')
    expect(fee).toContain(`${nonce.slice(-8)}:fee`)
    expect(owed).toBe('endSettlement #2 {status:refused,code:SETTLEMENT_FAILED} now')
  })
  test('of a bounty that is too small for a fee owes none', async () => {
    const { one, lost } = await booked({ task: { bounty: { atomic: 1n, asset: payment.asset } } })
    expect(lost.state).toBe('booked')
    expect(claimedBy(one).filter((line) => line.includes('purpose:fee'))).toEqual([])
  })
  test('is the fee of work that was paid', async () => {
    const settlement = (_task: string, part: string) => (part === 'payout' ? paid : null)
    const { one, lost } = await booked({ part: 'fee', task: { status: 'completed' }, script: { settlement } })
    expect(lost.state).toBe('booked')
    expect(claimedBy(one)[0]).toContain('purpose:fee,subject:fee:submission')
    expect(claimedBy(one)[0]).toContain('amount:1300000n USDC,token:token,from:payer,to:treasury')
  })

  const same = (nonce: string) => settlementOf('payout', charge({ nonce }))
  test.each<[string, Given, string]>([
    ['with a nonce that says nothing', { spent: { nonce: 'nonce' } }, 'known'],
    ['of a task that is not ours', { task: null }, 'known'],
    ['that a row names', { script: { settlement: same(directNonceOf(taskId, 'payout', 1n)) } }, 'known'],
    ['beside one that a row names', { script: { settlement: same('other') } }, 'booked'],
    ['on another network', { network: 'other' }, 'unfit'],
    ['by another payer', { spent: { payer: 'other' } }, 'unfit'],
    ['for which no work waits', { script: { submissions: [submission({ status: 'approved' })] } }, 'unfit'],
    ['for a worker that is gone', { script: { worker: null } }, 'unfit'],
    ['that cannot be read', { found: 'unread' }, 'unread'],
    ['that paid something else', { found: { state: 'absent' } }, 'unfit'],
    ['of a task that went meanwhile', { script: { lockTask: null } }, 'unfit'],
    ['of work that went meanwhile', { script: { lockSubmission: null } }, 'unfit'],
    ['while other money is under way', { script: { hasOpenSettlement: true } }, 'unfit'],
    ['of work that was decided', { script: { lockSubmission: submission({ status: 'approved' }) } }, 'unfit'],
    ['of a task that is over', { task: { status: 'expired' } }, 'unfit'],
    ['of a task whose bounty is held', { task: { escrowStatus: 'authorized' } }, 'unfit'],
    ['that is claimed otherwise', { script: { claimSettlement: false } }, 'unfit'],
    ['of a fee whose worker was not paid', { part: 'fee' }, 'unfit'],
    [
      'of a fee that is claimed otherwise',
      { part: 'fee', script: { settlement: paid, claimSettlement: false } },
      'unfit',
    ],
    ['of a fee of no work', { part: 'fee', script: { settlement: { ...paid, submissionId: null } } }, 'unfit'],
    ['of a fee of no worker', { part: 'fee', script: { settlement: { ...paid, executorId: null } } }, 'unfit'],
  ])('one %s: %s', async (_what, given, state) => {
    const { lost } = await booked(given)
    expect(lost.state).toBe(state)
  })
})
