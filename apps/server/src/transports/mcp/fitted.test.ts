import { expect, test } from 'vitest'
import { fitted, longestAnswer } from './fitted.ts'

const sizeOf = (value: unknown): number => JSON.stringify(value).length

test('what fits is left as it is', () => {
  const body = { text: 'x'.repeat(longestAnswer - 20) }
  expect(fitted(body)).toBe(body)
})

test.each([
  ['a long text', { text: 'x'.repeat(900_000), id: 'it' }],
  ['a text that JSON makes longer', { text: '\u0001"'.repeat(200_000), id: 'it' }],
  ['a text of halves of characters', { text: '😀'.repeat(200_000), id: 'it' }],
  [
    'evidence of many small values',
    { evidence: { structured_data: Array.from({ length: 40_000 }, () => 1) }, id: 'it' },
  ],
  ['evidence in a list', { submissions: [{ evidence: { json_response: { a: '"'.repeat(90_000) } } }], id: 'it' }],
  [
    'a page of long texts',
    { tasks: Array.from({ length: 20 }, () => ({ instructions: 'y'.repeat(5_000) })), id: 'it' },
  ],
])('%s fits then, and says what is left out', (_what, body) => {
  const told = fitted(body)
  expect(sizeOf(told)).toBeLessThanOrEqual(longestAnswer)
  expect(sizeOf(told)).toBeGreaterThan(longestAnswer * 0.6)
  expect(told['id']).toBe('it')
  expect(JSON.stringify(told)).toMatch(/… \[\d+ more characters are left out here; REST has them\]/)
  expect(JSON.stringify(told).isWellFormed()).toBe(true)
})

test('a list of very many texts is no danger', () => {
  const told = fitted({ many: Array.from({ length: 300_000 }, () => 'a'), text: 'x'.repeat(900_000) })
  expect(String(told['text']).length).toBeLessThan(300)
})

test('one long text takes no room of the others', () => {
  const told = fitted({
    notes: 'n'.repeat(1_000),
    evidence: { text_report: 'e'.repeat(500_000), url_reference: 'https://a/' },
  })
  expect(told).toMatchObject({ notes: 'n'.repeat(1_000), evidence: { url_reference: 'https://a/' } })
})

test('of a page that is too long by its rows, every text says what it is', () => {
  const told = fitted({ rows: Array.from({ length: 1_000 }, () => ({ text: 'z'.repeat(5_000) })) })
  for (const { text } of told['rows'] as { text: string }[]) expect(text.length).toBeLessThan(300)
})

test('a link stays whole, however many rows have one', () => {
  const link = `https://files.example/photo.jpg?signature=${'s'.repeat(500)}`
  const told = fitted({ rows: Array.from({ length: 300 }, () => ({ link, text: 'z'.repeat(5_000) })) })
  for (const row of told['rows'] as { link: string; text: string }[]) {
    expect(row.link).toBe(link)
    expect(row.text.length).toBeLessThan(300)
  }
})

test('evidence beside much that cannot be cut fits as well', () => {
  const links = Array.from({ length: 30 }, (_, n) => `https://files.example/${'x'.repeat(2_000)}${String(n)}`)
  const told = fitted({ links, evidence: { structured_data: Array.from({ length: 40_000 }, () => '"') } })
  expect(sizeOf(told)).toBeLessThanOrEqual(longestAnswer)
  expect(told['links']).toEqual(links)
})
