import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { hourMs, marginMs, readPolicy } from '../policy/policy.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { ruling, view } from '../testing/scripted-disputes.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, payment, placeOn, submission } from '../testing/scripted-money.ts'
import { applyDefault } from './apply-default.ts'

const now = scriptedNow
const timer = { taskId: 'task', kind: 'outcome', dueAt: now, attempts: 0 } as never
const dropped: Lines = ['transaction', 'dropTimer {taskId:task,kind:outcome,dueAt:now,attempts:0}']
const policy = readPolicy({})
const check = (name: string, result: string) => ({ name, result, reason: null, details: {} }) as never
const passed = { verifiedAt: now, checks: [check('schema', 'passed'), check('review', 'failed')] }
const failed = { verifiedAt: now, checks: [check('schema', 'failed')] }

type Case = {
  readonly task?: Partial<Task> | null
  /** Of the work that was handed in last; null where there is none of the assigned worker. */
  readonly work?: Partial<Submission> | null
  readonly script?: Script
}

/** The deadline of the task passed a moment ago; something is held, and can still be paid out. */
async function lines({ task = {}, work = passed, script = {} }: Case): Promise<readonly string[]> {
  const given = { status: 'disputed', escrowStatus: 'authorized', policy, deadline: now } as const
  const current = task === null ? null : heldTask({ ...given, ...task })
  const own = work === null ? [] : [submission(work)]
  const one = placeOn(heldTask(), {
    task: current,
    lockTask: current,
    openSettlement: null,
    submissions: [submission({ id: 'of another', executorId: 'before', ...passed }), ...own],
    lockSubmission: own[0] ?? null,
    lockRulingOf: null,
    disputes: { rows: [view()] },
    dispute: view(),
    lockDispute: view(),
    meterTerms: null,
    claimSettlement: true,
    lockSettlement: null,
    ledgerBalance: payment.maxAmount,
    ...script,
  })
  await applyDefault(one.deps, timer)
  return linesOf(one.asked)
}

const read: Lines = ['task task', 'openSettlement task']
const worked: Lines = [...read, 'submissions task']
const payable: Lines = ['escrowPayment task']
const ruled: Lines = ['transaction', 'lockRulingOf task']
const searched = 'disputes {status:open,taskId:task,wallet:null} {limit:1,offset:0,cursor:null}'
/** It expires, and its timer is gone. */
const isExpired = (of: readonly string[]): boolean => of.includes('moveTask task expired now')

describe('a deadline that passed on work that was handed in', () => {
  test.each<[string, Case, Lines]>([
    ['has no default where the task is gone', { task: null }, ['task task', ...dropped]],
    ['has no default for whoever handed in nothing', { task: { status: 'accepted' } }, ['task task', ...dropped]],
    ['has no default without a policy', { task: { policy: null } }, ['task task', ...dropped]],
    ['has no default before it passed', { task: { deadline: new Date(now.getTime() + 1) } }, ['task task', ...dropped]],
    ['waits for money under way', { script: { openSettlement: { id: 'settlement' } } }, read],
  ])('%s', async (_what, one, expected) => {
    expect(await lines(one)).toEqual(expected)
  })

  test('ends a review that was not decided, as its silence does', async () => {
    const ended = await lines({
      task: { status: 'verifying' },
      script: { standingOrder: null, pendingSubmission: null },
    })
    expect(ended).toEqual([
      ...read,
      'escrowPayment task',
      'standingOrder task',
      'transaction',
      'lockTask task',
      'pendingSubmission task',
      'dropTimer {taskId:task,kind:review_end,dueAt:now,attempts:0}',
      ...dropped,
    ])
  })
})

describe('changes that never came', () => {
  const changes = { status: 'in_progress' } as const
  const asked: Lines = [...worked, 'transaction', 'lockTask task', 'lockSubmission submission']

  test('are a dispute, where what was there before had passed', async () => {
    const disputed = await lines({ task: changes })
    expect(disputed.slice(0, 9)).toEqual([
      ...asked,
      'moveTask task disputed now',
      'insertDispute {id:#1,taskId:task,submissionId:submission,status:open,openedBy:service,reason:no_response,' +
        'description:Changes were asked for and none came; what was handed in before had passed the required checks.,' +
        'criteria:[],resolution:null,resolvedAt:null,createdAt:now}',
      'addEvent {id:#2,type:review.lapsed,taskId:task,at:now,data:{task_id:task,submission_id:submission,' +
        'outcome:dispute,checks:[{name:schema,result:passed},{name:review,result:failed}]}}',
    ])
    expect(disputed.slice(-2)).toEqual(dropped)
  })
  test.each<[string, Script]>([
    ['they came meanwhile', { lockTask: heldTask({ status: 'verifying', deadline: now }) }],
    ['the task is gone', { lockTask: null }],
    ['the work is gone', { lockSubmission: null }],
    [
      'there is time again',
      { lockTask: heldTask({ status: 'in_progress', policy, deadline: new Date(now.getTime() + 1) }) },
    ],
  ])('are none where %s', async (_where, script) => {
    expect(await lines({ task: changes, script })).toEqual([...asked, ...dropped])
  })
  test('expire the task, where it had not passed', async () => {
    expect(isExpired(await lines({ task: changes, work: failed }))).toBe(true)
  })
})

