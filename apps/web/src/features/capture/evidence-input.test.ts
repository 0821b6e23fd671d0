import { expect, test } from 'vitest'
import { readTyped, writeTyped } from './evidence-input.ts'

test.each([
  ['text', ' yes ', { value: 'yes' }],
  ['text', '  ', { fault: 'required' }],
  ['link', 'https://example.org/a', { value: 'https://example.org/a' }],
  ['link', 'http://example.org', { fault: 'malformed' }],
  ['link', 'nonsense', { fault: 'malformed' }],
  ['json', '{"a":1}', { value: { a: 1 } }],
  ['json', 'null', { fault: 'malformed' }],
  ['json', '{', { fault: 'malformed' }],
  ['measurement', '21,5 °C', { value: { value: 21.5, unit: '°C' } }],
  ['measurement', '1.000 m', { value: { value: 1_000, unit: 'm' } }],
  ['measurement', '1,125 kg', { value: { value: 1.125, unit: 'kg' } }],
  ['measurement', '12', { fault: 'malformed' }],
] as const)('%s %j is read as the service takes it', (input, typed, read) => {
  expect(readTyped(input, typed, 'es')).toEqual(read)
})

test.each([
  ['text', 'A green gate.'],
  ['link', 'https://example.org/a'],
  ['json', '{"a":[1,"b"]}'],
  ['json', '"text"'],
  ['measurement', '-21,5 °C'],
  ['measurement', '1,125 kg'],
  ['timestamp', '0xproof'],
] as const)('%s %j that was read once is written so that it is read the same', (input, typed) => {
  const read = readTyped(input, typed, 'es')
  if (!('value' in read)) throw new Error('the row is not well formed')
  const again = readTyped(input, writeTyped(input, read.value, 'es'), 'es')
  if (input === 'timestamp') expect(again).toMatchObject({ value: { proof: typed } })
  else expect(again).toEqual(read)
})
