import { expect, test } from 'vitest'
import { noticeOf } from './notice-words.ts'

const found = (ids: readonly string[], language: 'en' | 'es' = 'en') =>
  noticeOf({ type: 'search.found', taskId: null, data: { name: 'Cash for gold', task_ids: ids } }, false, language)

test('a search that found one task leads to it, one that found several to the notices; neither says what is looked for', () => {
  const tag = 'search '
  expect(found(['one'])).toEqual({ title: 'There are new tasks for a search of yours', path: '/tasks/one', tag })
  expect(found(['one', 'other'], 'es')).toEqual({
    title: 'Hay tareas nuevas para una de tus búsquedas',
    path: '/notifications',
    tag,
  })
})

test('money that was sent on, or could not be, leads to the earnings, and the notice names neither sum nor address', () => {
  const data = { nonce: '0x5e', amount_usd: 12, to: '0xbb' }
  expect(noticeOf({ type: 'cash_out.sent', taskId: null, data }, false, 'en')).toEqual({
    title: 'There is news of a payment',
    path: '/earnings',
    tag: 'money ',
  })
})

test('other news leads to its dispute, or to its task as its reader sees it', () => {
  const path = (data: Readonly<Record<string, unknown>>, isPublisher: boolean) =>
    noticeOf({ type: 'task.updated', taskId: 'one', data }, isPublisher, 'en').path
  expect([path({}, true), path({}, false), path({ dispute_id: 'two' }, true)]).toEqual([
    '/my/tasks/one',
    '/tasks/one',
    '/disputes/two',
  ])
})
