import { describe, expect, test } from 'vitest'
import {
  decimalTyped,
  degreesTyped,
  dollarsTyped,
  measureTyped,
  numberOfFile,
  numberTyped,
  typedNumber,
} from './number-typed.ts'
import { createFormat } from './format.ts'

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
      ['٣٫٥', 3.5],
      ['٣٫٥٠٠', 3.5],
      ['١٬٢٥٠٫٥', 1_250.5],
      ['۱۲', 12],
      ['१२.५', 12.5],
      ['১২', 12],
      ['１２．５０', 12.5],
      ['１２，５', 12.5],
    ] as const)
      expect(numberTyped(typed, locale), typed).toBe(value)
    expect(numberTyped('  ', locale)).toBeUndefined()
    for (const typed of [
      'ten',
      '1e3',
      '1,00,000',
      '1.2.3',
      '1,000.5.5',
      '1 00',
      '12 24',
      ',5',
      '5,',
      '0x10',
      '+5',
      '$5',
      '١٢٬٥',
      '½',
    ])
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

describe('an amount in dollars', () => {
  test.each(['en-GB', 'en-US', 'es-ES', 'es-MX', 'es-AR'])('is read back as the app writes it (%s)', (locale) => {
    for (const usd of [12.5, 1_000, 12_345.67, 0.05, 3])
      expect(dollarsTyped(createFormat(locale).usd(usd), locale)).toBe(usd)
  })

  test('is read with the name of its token, and with no other', () => {
    for (const typed of ['$12.50', ' $ 12.50 ', 'US$12,50', '12.50 USDC', '12,50 usd', '12,50 US$', 'USD 12.50'])
      expect(dollarsTyped(typed, 'en'), typed).toBe(12.5)
    for (const typed of ['12.50 €', '£12.50', '12.50 EURC', '12.50 $ 3', 'USDT 5', '$1.000'])
      expect(dollarsTyped(typed, 'en'), typed).toBe(typed)
    expect(dollarsTyped(' ', 'en')).toBeUndefined()
  })

  test('is no other amount where the service reads text in its own way', () => {
    expect(['12,5', '1,000', '0.000001', ''].map((typed) => decimalTyped(typed, 'en'))).toEqual([
      '12.5',
      '1000',
      '0.000001',
      '',
    ])
    // To the service, this text would be one dollar.
    for (const typed of ['1.000', '1.250', '0x10', 'ten']) expect(decimalTyped(typed, 'en'), typed).toBe('NaN')
    expect(decimalTyped('1.000', 'es')).toBe('1000')
  })

  test('of a file is refused where it may be a thousand times another', () => {
    for (const locale of ['en', 'es']) {
      for (const written of ['1,000', '1.000', '2.500']) expect(numberOfFile(written, locale), written).toBe(written)
      expect(['1000', '2.50', '2,50', '1,000.50', '$2'].map((written) => numberOfFile(written, locale))).toEqual([
        1_000, 2.5, 2.5, 1_000.5, 2,
      ])
    }
  })
})
