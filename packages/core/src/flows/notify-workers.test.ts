import { describe, expect, test } from 'vitest'
import type { Notice } from '../notices/notice.ts'
import type { RecordedEvent } from '../ports/store-events.ts'
import { linesOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask } from '../testing/scripted-money.ts'
import { createNoticeDuty } from './notify-workers.ts'

const now = scriptedNow
const event = (id: string, type = 'task.assigned', change: object = {}) =>
  ({
    id,
    type,
    taskId: 'task',
    place: `place ${id}`,
    at: now,
    wallets: ['payer', 'receiver'],
    data: {},
    ...change,
  }) as unknown as RecordedEvent

type Given = {
  readonly events?: readonly RecordedEvent[]
  readonly script?: Script
  readonly notify?: (notice: Notice) => Promise<'told' | 'nobody'>
}

function stage({ events = [event('1')], script = {}, notify }: Given = {}) {
  const one = scriptedDeps({
    holdCursor: { place: 'held', failures: 0 },
    eventsAfter: { events, place: 'end' },
    task: heldTask(),
    moveCursor: true,
    ...script,
  })
  const told: string[] = []
  const lost: string[] = []
  const notifier = {
    notify(notice: Notice) {
      told.push(notice.id)
      return notify?.(notice) ?? Promise.resolve('told' as const)
    },
  }
  const duty = createNoticeDuty({
    ...{ store: one.deps.store, clock: one.deps.clock, ids: one.deps.ids, leaseMs: 5_000 },
    notifier: notifier as never,
    onGivenUp: (id) => lost.push(id),
  })
  return { ...one, duty, told, lost }
}
const until = '2026-11-21T12:00:05.000Z'
const held = (failures = 0): string => `{place:held,failures:${String(failures)}}`
const begun: Lines = [
  `holdCursor notices #1 now ${until}`,
  'eventsAfter {wallet:null,types:null,taskId:null,category:null} held 50',
]
const movedTo = (place: string): string => `moveCursor ${held()} ${place} ${until}`
const ended: Lines = [movedTo('end'), `releaseCursor ${held()}`]
const down = (): Promise<never> => Promise.reject(new Error('down'))

describe('workers are told what happened', () => {
  test('one after the other, and the place moves behind each', async () => {
    const one = stage({ events: [event('1'), event('2', 'task.created'), event('3')] })
    expect([await one.duty(), one.told]).toEqual([2, ['1:notice', '3:notice']])
    expect(linesOf(one.asked)).toEqual([
      ...begun,
      'task task',
      movedTo('place 1'),
      'task task',
      movedTo('place 3'),
      ...ended,
    ])
  })
  test('not while another process does', async () => {
    const one = stage({ script: { holdCursor: null } })
    expect([await one.duty(), one.told]).toEqual([0, []])
    expect(one.of('eventsAfter')).toEqual([])
  })
  test('and no further where another process took over', async () => {
    const one = stage({ events: [event('1'), event('2')], script: { moveCursor: false } })
    expect([await one.duty(), one.told, one.of('releaseCursor')]).toEqual([1, ['1:notice'], []])
  })
  test('and its place is not given up where another took over at the end', async () => {
    const one = stage({ events: [], script: { moveCursor: false } })
    expect([await one.duty(), one.of('releaseCursor')]).toEqual([0, []])
  })
  test.each<[string, Given]>([
    ['there is nobody to tell', { notify: () => Promise.resolve('nobody') }],
    ['there is no worker', { events: [event('1', 'task.assigned', { wallets: ['payer'] })] }],
    ['it is of no task', { events: [event('1', 'task.assigned', { taskId: null })] }],
    ['its task is gone', { script: { task: null } }],
  ])('and it does not count where %s', async (_why, given) => {
    const one = stage(given)
    expect(await one.duty()).toBe(0)
    expect(one.of('moveCursor')).toHaveLength(2)
  })
})

describe('a notice that cannot be told', () => {
  const failing = (failures: number, notify = down, events = [event('1')]) =>
    stage({ notify, events, script: { holdCursor: { place: 'held', failures } } })

  test('is told again, five times', async () => {
    const one = failing(4)
    await expect(one.duty()).rejects.toThrow('down')
    expect([one.of('failCursor').length, one.of('moveCursor'), one.lost]).toEqual([1, [], []])
  })
  test('is left out after the sixth', async () => {
    const one = failing(5)
    expect(await one.duty()).toBe(0)
    expect([one.of('failCursor'), one.lost, one.of('moveCursor').length]).toEqual([[], ['1:notice'], 2])
  })
  test('and the failures of one are not those of the next', async () => {
    const one = failing(5, down, [event('1'), event('2')])
    await expect(one.duty()).rejects.toThrow('down')
    expect([one.told, one.lost]).toEqual([['1:notice', '2:notice'], ['1:notice']])
  })
})
