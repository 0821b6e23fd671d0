import { expect, test } from 'vitest'
import { formatMessage, formatRich } from './messages.ts'

const name = 'مريم'

test('what is written from right to left does not turn the sentence around it', () => {
  expect(formatMessage('{who} applied', 'en', { who: name })).toBe(`\u2068${name}\u2069 applied`)
  expect(formatMessage("{who}'s {n, plural, one {task} other {tasks}}", 'en', { who: name, n: 2 })).toBe(
    `\u2068${name}\u2069's tasks`,
  )
  expect(formatRich('{who} applied', 'en', { who: name })).toBe(`\u2068${name}\u2069 applied`)
})

test('any other value is put in as it is', () => {
  expect(formatMessage('{who} sent {n}', 'en', { who: 'Ada', n: 3 })).toBe('Ada sent 3')
})
