import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { linesOf, refusalOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { readPlace, setPlace } from './place.ts'
import { updateTask, type UpdateInput } from './update-task.ts'

const publisher: WalletCaller = { kind: 'wallet', wallet: 'payer', agentId: null, via: 'signature' }
const worker: WalletCaller = { ...publisher, wallet: 'receiver' }
const own = heldTask({ status: 'published', executorId: null })

function stage(script: Script = {}) {
  return placeOn(own, {
    task: own,
    taskView: own,
    lockTask: own,
    hasApplications: false,
    isParticipant: false,
    workerByWallet: (wallet: string) => (wallet === 'receiver' ? { id: 'executor' } : { id: 'other' }),
    ...script,
  })
}
const update = (one: ReturnType<typeof stage>, input: UpdateInput) => updateTask(one.deps, publisher, 'task', input)
const written = (one: ReturnType<typeof stage>): Lines => {
  const lines = linesOf(one.asked)
  const begun = lines.indexOf('transaction')
  return begun < 0 ? [] : lines.slice(begun + 1, lines.indexOf('taskView task'))
}
const updated = 'addEvent {id:#1,type:task.updated,taskId:task,at:now,data:{task_id:task}}'
const fixed = ['TASK_NOT_EDITABLE', { task_id: 'task', status: 'published' }]
const forbidden = ['FORBIDDEN', { task_id: 'task' }]

describe('a task is edited while nobody applied', () => {
  const locked: Lines = ['lockTask task', 'hasApplications task']
  test('in what is said anew, and nothing else', async () => {
    const one = stage()
    const input = { title: 'Photograph the door', minReputation: 10 }
    expect(await update(one, input)).toMatchObject({ id: 'task', words: { cancel: null } })
    expect(written(one)).toEqual([
      ...locked,
      'changeTask task {title:Photograph the door,minReputation:10} now',
      updated,
    ])
  })
  test('with a deadline that counts from now', async () => {
    const one = stage()
    await update(one, { deadlineHours: 2 })
    expect(written(one)).toEqual([...locked, 'changeTask task {deadline:2026-11-21T14:00:00.000Z} now', updated])
  })
  test.each<[string, Script, UpdateInput]>([
    ['once a worker applied', { hasApplications: true }, { title: 'Another' }],
    ['in its deadline, once a worker applied', { hasApplications: true }, { deadlineHours: 2, opensOrder: true }],
    ['in its words, once a worker applied', { hasApplications: true }, { title: 'Another', opensOrder: true }],
    ['with nothing to change, once a worker applied', { hasApplications: true }, {}],
    ['once it is assigned', { lockTask: { ...own, status: 'accepted' } }, { title: 'Another' }],
    ['once it is gone', { lockTask: null }, { title: 'Another' }],
  ])('not %s', async (_when, script, input) => {
    const one = stage(script)
    expect(await refusalOf(() => update(one, input))).toEqual(fixed)
    expect([one.of('changeTask'), one.of('openOrder')]).toEqual([[], []])
  })
  test('but who may take an order can be changed also after its seller has applied', async () => {
    const one = stage({ hasApplications: true })
    await update(one, { opensOrder: true })
    expect(written(one)).toEqual(['lockTask task', 'openOrder task', 'changeTask task {} now', updated])
  })
  test('by its publisher', async () => {
    expect(await refusalOf(() => updateTask(stage().deps, worker, 'task', { title: 'Another' }))).toEqual(forbidden)
  })
  test('by those who buy, unless they insist', async () => {
    const selling = { title: 'I will translate your menu', instructions: 'Hire me: I offer translations for $5.' }
    const one = stage()
    expect(await refusalOf(() => update(one, selling))).toEqual(['sell_intent_rejected', {}])
    expect(one.of('transaction')).toEqual([])
    expect(await refusalOf(() => update(one, { ...selling, insists: true }))).toBe(null)
  })
})

describe('where a task is done', () => {
  const exact = { lat: 48.208_21, lng: 16.373_81, radiusM: 50 }
  const set = (one: ReturnType<typeof stage>, place: Parameters<typeof setPlace>[3]) =>
    setPlace(one.deps, publisher, 'task', place)

  test('is kept, with the area that everybody reads', async () => {
    const one = stage()
    expect(await set(one, exact)).toEqual({ precision: 'exact', ...exact })
    const [[id, kept, at] = []] = one.of('putPlace')
    expect([id, at]).toEqual(['task', scriptedNow])
    expect(kept).toMatchObject({ exact })
    expect(linesOf(one.asked).at(-1)).toBe(updated)
  })
  test('is within the radius of its category, where none is said', async () => {
    const placed = await set(stage(), { ...exact, radiusM: null })
    expect(placed).toMatchObject({ radiusM: expect.any(Number) as number })
  })
  test('is taken back', async () => {
    const one = stage()
    expect(await set(one, null)).toBe(null)
    expect(one.of('putPlace')).toEqual([['task', null, scriptedNow]])
  })
  test.each<[string, Script]>([
    ['a worker applied', { hasApplications: true }],
    ['it is assigned', { lockTask: { ...own, status: 'accepted' } }],
    ['it is gone', { lockTask: null }],
  ])('stays once %s', async (_when, script) => {
    const one = stage(script)
    expect(await refusalOf(() => set(one, exact))).toEqual(fixed)
    expect(one.of('putPlace')).toEqual([])
  })

  const assigned = { task: { ...own, status: 'accepted', executorId: 'executor' }, taskPlace: exact }
  test.each<[string, Script, Parameters<typeof readPlace>[1], string]>([
    ['its publisher', assigned, publisher, 'exact'],
    ['its worker', assigned, worker, 'exact'],
    ['another worker', assigned, { ...worker, wallet: 'other' }, 'area'],
    ['a worker of a task that nobody has', { taskPlace: exact }, worker, 'area'],
    ['anybody', assigned, { kind: 'anonymous' }, 'area'],
  ])('is read by %s', async (_who, script, caller, precision) => {
    const place = await readPlace(stage(script).deps, caller, 'task')
    expect(place.precision).toBe(precision)
    expect('radiusM' in place && place.lat === exact.lat).toBe(precision === 'exact')
  })
  test.each<[string, Script, unknown]>([
    ['nowhere', { taskPlace: null }, ['LOCATION_NOT_FOUND', { task_id: 'task' }]],
    [
      'of a task that is over',
      { task: { ...own, status: 'expired' }, taskPlace: exact },
      ['TASK_GONE', { task_id: 'task', status: 'expired' }],
    ],
  ])('is not read: %s', async (_what, script, refused) => {
    expect(await refusalOf(() => readPlace(stage(script).deps, { kind: 'anonymous' }, 'task'))).toEqual(refused)
  })
})
