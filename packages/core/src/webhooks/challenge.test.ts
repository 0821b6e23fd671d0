import { expect, test } from 'vitest'
import { unprovenBy } from './challenge.ts'

const ok = { status: 200, retryAfterMs: null }
const token = 'abc-123'

test.each([
  ['the token', token],
  ['the token between blanks', ` ${token}\n`],
  ['the token as JSON', JSON.stringify(token)],
  ['an object that names it', JSON.stringify({ token, more: 1 })],
])('%s proves the URL', (_, body) => {
  expect(unprovenBy({ answer: ok, body, error: null }, token)).toBeNull()
})

test.each([
  ['nothing', ''],
  ['another token', 'abc-124'],
  ['an echo of what was sent', JSON.stringify({ type: 'webhook.challenge', data: { token } })],
  ['a token that is no text', JSON.stringify({ token: 1 })],
  ['null', 'null'],
  ['a list', JSON.stringify([token])],
])('%s does not', (_, body) => {
  expect(unprovenBy({ answer: ok, body, error: null }, token)).toBe('the answer is not the token')
})

test.each([
  [{ status: 199, retryAfterMs: null }, null, 'the answer is not 2xx'],
  [{ status: 300, retryAfterMs: null }, null, 'the answer is not 2xx'],
  [null, 'timeout', 'timeout'],
])('the token under %o does not, and what went wrong is told', (answer, error, told) => {
  expect(unprovenBy({ answer, body: token, error }, token)).toBe(told)
})
