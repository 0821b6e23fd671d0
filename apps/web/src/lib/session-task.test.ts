import { expect, test } from 'vitest'
import { titleOf } from './session-task.ts'

const time = 'Tiempo pagado según pasa'

test.each([
  ['a session', { title: 'Session by the minute', instructions: '', evidence_required: [] }, time],
  [
    'a session with a note',
    { title: 'Session by the hour', instructions: 'Clase de piano', evidence_required: [] },
    'Clase de piano',
  ],
  ['a session of which only the title is known', { title: 'Session by the second' }, time],
  [
    'a task that is called like one',
    { title: 'Session by the minute', instructions: 'Film it.', evidence_required: ['video' as const] },
    'Session by the minute',
  ],
  ['any other title', { title: 'Session by the sea' }, 'Session by the sea'],
])('%s is called by its reader, and not by the service', (_, task, called) => {
  expect(titleOf(task, time)).toBe(called)
})
