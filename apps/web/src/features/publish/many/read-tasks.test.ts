import { expect, test } from 'vitest'
import { csvOf } from '../../../lib/csv.ts'
import { exampleRows } from './example-rows.ts'
import { publishManyMessages } from './messages.ts'
import { columns, mostBytes, mostTasks, readTasks, totalOf } from './read-tasks.ts'

const head = ['title', 'instructions', 'category', 'bounty_usd', 'evidence_required', 'deadline_hours']
const row = (more: Readonly<Record<number, string>> = {}): readonly string[] =>
  ['Photograph the gate', 'Stand in front of the gate and take one photo.', 'simple_action', '2.50', 'photo', '48'].map(
    (cell, place) => more[place] ?? cell,
  )
const read = (rows: readonly (readonly string[])[], locale = 'en') => readTasks(csvOf([head, ...rows]), locale)

test('a row is a task that can be published', () => {
  const table = read([row({ 4: 'photo; gps' })])
  expect(table).toEqual({
    state: 'read',
    tasks: [
      {
        line: 2,
        faults: {},
        fields: {
          title: 'Photograph the gate',
          instructions: 'Stand in front of the gate and take one photo.',
          category: 'simple_action',
          bounty_usd: 2.5,
          evidence_required: ['photo', 'gps'],
          deadline_hours: 48,
          target_executor_type: 'any',
        },
      },
    ],
  })
})

test.each([
  [{ 0: 'Hi' }, 'title'],
  [{ 1: '' }, 'instructions'],
  [{ 2: 'gardening' }, 'category'],
  [{ 3: '-1' }, 'bounty_usd'],
  [{ 3: 'two' }, 'bounty_usd'],
  [{ 4: 'smell' }, 'evidence_required.0'],
  [{ 5: '0' }, 'deadline_hours'],
])('%j is refused by the name of its field', (more, field) => {
  const table = read([row(), row(more)])
  expect(table.state === 'read' ? table.tasks.map(({ faults }) => Object.keys(faults)) : table).toEqual([[], [field]])
})

test('a figure that is a thousand to some and one to others is refused, whoever reads the table', () => {
  for (const locale of ['en', 'es'])
    for (const unclear of ['1.000', '1,000']) {
      const table = read([row({ 3: unclear, 5: unclear })], locale)
      expect(table.state === 'read' ? table.tasks[0]?.faults : table).toMatchObject({
        bounty_usd: { rule: 'no_number' },
        deadline_hours: { rule: 'no_number' },
      })
    }
})

test('a table of which a part would be lost is refused as a whole', () => {
  expect(
    readTasks(
      csvOf([
        [...head, 'reward'],
        [...row(), '1'],
      ]),
      'en',
    ),
  ).toEqual({ state: 'unknown', columns: ['reward'] })
  expect(readTasks(csvOf([head.slice(1), row().slice(1)]), 'en')).toEqual({ state: 'missing', columns: ['title'] })
  expect(
    readTasks(
      csvOf([
        [...head, 'title'],
        [...row(), 'x'],
      ]),
      'en',
    ),
  ).toEqual({ state: 'twice', columns: ['title'] })
  expect(readTasks(csvOf([head]), 'en').state).toBe('empty')
  expect(readTasks(`${head.join(',')}\n"a`, 'en').state).toBe('unreadable')
  expect(readTasks('x'.repeat(mostBytes + 1), 'en').state).toBe('tooLarge')
  expect(read(Array.from({ length: mostTasks + 1 }, () => row())).state).toBe('tooMany')
  expect(read(Array.from({ length: mostTasks }, () => row())).state).toBe('read')
})

test('a cell too many puts no text into the wrong field', () => {
  const table = read([[...row(), 'Madrid']])
  expect(table.state === 'read' ? Object.keys(table.tasks[0]?.faults ?? {}) : table).toEqual(['row'])
})

test('the total is exact', () => {
  const table = read(Array.from({ length: 30 }, () => row({ 3: '0.1' })))
  expect(table.state === 'read' ? totalOf(table.tasks) : table).toBe(3)
})

test.each(['en', 'es'] as const)('the template holds two tasks that can be published (%s)', (language) => {
  const table = readTasks(csvOf([columns, ...exampleRows((name) => publishManyMessages[language][name])]), language)
  if (table.state !== 'read') throw new Error(table.state)
  expect(table.tasks.map(({ faults }) => faults)).toEqual([{}, {}])
  expect(totalOf(table.tasks)).toBe(7.5)
})

test('the template asks no rating of whoever applies: it is copied by those who never think of one', () => {
  const rows = exampleRows((name) => publishManyMessages.en[name])
  expect(rows.map((row) => row[columns.indexOf('min_reputation')])).toEqual(['', ''])
})
