import { describe, expect, test } from 'vitest'
import { degreesTyped, measureTyped, numberTyped, typedNumber } from './number-typed.ts'

describe('a number that a person types', () => {
  test.each(['en-GB', 'en', 'es', 'es-ES', 'es-MX'])('means the same to everybody where it can (%s)', (locale) => {
    for (const [typed, value] of [
      ['24', 24],
      [' 24 ', 24],
      ['-3', -3],
      ['1000', 1_000],
      ['0,5', 0.5],
      ['0.5', 0.5],
      ['0.125', 0.125],
      ['7,25', 7.25],
      ['1000,5', 1_000.5],
      ['1.0000', 1],
      ['1 000', 1_000],
      ['1\u00a0000', 1_000],
      ['1\u202f000', 1_000],
      ['1’000', 1_000],
      ['1.000.000', 1_000_000],
      ['1,000,000', 1_000_000],
      ['1,000.50', 1_000.5],
      ['1.000,50', 1_000.5],
      ['1 000,5', 1_000.5],
    ] as const)
      expect(numberTyped(typed, locale), typed).toBe(value)
    expect(numberTyped('  ', locale)).toBeUndefined()
    for (const typed of ['ten', '1e3', '1,00,000', '1.2.3', '1,000.5.5', '1 00', '12 24', ',5', '5,'])
      expect(numberTyped(typed, locale), typed).toBe(typed)
  })

  test.each([
    ['en-GB', '1,000', 1_000],
    ['en-GB', '1.000', '1.000'],
    ['es-ES', '1.000', 1_000],
    ['es-ES', '1,000', '1,000'],
    ['es-MX', '1,000', 1_000],
    ['en', '12,500', 12_500],
    ['es', '12.500', 12_500],
  ] as const)('in %s, %j is a thousand by the reader’s sign for thousands and never one', (locale, typed, read) => {
    expect(numberTyped(typed, locale)).toBe(read)
  })
})

test('three decimals of what is measured are decimals, and are typed again as they were read', () => {
  expect([
    measureTyped('1.125', 'en'),
    measureTyped('1,125', 'en'),
    measureTyped('1,125', 'es'),
    measureTyped('1.125', 'es'),
    measureTyped('21,5', 'en'),
  ]).toEqual([1.125, 1_125, 1.125, 1_125, 21.5])
  for (const locale of ['en', 'es'])
    for (const value of [1.125, 0.5, 1_000, -3.25, 12.0625])
      expect([
        numberTyped(typedNumber(value, locale), locale),
        measureTyped(typedNumber(value, locale), locale),
      ]).toEqual([value, value])
  expect([degreesTyped('40.420'), degreesTyped('-3,689'), degreesTyped(''), degreesTyped('north')]).toEqual([
    40.42,
    -3.689,
    undefined,
    'north',
  ])
})
