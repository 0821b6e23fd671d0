import { expect, test } from 'vitest'
import { noticeIn } from './shown-notice.ts'

const fallback = { title: 'Ergon', path: '/notifications', tag: 'ergon' }

test('a message is shown as it says', () => {
  const notice = { title: 'You have a new message', path: '/tasks/0199-ab', tag: 'message 1' }
  expect(noticeIn(JSON.stringify(notice))).toEqual(notice)
})

test.each([undefined, '', 'no json', 'null', '{}', '{"title":"","path":"/find"}', '{"title":"A","path":1}'])(
  '%s is shown as a notice that leads to the list of notices',
  (text) => {
    expect(noticeIn(text)).toEqual(fallback)
  },
)

test.each(['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/find?next=//x'])(
  'a message cannot lead to %s',
  (path) => {
    expect(noticeIn(JSON.stringify({ title: 'A', path })).path).toBe('/notifications')
  },
)
