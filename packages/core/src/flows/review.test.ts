import { describe, expect, test } from 'vitest'
import type { TaskStatus } from '@ergon/contract'
import { readPolicy } from '../policy/policy.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, refusalOf, scriptedNow, type Script, walletOf } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, placeOn, submission } from '../testing/scripted-money.ts'
import { openDispute } from './dispute.ts'
import { reject, requestChanges } from './review.ts'

const now = scriptedNow
const hours = (count: number): Date => new Date(now.getTime() + count * 3_600_000)

/** Nothing is held, so a deadline moves by the whole of what the policy says. */
function stage(script: Script = {}, task: Partial<Task> = {}, work: Partial<Submission> = {}) {
  const own = heldTask({ escrowStatus: 'none', ...task })
  const pending = submission({ submittedAt: hours(-3), ...work })
  return placeOn(own, {
    task: own,
    lockTask: own,
    submission: pending,
    lockSubmission: pending,
    worker: { id: 'executor', wallet: 'receiver' },
    submissions: [pending],
    ...script,
  })
}

const seen: Lines = ['submission submission', 'task task']
const locked: Lines = ['transaction', 'lockTask task', 'lockSubmission submission', 'hasOpenSettlement task']
const told = (id: number, type: string, data: string) =>
  `addEvent {id:#${String(id)},type:${type},taskId:task,at:now,data:{task_id:task,${data}}}`
const opened = (by: string, reason: string, description: string, criteria = '') =>
  `insertDispute {id:#1,taskId:task,submissionId:submission,status:open,openedBy:${by},reason:${reason},` +
  `description:${description},criteria:[${criteria}],resolution:null,resolvedAt:null,createdAt:now}`
const decided = (reason: string) => `decideSubmission submission {status:rejected,at:now,reason:${reason}}`
const moved = (id: number, until: Date, reason: string): Lines => [
  `changeTask task {deadline:${until.toISOString()}} now`,
  told(id, 'task.deadline_moved', `deadline:${until.toISOString()},was:2026-11-21T12:00:00.001Z,reason:${reason}`),
]

const refusing = { reason: 'It is blurred.', criteria: ['sharp'] }
const rejects = (one: ReturnType<typeof stage>, input: Parameters<typeof reject>[3] = refusing) =>
  reject(one.deps, walletOf('payer'), 'submission', input)
const asksAgain = (one: ReturnType<typeof stage>) =>
  requestChanges(one.deps, walletOf('payer'), 'submission', 'Once more.')
const disputes = (one: ReturnType<typeof stage>, wallet = 'receiver') =>
  openDispute(one.deps, walletOf(wallet), 'submission', { reason: 'other', description: 'It is sharp.' })

/** The third bucket of the time to decide: up to four hours. */
const bucket = 2

describe('the publisher rejects what was handed in', () => {
  test('which is a dispute from then on', async () => {
    const one = stage()
    const { submission: after, task, dispute } = await rejects(one)
    expect(after).toMatchObject({ status: 'rejected', rejectionReason: 'It is blurred.', decidedAt: now })
    expect(task).toMatchObject({ status: 'disputed', updatedAt: now })
    expect(linesOf(one.asked)).toEqual([
      ...seen,
      ...locked,
      decided('It is blurred.'),
      `countDecision payer rejected ${String(bucket)}`,
      'moveTask task disputed now',
      opened('publisher', 'incomplete_work', 'It is blurred.', 'sharp'),
      told(2, 'submission.rejected', 'submission_id:submission,reason:It is blurred.'),
      told(3, 'dispute.opened', 'submission_id:submission,dispute_id:#1'),
    ])
    expect(one.of('insertDispute')).toEqual([[dispute]])
  })
  test('as what it calls it', async () => {
    const one = stage()
    expect((await rejects(one, { ...refusing, category: 'fake_evidence' })).dispute.reason).toBe('fake_evidence')
  })
  test('and there is as long to decide it as the policy says', async () => {
    const one = stage({}, { policy: readPolicy({ disputeHours: 48 }) })
    await rejects(one)
    expect(linesOf(one.asked).slice(-2)).toEqual(moved(4, hours(48), 'disputed'))
  })
  test.each([
    [true, ['sharp'], null],
    [false, [], null],
    [
      true,
      [],
      [
        'VALIDATION_FAILED',
        {
          field: 'criteria',
          constraint: 'at least one: the policy of this task asks for a criterion with each rejection',
          received: '0',
        },
      ],
    ],
  ] as const)(
    'and cites a criterion, where the policy asks for it: %j, %j',
    async (criteriaRequired, criteria, not) => {
      const one = stage({}, { policy: readPolicy({ criteriaRequired }) })
      expect(await refusalOf(() => rejects(one, { reason: 'No.', criteria }))).toEqual(not)
    },
  )
  test('or needs to cite none, without a policy', async () => {
    expect(await refusalOf(() => rejects(stage(), { reason: 'No.', criteria: [] }))).toBe(null)
  })
})

