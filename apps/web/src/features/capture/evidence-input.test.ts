import { expect, test } from 'vitest'
import { readTyped } from './evidence-input.ts'

test.each([
  ['text', ' yes ', { value: 'yes' }], ['text', '  ', { fault: 'required' }],
  ['link', 'https://example.org/a', { value: 'https://example.org/a' }], ['link', 'http://example.org', { fault: 'malformed' }], ['link', 'nonsense', { fault: 'malformed' }],
  ['json', '{"a":1}', { value: { a: 1 } }], ['json', 'null', { fault: 'malformed' }], ['json', '{', { fault: 'malformed' }],
  ['measurement', '21,5 °C', { value: { value: 21.5, unit: '°C' } }], ['measurement', '12', { fault: 'malformed' }],
] as const)('%s %j is read as the service takes it', (input, typed, read) => {
  expect(readTyped(input, typed)).toEqual(read)
})
