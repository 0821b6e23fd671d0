import { describe, expect, test } from 'vitest'
import { readPolicy } from '../policy/policy.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import type { FakeChain } from '../testing/fake-chain.ts'
import { linesOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { claimed, type Lines } from '../testing/scripted-lines.ts'
import { heldTask, payment, placeOn, submission } from '../testing/scripted-money.ts'
import { endReview } from './end-review.ts'

const now = scriptedNow
const later = new Date(now.getTime() + 1)
const timer = (attempts = 0) => ({ taskId: 'task', kind: 'review_end', dueAt: now, attempts }) as never
const dropped = (attempts = 0) => `dropTimer {taskId:task,kind:review_end,dueAt:now,attempts:${String(attempts)}}`
const check = (name: string, result: string) => ({ name, result, reason: null, details: {} }) as never
const passed = { verifiedAt: now, checks: [check('schema', 'passed')] }

type Given = {
  readonly task?: Partial<Task> | null
  readonly work?: Partial<Submission>
  readonly script?: Script
  readonly before?: (chain: FakeChain) => void
  readonly fault?: 'lost before' | 'refused' | 'none'
  readonly attempts?: number
}

/** The review time of a task is over, its money is held, and its payer signed for silence. */
async function ended({ task = {}, work = passed, script = {}, before, fault = 'none', attempts = 0 }: Given) {
  const held = { status: 'verifying', escrowStatus: 'authorized', policy: readPolicy({}), reviewUntil: now } as const
  const own = task === null ? null : heldTask({ ...held, ...task })
  const one = placeOn(heldTask(), {
    lockTask: own,
    pendingSubmission: 'submission',
    lockSubmission: submission(work),
    standingOrder: { payment: 'hash' },
    ...keptClaims(),
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  one.chain.authorize(payment, payment.maxAmount)
  one.chain.fault = (method) => (method === 'send' ? fault : 'none')
  before?.(one.chain)
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  await endReview({ ...one.deps, wakeup }, timer(attempts))
  const lines = linesOf(one.asked)
  const end = lines.indexOf('transaction', lines.indexOf('transaction') + 1)
  return { lines: lines.slice(0, end < 0 ? undefined : end), woken, chain: one.chain }
}

const prepared: Lines = ['escrowPayment task', 'standingOrder task']
const locked: Lines = ['transaction', 'lockTask task', 'pendingSubmission task', 'lockSubmission submission']
const looked: Lines = [...prepared, ...locked, 'hasOpenSettlement task']
const lapsed = (id: number, outcome: string) =>
  `addEvent {id:#${String(id)},type:review.lapsed,taskId:task,at:now,data:{task_id:task,submission_id:submission,` +
  `outcome:${outcome},checks:[{name:schema,result:passed}]}}`
const released = (atomic: bigint, after = '') =>
  claimed(1, {
    purpose: 'release',
    mustLand: false,
    order:
      `kind:capture,key:silence:hash:#1,payment:hash,issuedAt:1795262400,amount:${String(atomic)}n USDC,` +
      'order:{signer:spender,deadline:1795263000,nonce:0x…1,signature:0x,warrant:{payment:hash}}' +
      after,
  })

describe('a review that nobody decided pays the worker', () => {
  test('all that is held, where the checks passed and the payer signed for it', async () => {
    const { lines, woken } = await ended({})
    expect(lines).toEqual([
      ...looked,
      'escrowPayment task',
      released(10_000_000n),
      'changeTask task {escrowStatus:releasing} now',
      lapsed(2, 'release'),
    ])
    expect(woken).toEqual(['settlements'])
  })
  test('what is left, where part moved past us: that is booked before', async () => {
    const { lines } = await ended({ before: (chain) => void chain.capture('hash', 4_000_000n) })
    expect(lines.filter((line) => line.startsWith('addMovement'))).toHaveLength(2)
    expect(lines.join('\n')).toContain('amount:6000000n USDC')
  })
  test('and is tried again, where it was refused', async () => {
    const { lines, woken } = await ended({ fault: 'refused' })
    expect(lines).toContain(released(10_000_000n))
    expect([lines.includes(dropped()), woken]).toEqual([false, []])
  })
  test('and goes on, where no answer came', async () => {
    expect((await ended({ fault: 'lost before' })).woken).toEqual(['settlements'])
  })
  test.each<[string, Given]>([
    ['where another claims the money', { script: { claimSettlement: false } }],
    ['where it is being paid already', { task: { escrowStatus: 'releasing' } }],
  ])('not %s', async (_where, given) => {
    const { lines, woken } = await ended(given)
    expect(lines.filter((line) => /^(changeTask|addEvent|moveTask|dropTimer)/.test(line))).toEqual([])
    expect(woken).toEqual([])
  })
  test('not of another payment than it was prepared for', async () => {
    let reads = 0
    const escrowPayment = () => ((reads += 1) === 1 ? payment : { ...payment, hash: 'other' })
    const { lines } = await ended({ script: { escrowPayment } })
    expect(lines).toEqual([...looked, 'escrowPayment task'])
  })
})

describe('a review that nobody decided is a dispute, and never a refund', () => {
  const disputed = (id = 1): Lines => [
    'moveTask task disputed now',
    `insertDispute {id:#${String(id)},taskId:task,submissionId:submission,status:open,openedBy:service,` +
      'reason:no_response,description:The review time is over and nobody decided.,criteria:[],' +
      'resolution:null,resolvedAt:null,createdAt:now}',
    'countDecision payer silent null',
  ]
  const opened = (id: number) =>
    `addEvent {id:#${String(id)},type:dispute.opened,taskId:task,at:now,` +
    `data:{task_id:task,submission_id:submission,dispute_id:#${String(id - 2)}}}`

  test('that can be decided for as long as the policy says', async () => {
    const { lines, woken } = await ended({ script: { standingOrder: null } })
    // 72 hours, of which the end of the authorization leaves twelve.
    const until = '2026-11-22T00:00:00.000Z'
    expect(lines).toEqual([
      ...looked,
      ...disputed(),
      lapsed(2, 'dispute'),
      opened(3),
      'escrowPayment task',
      `changeTask task {deadline:${until}} now`,
      `addEvent {id:#4,type:task.deadline_moved,taskId:task,at:now,data:{task_id:task,deadline:${until},` +
        'was:2026-11-21T12:00:00.001Z,reason:disputed}}',
      dropped(),
    ])
    expect(woken).toEqual([])
  })

  const over = { ...payment, authorizationExpiry: now.getTime() / 1_000 }
  test.each<[string, Given]>([
    ['where the checks did not pass', { work: { ...passed, checks: [check('schema', 'failed')] } }],
    ['where they did not run', { work: { ...passed, verifiedAt: null } }],
    ['where nothing is held', { task: { escrowStatus: 'none' }, script: { escrowPayment: null } }],
    ['where the payer signed for another payment', { script: { standingOrder: { payment: 'other' } } }],
    ['where it cannot be paid out any more', { script: { escrowPayment: over } }],
    [
      'where all of it moved past us',
      {
        before: (chain) => {
          chain.payOut('hash')
        },
      },
    ],
    ['where it was refused too often', { attempts: 6 }],
  ])('%s', async (_where, given) => {
    const { lines } = await ended(given)
    expect(lines).toEqual(expect.arrayContaining([...disputed()]))
    expect(lines.filter((line) => line.startsWith('claimSettlement'))).toEqual([])
    expect(lines.at(-1)).toBe(dropped(given.attempts))
  })
  test('and not yet after five tries', async () => {
    expect((await ended({ attempts: 5 })).lines).toContain(released(10_000_000n))
  })
})

describe('a review that is not over has no silence', () => {
  test.each<[string, Given, Lines]>([
    ['where the task is gone', { task: null }, ['transaction', 'lockTask task', dropped()]],
    ['where it was decided', { task: { status: 'completed' } }, ['transaction', 'lockTask task', dropped()]],
    ['of a task without a policy', { task: { policy: null } }, [...locked, dropped()]],
    [
      'where nothing waits',
      { script: { pendingSubmission: null } },
      ['transaction', 'lockTask task', 'pendingSubmission task', dropped()],
    ],
    [
      'before its time',
      { task: { reviewUntil: later } },
      [...locked, 'putTimer task review_end 2026-11-21T12:00:00.001Z'],
    ],
    ['while money is under way', { script: { hasOpenSettlement: true } }, [...locked, 'hasOpenSettlement task']],
  ])('%s', async (_where, given, expected) => {
    expect((await ended(given)).lines).toEqual([...prepared, ...expected])
  })
  test('but one without an end has one now', async () => {
    expect((await ended({ task: { reviewUntil: null } })).lines).toContain(released(10_000_000n))
  })
})
