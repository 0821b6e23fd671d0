import { expect, test } from 'vitest'
import { formatMessage, formatRich, textOf } from './messages.ts'

const name = 'مريم'

test('what is written from right to left does not turn the sentence around it', () => {
  expect(formatMessage('{who} applied', 'en', { who: name })).toBe(`\u2068${name}\u2069 applied`)
  expect(formatMessage("{who}'s {n, plural, one {task} other {tasks}}", 'en', { who: name, n: 2 })).toBe(
    `\u2068${name}\u2069's tasks`,
  )
  expect(formatRich('{who} applied', 'en', { who: name })).toBe(`\u2068${name}\u2069 applied`)
})

test('a name that turns what follows it turns neither the amount nor the words of the sentence', () => {
  const said = (title: string): string =>
    formatMessage('Order “{title}” for {amount}', 'en', { title, amount: '$21.00' })
  for (const sign of ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e'])
    expect(said(`Gate${sign}`)).toBe('Order “Gate” for $21.00')
  // What would end the isolate around it, and what is not ended.
  expect(said('Gate\u2069\u202e')).toBe('Order “Gate” for $21.00')
  expect(said('Gate\u2067')).toBe('Order “Gate\u2067\u2069” for $21.00')
  expect(said('\u2066Gate\u2069 2')).toBe('Order “\u2066Gate\u2069 2” for $21.00')
  // An unseen mark counts as a letter that is read from right to left, and so do letters beyond the first plane.
  expect(said('Gate\u200f')).toBe('Order “\u2068Gate\u200f\u2069” for $21.00')
  expect(said('\u{1e900}')).toBe('Order “\u2068\u{1e900}\u2069” for $21.00')
  expect(formatRich('{who} applied', 'en', { who: 'Gate\u202e' })).toBe('Gate applied')
})

test('marks piled on a letter of a name do not run over the lines around it', () => {
  const piled = (marks: number): string => `Za${'\u0301'.repeat(marks)}lgo`
  expect(formatMessage('{who} applied', 'en', { who: piled(40) })).toBe(`${piled(4)} applied`)
  for (const who of [piled(4), 'शक्ति', 'Việt', '❤️‍🔥'])
    expect(formatMessage('{who} applied', 'en', { who })).toBe(`${who} applied`)
})

test('any other value is put in as it is', () => {
  expect(formatMessage('{who} sent {n}', 'en', { who: 'Ada', n: 3 })).toBe('Ada sent 3')
})

test('a value that only a newer service knows is said as it is, and breaks no screen', () => {
  const texts: Readonly<Record<string, string>> = { 'status.open': 'Open' }
  expect(textOf(texts, 'status.open')).toBe('Open')
  expect(textOf(texts, 'status.paused_by_moon')).toBe('paused by moon')
  expect(formatMessage(textOf(texts, 'evidence.{n, plural}<b>'), 'en')).toBe('n plural b')
  expect(textOf(texts, 'toString')).toBe('toString')
})