describe('the publisher asks for changes', () => {
  test('and the task is in progress until they come', async () => {
    const one = stage()
    const { submission: after, task } = await asksAgain(one)
    expect(after).toMatchObject({ status: 'rejected', rejectionReason: 'Once more.', decidedAt: now })
    expect(task).toMatchObject({ status: 'in_progress', updatedAt: now })
    expect(linesOf(one.asked)).toEqual([
      ...seen,
      ...locked,
      decided('Once more.'),
      `countDecision payer changes ${String(bucket)}`,
      'moveTask task in_progress now',
      told(1, 'submission.revision_requested', 'submission_id:submission,reason:Once more.'),
    ])
  })
  test('for which the worker has as long as a review takes', async () => {
    const one = stage({}, { policy: readPolicy({ reviewHours: 24 }) })
    await asksAgain(one)
    expect(linesOf(one.asked).slice(-2)).toEqual(moved(2, hours(24), 'revision'))
  })
  test('not after the deadline', async () => {
    const one = stage({}, { deadline: now })
    expect(await refusalOf(() => asksAgain(one))).toEqual(['DEADLINE_PASSED', { task_id: 'task' }])
  })

  const rejected = (id: string, change: Partial<Submission> = {}) => submission({ id, status: 'rejected', ...change })
  const often = ['SUBMISSION_NOT_REVIEWABLE', { submission_id: 'submission', revisions_max: 1 }]
  const policy = readPolicy({ revisionsMost: 1 })
  test.each<[string, readonly Submission[], unknown]>([
    ['the first time', [submission()], null],
    ['once too often', [rejected('earlier'), submission()], often],
    ['what is asked about now does not count', [rejected('submission')], null],
    ['what another worker handed in does not count', [rejected('earlier', { executorId: 'before' })], null],
    ['what was not sent back does not count', [rejected('earlier', { status: 'approved' })], null],
  ])('as often as the policy lets: %s', async (_what, submissions, refused) => {
    expect(await refusalOf(() => asksAgain(stage({ submissions }, { policy })))).toEqual(refused)
  })
  test('as often as it likes, without a policy', async () => {
    expect(await refusalOf(() => asksAgain(stage({ submissions: [rejected('a'), rejected('b')] })))).toBe(null)
  })
  test('and hears what is left to do', async () => {
    const one = stage({ submissions: [rejected('earlier')] }, { policy })
    await expect(asksAgain(one)).rejects.toThrow(
      'Changes were asked for as often as this task allows. Approve the work or reject it.',
    )
  })
})

describe('either side opens a dispute', () => {
  test.each([
    ['payer', 'publisher'],
    ['receiver', 'worker'],
  ])('%s, as the %s', async (wallet, side) => {
    const one = stage()
    const dispute = await disputes(one, wallet)
    expect(linesOf(one.asked)).toEqual([
      ...seen,
      'worker executor',
      ...locked,
      'moveTask task disputed now',
      opened(side, 'other', 'It is sharp.'),
      told(2, 'dispute.opened', 'submission_id:submission,dispute_id:#1'),
    ])
    expect(one.of('insertDispute')).toEqual([[dispute]])
  })
  test('and there is as long to decide it as the policy says', async () => {
    const one = stage({}, { policy: readPolicy({ disputeHours: 48 }) })
    await disputes(one)
    expect(linesOf(one.asked).slice(-2)).toEqual(moved(3, hours(48), 'disputed'))
  })
  test('and nobody else', async () => {
    const forbidden = ['FORBIDDEN', { submission_id: 'submission' }]
    expect(await refusalOf(() => disputes(stage(), 'stranger'))).toEqual(forbidden)
    expect(await refusalOf(() => disputes(stage({ worker: null }), 'receiver'))).toEqual(forbidden)
  })
})

describe.each([
  ['rejects', rejects],
  ['asks for changes', asksAgain],
  ['disputes', disputes],
] as const)('whoever %s does so in a review', (_who, act: (one: ReturnType<typeof stage>) => Promise<unknown>) => {
  const notFound = ['SUBMISSION_NOT_FOUND', { submission_id: 'submission' }]
  const reviewed = (status: string, taskStatus: TaskStatus) => [
    'SUBMISSION_NOT_REVIEWABLE',
    { submission_id: 'submission', status, task_status: taskStatus },
  ]
  test.each<[string, Script, Partial<Task>, Partial<Submission>, unknown]>([
    ['of what is there', { submission: null }, {}, {}, notFound],
    ['of a task that is not gone', { lockTask: null }, {}, {}, notFound],
    ['of work that is not gone', { lockSubmission: null }, {}, {}, notFound],
    [
      'while no money moves',
      { hasOpenSettlement: true },
      {},
      {},
      ['APPROVAL_IN_FLIGHT', { submission_id: 'submission' }],
    ],
    ['that is not decided', {}, {}, { status: 'approved' }, reviewed('approved', 'verifying')],
    ['that goes on', {}, { status: 'disputed' }, {}, reviewed('pending_review', 'disputed')],
  ])('%s', async (_what, script, task, work, refused) => {
    const one = stage(script, task, work)
    expect(await refusalOf(() => act(one))).toEqual(refused)
    expect([one.of('moveTask'), one.of('addEvent')]).toEqual([[], []])
  })
})

test.each([
  ['rejects', (one: ReturnType<typeof stage>) => reject(one.deps, walletOf('receiver'), 'submission', refusing)],
  ['asks', (one: ReturnType<typeof stage>) => requestChanges(one.deps, walletOf('receiver'), 'submission', 'More.')],
] as const)('nobody but the publisher %s', async (_what, act) => {
  expect(await refusalOf(() => act(stage()))).toEqual(['FORBIDDEN', { submission_id: 'submission' }])
})
