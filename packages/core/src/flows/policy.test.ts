import { describe, expect, test } from 'vitest'
import type { TaskStatus } from '@ergon/contract'
import type { Caller, WalletCaller } from '../caller.ts'
import { boundHours, boundUntil, readPolicy, silentAfter, type PolicyInput } from '../policy/policy.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, refusalOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { setPolicy, taskPolicy } from './policy.ts'

const now = scriptedNow
const publisher: WalletCaller = { kind: 'wallet', wallet: 'payer', agentId: null, via: 'signature' }
const published = { status: 'published', executorId: null, deadline: now } as const

function stage(script: Script = {}, task: Partial<Task> = {}) {
  const own = heldTask({ ...published, ...task })
  const one = placeOn(own, { task: own, lockTask: own, hasApplications: false, isParticipant: false, ...script })
  return { ...one, deps: { ...one.deps, settings: { ...one.deps.settings, arbiters: ['arbiter', 'payer'] } } }
}
const gives = (one: ReturnType<typeof stage>, input: PolicyInput = {}) => setPolicy(one.deps, publisher, 'task', input)

/** 72 hours to review, twice as many again for one revision, 168 to decide, a day, and 72 to put the deadline off. */
const bound = new Date(now.getTime() + (408 + 72) * 3_600_000)
const defaults = {
  reviewHours: 72,
  disputeHours: 168,
  onSilence: 'release',
  revisionsMost: 1,
  applicationsMost: null,
  startHours: null,
} as const

describe('what a publisher promises', () => {
  test('has a default for whatever is left out', () => {
    expect(readPolicy({})).toEqual(defaults)
    expect(readPolicy({ arbiter: null, criteriaRequired: false })).toEqual(defaults)
  })
  test('is what was said', () => {
    const said = {
      reviewHours: 1,
      disputeHours: 24,
      onSilence: 'dispute',
      revisionsMost: 0,
      applicationsMost: 4,
      startHours: 2,
      arbiter: 'arbiter',
      criteriaRequired: true,
    } as const
    expect(readPolicy(said)).toEqual(said)
  })
  test.each([
    [72, 1, 168, 408],
    [1, 0, 24, 49],
    [10, 1, 48, 102],
  ])('of %d hours and %d revisions, with %d to decide, binds money for %d', (reviewHours, revisions, hours, whole) => {
    const policy = readPolicy({ reviewHours, revisionsMost: revisions, disputeHours: hours })
    expect(boundHours(policy)).toBe(whole)
    expect(boundUntil({ policy, deadline: now })).toEqual(new Date(now.getTime() + whole * 3_600_000))
  })
  test('binds nothing where there is no policy', () => {
    expect(boundUntil({ policy: null, deadline: now })).toBe(null)
  })
  test.each([
    ['release', 72],
    ['dispute', null],
  ] as const)('pays for silence: %s after %j hours', (onSilence, hours) => {
    expect(silentAfter({ policy: readPolicy({ onSilence }), deadline: now })).toBe(hours)
    expect(silentAfter({ policy: null, deadline: now })).toBe(null)
  })
  test.each([
    [2_112, null],
    [
      2_113,
      [
        'VALIDATION_FAILED',
        {
          field: 'review_hours',
          constraint: 'the review, two more for each revision, the dispute and 24 h are at most 2160 h together',
          received: '2161',
        },
      ],
    ],
  ])('does not bind money for longer than ninety days: %j hours', async (reviewHours, refused) => {
    const policy = { reviewHours, disputeHours: 24, revisionsMost: 0 }
    expect(await refusalOf(() => readPolicy(policy))).toEqual(refused)
  })
})

describe('a task is given its policy', () => {
  test('by its publisher, the whole of it', async () => {
    const one = stage()
    expect(await gives(one)).toEqual({ taskId: 'task', policy: defaults, fixed: false, boundUntil: bound })
    expect(linesOf(one.asked)).toEqual([
      'task task',
      'transaction',
      'lockTask task',
      'hasApplications task',
      'changeTask task {policy:{reviewHours:72,disputeHours:168,onSilence:release,revisionsMost:1,' +
        'applicationsMost:null,startHours:null}} now',
      'addEvent {id:#1,type:task.updated,taskId:task,at:now,data:{task_id:task}}',
    ])
  })
  test.each([null, 'arbiter'])('with the arbiter %j', async (arbiter) => {
    expect(await refusalOf(() => gives(stage(), { arbiter }))).toBe(null)
  })

  const fixed = ['TASK_NOT_EDITABLE', { task_id: 'task', status: 'published' }]
  test.each<[string, Script, PolicyInput, unknown]>([
    ['once a worker applied', { hasApplications: true }, {}, fixed],
    ['once it is assigned', { lockTask: heldTask({ status: 'accepted' }) }, {}, fixed],
    ['once it is gone', { lockTask: null }, {}, fixed],
    ['with itself as arbiter', {}, { arbiter: 'payer' }, ['FORBIDDEN', { task_id: 'task', arbiter: 'payer' }]],
    [
      'with an arbiter that is not known',
      {},
      { arbiter: 'other' },
      ['ARBITER_UNKNOWN', { task_id: 'task', arbiter: 'other' }],
    ],
  ])('not %s', async (_what, script, input, refused) => {
    const one = stage(script)
    expect(await refusalOf(() => gives(one, input))).toEqual(refused)
    expect(one.of('changeTask')).toEqual([])
  })
  test('with no arbiter where the operator names none', async () => {
    const { deps } = placeOn(heldTask(published), { task: heldTask(published) })
    expect(await refusalOf(() => setPolicy(deps, publisher, 'task', { arbiter: 'arbiter' }))).toEqual([
      'ARBITER_UNKNOWN',
      { task_id: 'task', arbiter: 'arbiter' },
    ])
  })
  test('by nobody else', async () => {
    const refused = refusalOf(() => setPolicy(stage().deps, { ...publisher, wallet: 'other' }, 'task', {}))
    expect(await refused).toEqual(['FORBIDDEN', { task_id: 'task' }])
  })
})

describe('what a task can rely on is read', () => {
  const anybody: Caller = { kind: 'anonymous' }
  const policy = readPolicy({})
  test.each<[TaskStatus, boolean, boolean]>([
    ['published', false, false],
    ['published', true, true],
    ['accepted', false, true],
  ])('by anybody, %s, a worker applied: %j, so it is fixed: %j', async (status, hasApplications, fixed) => {
    const { deps } = stage({ hasApplications }, { status, policy })
    expect(await taskPolicy(deps, anybody, 'task')).toEqual({ taskId: 'task', policy, fixed, boundUntil: bound })
  })
  test('where there is none', async () => {
    expect(await taskPolicy(stage().deps, anybody, 'task')).toMatchObject({ policy: null, boundUntil: null })
  })
  test('by no stranger to what is over', async () => {
    const { deps } = stage({}, { status: 'cancelled' })
    expect(await refusalOf(() => taskPolicy(deps, anybody, 'task'))).toEqual([
      'TASK_GONE',
      { task_id: 'task', status: 'cancelled' },
    ])
  })
})
