import { expect, test } from 'vitest'
import { readApplication } from './application-row.ts'

const row = { id: 'a', task_id: 't', status: 'pending', created_at: '2026-11-21T10:00:00.000Z', message: null }

test('an application is read from the export of the account', () => {
  expect(readApplication(row)).toEqual({ id: 'a', taskId: 't', status: 'pending', createdAt: row.created_at })
})

test.each([
  ['id', 1],
  ['task_id', null],
  ['status', 'elsewhere'],
  ['created_at', 'yesterday'],
])('a row whose %s is unreadable is left out', (field, value) => {
  expect(readApplication({ ...row, [field]: value })).toBeUndefined()
})
