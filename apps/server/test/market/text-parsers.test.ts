import fc from 'fast-check'
import { types } from 'pg'
import { expect, test } from 'vitest'
import { createWordsParser, parseUtcInstant } from '../../src/adapters/postgres/text-parsers.ts'

test('an instant reads as the driver reads it, to the millisecond', () => {
  const driver: (text: string) => unknown = types.getTypeParser(1184)
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.integer({ min: 0, max: 999_999 }),
      (date, micros) => {
        const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`
        const text = `${date.toISOString().slice(0, 19).replace('T', ' ')}${fraction}+00`
        expect(parseUtcInstant(text)).toEqual(driver(text))
      },
    ),
  )
})

test.each([
  'infinity',
  '2026-11-21 12:00:00+01',
  '2026-11-21 12:00:00',
  '12026-11-21 12:00:00+00',
  '0044-03-15 12:00:00+00 BC',
])('%s is left to the driver', (text) => {
  expect(parseUtcInstant(text)).toBeUndefined()
})

test('plain words are read, anything that needs quoting is left to the driver', () => {
  const parse = createWordsParser()
  expect([parse('{}'), parse('{photo,gps}'), parse('{photo,gps}')]).toEqual([[], ['photo', 'gps'], ['photo', 'gps']])
  expect(['{"a b"}', '{NULL}', '{{a},{b}}'].map(parse)).toEqual([undefined, undefined, undefined])
})
