import { describe, expect, test } from 'vitest'
import { readPolicy } from '../policy/policy.ts'
import { nextAction } from '../policy/next-action.ts'
import type { TaskView } from '../tasks/task.ts'
import { aTask } from '../testing/factories.ts'
import { scriptedDeps, walletOf } from '../testing/scripted-deps.ts'
import { elapse } from '../flows/elapse.ts'
import { forceTask } from '../flows/force-task.ts'
import { heldTask } from '../testing/scripted-money.ts'
import { pageWithDeciders, withDecider, withDeciders } from './deciders.ts'
import { workerTasks } from './people-views.ts'
import { adminTasks, availableTasks, listTasks, readTask } from './task-views.ts'

const view = (change: Partial<TaskView> = {}): TaskView => ({
  ...aTask({ status: 'disputed', publisherWallet: 'publisher', executorId: 'executor' }),
  publisherReputation: null,
  executorReputation: null,
  publisherName: null,
  publisherPicture: null,
  executorName: null,
  executorPicture: null,
  applicants: null,
  isPaying: false,
  ...change,
})

const workers: Readonly<Record<string, string>> = { worker: 'executor', other: 'another' }
function stage(arbiters: readonly string[] | undefined, script = {}) {
  const one = scriptedDeps({
    workerByWallet: (wallet: string) => (workers[wallet] === undefined ? null : { id: workers[wallet] }),
    ...script,
  })
  const settings = { ...one.deps.settings, ...(arbiters === undefined ? {} : { arbiters }) }
  return { ...one, deps: { ...one.deps, settings } }
}
const named = (arbiter: string): Partial<TaskView> => ({ policy: readPolicy({ arbiter }) })

describe('who may decide what is disputed (decision 0285)', () => {
  test.each([
    ['no arbiter is named', undefined, {}, 'operator'],
    ['the operator names arbiters', ['arbiter'], {}, 'any'],
    ['an arbiter has other work', ['other'], {}, 'any'],
    ['the only arbiter is the publisher', ['publisher'], {}, 'operator'],
    ['the only arbiter is the worker', ['worker'], {}, 'operator'],
    ['a side is one of them', ['worker', 'publisher', 'arbiter'], {}, 'any'],
    ['the task names one', ['arbiter', 'other'], named('other'), 'named'],
    ['the task names one whom the operator does not', ['arbiter'], named('other'), 'operator'],
  ] as const)('where %s', async (_, arbiters, change, deciders) => {
    const seen = await withDecider(stage(arbiters).deps, view(change))
    expect(seen).toEqual({ ...view(change), deciders })
    expect(nextAction(seen)).toMatchObject({ who: deciders === 'operator' ? 'operator' : 'arbiter', what: 'rule' })
  })

  test('is asked for where a dispute waits, and nowhere else', async () => {
    const one = stage(['arbiter'])
    const open = view({ status: 'published', executorId: null })
    expect(await withDeciders(one.deps, [open])).toEqual([{ ...open, deciders: null }])
    expect(one.asked).toEqual([])
    const page = { rows: [open, view(), view()], total: 3, limit: 3, offset: 0, hasMore: false, nextCursor: null }
    const { rows, ...rest } = await pageWithDeciders(one.deps, page)
    expect(rows.map(({ deciders }) => deciders)).toEqual([null, 'any', 'any'])
    expect(rest).toEqual({ total: 3, limit: 3, offset: 0, hasMore: false, nextCursor: null })
    expect(one.of('workerByWallet')).toEqual([['arbiter']])
  })
})

test('every reading of tasks says it: the lists of both sides and the operator, a task, and what an operator did', async () => {
  const page = { rows: [view()], total: 1, limit: 1, offset: 0, hasMore: false, nextCursor: null }
  const held = heldTask({ status: 'disputed', escrowStatus: 'authorized' })
  const { deps } = stage(['arbiter'], {
    tasks: page,
    availableTasks: page,
    workerTasks: page,
    adminTasks: page,
    taskView: view(),
    taskWords: [],
    lockTask: held,
    worker: { id: 'executor', wallet: 'worker' },
  })
  const [caller, request] = [walletOf('publisher', 1), { limit: 1, offset: 0, cursor: null }]
  const act = { actor: 'operator', reason: 'A test.', requestId: 'r' }
  const filter = { status: null, category: null, network: null, target: null, publisher: 'publisher', words: null }
  const lists = await Promise.all([
    listTasks(deps, caller, filter, request),
    availableTasks(deps, caller, { ...filter, minBountyUsd: null, maxBountyUsd: null }, request),
    workerTasks(deps, caller, 'executor', null, request),
    adminTasks(deps, { status: null, search: null }, request),
  ])
  expect(lists.map(({ rows }) => rows.map(({ deciders }) => deciders))).toEqual(lists.map(() => ['any']))
  const local = { ...deps, networks: deps.networks.map((one) => ({ ...one, isLocal: true })) }
  expect(await readTask(deps, caller, 'task')).toMatchObject({ deciders: 'any' })
  expect(await elapse(local, 'task', 1, act)).toMatchObject({ deciders: 'any' })
  expect(await forceTask(deps, 'task', 'disputed', act)).toMatchObject({ task: { deciders: 'any' } })
})