describe('a dispute that nobody decided', () => {
  const resolved: Lines = [...worked, ...payable, ...ruled, ...payable, searched, 'dispute dispute']

  test('is decided for the worker, where the required checks passed', async () => {
    const decided = await lines({})
    expect(decided.slice(0, resolved.length)).toEqual(resolved)
    expect(decided).toContain(
      'changeDispute dispute {status:resolving,resolution:{verdict:release,splitPct:null,' +
        'reason:Nobody decided in time, and the required checks passed: schema.},resolvedAt:null}',
    )
    expect(decided.slice(-2)).toEqual(dropped)
  })
  test('by every check that passed', async () => {
    const checks = [check('schema', 'passed'), check('proximity', 'passed'), check('weather', 'inconclusive')]
    expect((await lines({ work: { verifiedAt: now, checks } })).join('\n')).toContain(
      'the required checks passed: schema, proximity.',
    )
  })
  test('is tried again, where it cannot be paid now', async () => {
    const tried = await lines({ script: { hasOpenSettlement: true } })
    expect(tried).not.toContain(dropped[1])
    expect(tried.filter((line) => line.startsWith('changeDispute'))).toEqual([])
  })
  test('is not hidden behind a fault of ours', async () => {
    const lockDispute = (): never => {
      throw new Error('down')
    }
    await expect(lines({ script: { lockDispute } })).rejects.toThrow('down')
    const refused = (): never => {
      throw new MarketError('DISPUTE_NOT_OPEN')
    }
    expect(await lines({ script: { lockDispute: refused } })).not.toContain(dropped[1])
  })
  test('is none, where it was just closed', async () => {
    expect(await lines({ script: { disputes: { rows: [] } } })).toEqual(resolved.slice(0, -1))
  })
  test('that an arbiter ruled on is decided by the ruling, and by no default beside it', async () => {
    const carried = await lines({ script: { lockRulingOf: ruling({ appealUntil: new Date(now.getTime() + 1) }) } })
    expect(carried).toEqual([
      ...worked,
      ...payable,
      ...ruled,
      'transaction',
      'lockTask task',
      'lockRulingOf task',
      'hasOpenSettlement task',
    ])
  })
  test('of a task without a policy, too', async () => {
    const carried = await lines({
      task: { policy: null, turn: { kind: 'ruling', untilMs: 0 } },
      script: { lockRulingOf: ruling({ appealUntil: new Date(now.getTime() + 1) }) },
    })
    expect(carried.slice(0, 5)).toEqual([...read, ...payable, ...ruled])
    expect(carried).toContain('hasOpenSettlement task')
  })
  test('whose ruling was appealed has its default', async () => {
    expect(await lines({ script: { lockRulingOf: ruling({ status: 'appealed' }) } })).toContain(searched)
  })

  const over = { escrowPayment: { ...payment, authorizationExpiry: now.getTime() / 1_000 } }
  test.each<[string, Case]>([
    ['its checks did not pass', { work: failed }],
    ['there is no work of its worker', { work: null }],
    ['nothing is held', { task: { escrowStatus: 'none' } }],
    ['what is held is not known', { script: { escrowPayment: null } }],
    ['what is held cannot be paid out any more', { script: over }],
  ])('expires with its task, where %s', async (_where, one) => {
    // What is held is given back; that it is known is another rule's.
    const unheld = { lockTask: heldTask({ status: 'disputed', escrowStatus: 'none', policy, deadline: now }) }
    const expired = await lines({ ...one, script: { ...unheld, ...one.script } })
    expect(isExpired(expired)).toBe(true)
    expect(expired).not.toContain(searched)
    expect(expired.slice(-2)).toEqual(dropped)
  })
  test('keeps its timer, where it cannot expire yet', async () => {
    const under = { hasOpenSettlement: true }
    expect((await lines({ work: failed, script: under })).slice(-1)).toEqual(['hasOpenSettlement task'])
  })

  describe('whose checks have not run yet', () => {
    const endsIn = (ms: number) => ({
      escrowPayment: { ...payment, authorizationExpiry: (now.getTime() + ms) / 1_000 },
    })
    const unchecked = { verifiedAt: null, checks: [] }
    test('waits for them while there is time to pay', async () => {
      const waiting = await lines({ work: unchecked, script: endsIn(marginMs + 1_000) })
      expect(waiting).toEqual([...worked, ...payable, ...ruled, ...payable])
    })
    test.each([0, -1_000, hourMs - marginMs])('expires %j ms beside the last moment', async (ms) => {
      const expired = await lines({ work: unchecked, script: endsIn(marginMs + ms) })
      expect(isExpired(expired)).toBe(true)
    })
  })
})
