import fc from 'fast-check'
import { expect, test } from 'vitest'
import { channelEndedJournal, isBalanced } from '../ledger/journal.ts'
import { limitOf, tickOf, type Meter } from './metering.ts'
import { payoutOf } from './payout.ts'

const atomic = fc.bigInt({ min: 0n, max: 10n ** 15n })

test('worker, fee and dust are what was settled, and with the refund all that was deposited', () => {
  fc.assert(
    fc.property(atomic, atomic, (settled, more) => {
      const deposit = settled + more
      const payout = payoutOf({ settled, deposit })
      const { worker, fee, dust, refund } = payout
      expect(worker + fee + dust).toBe(settled)
      expect(settled + refund).toBe(deposit)
      expect(dust >= 0n && dust <= 1n).toBe(true)
      expect(isBalanced(channelEndedJournal({ id: 'c', payer: 'p', worker: 'w' }, payout))).toBe(true)
    }),
  )
  expect(payoutOf({ settled: 7_654_321n, deposit: 8_000_000n })).toEqual({
    worker: 6_659_259n,
    fee: 995_061n,
    dust: 1n,
    refund: 345_679n,
  })
})

test('what is paid is the sum of all ticks, up to cap and deposit, and no voucher is below the one before', () => {
  const counts = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 1n, max: 1_000n }), atomic, counts, (...given) => {
      const [price, cap, deposit, ticks] = given
      const now = new Date(0)
      let meter: Meter = {
        ...{ unit: 'scan', price, limit: limitOf({ cap }, deposit) },
        ...{ measured: 0n, cumulative: 0n, measuredUntil: now },
      }
      let sum = 0n
      for (let at = 0; at < ticks; at += 1) {
        const next = tickOf(meter, now)
        expect(next.amount).toBeGreaterThanOrEqual(0n)
        sum += next.amount
        meter = { ...meter, ...next }
      }
      const due = price * BigInt(ticks)
      const most = cap < deposit ? cap : deposit
      expect(meter.cumulative).toBe(sum)
      expect(sum).toBe(due < most ? due : most)
      expect(payoutOf({ settled: sum, deposit }).refund).toBe(deposit - sum)
    }),
  )
})
