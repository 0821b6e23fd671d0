import { expect, test } from 'vitest'
import { atomicOf, dollarsOf } from './limits.ts'

test.each([
  ['en-GB', '12.50', 12_500_000n],
  ['es-ES', '12,5', 12_500_000n],
  ['en-GB', '1,000', 1_000_000_000n],
  ['es-ES', '1.000', 1_000_000_000n],
  ['en-GB', '$0.000001', 1n],
  ['en-GB', '0', 0n],
])('in %s, %j is that limit', (locale, typed, atomic) => {
  expect(atomicOf(typed, locale)).toBe(atomic)
})

test.each([
  ['en-GB', '1.000'],
  ['es-ES', '1,000'],
  ['en-GB', '0.0000001'],
  ['en-GB', '-1'],
  ['en-GB', '9999999999'],
  ['en-GB', ''],
])('in %s, %j is no limit: it is no amount, or a thousand times another one to some', (locale, typed) => {
  expect(atomicOf(typed, locale)).toBeUndefined()
})

test('what a wallet says it signs has the signs of its reader', () => {
  // 87 % of 1.70: with a full stop, it would be a thousand and more to whoever reads Spanish.
  expect(dollarsOf(1_479_000n, 'es-ES')).toBe('1,479\u00a0US$')
  expect(dollarsOf(1_479_000n, 'en-US')).toBe('$1.479')
  expect(dollarsOf(1_000_000_000n, 'en-US')).toBe('$1,000.00')
  expect(dollarsOf(1n, 'en-US')).toBe('$0.000001')
})
