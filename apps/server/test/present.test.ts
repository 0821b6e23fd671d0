import { formatUsd } from '@ergon/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instant } from '../src/api/present/instant.ts'
import { usd } from '../src/api/present/money.ts'

const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }

test('an instant is written as ISO 8601 in UTC, to the millisecond', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
      (date) => {
        expect(instant(date)).toBe(date.toISOString())
      },
    ),
  )
})

test('an amount is written as the number nearest to its decimal text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), (atomic) => {
      const amount = { atomic, asset }
      expect(usd(amount)).toBe(Number(formatUsd(amount)))
    }),
  )
})
