import { describe, expect, test } from 'vitest'
import type { Channel } from '../channels/channel.ts'
import { compareChannel, type ShownChannel } from './compare-channel.ts'
import { stuckAfterMs } from './compare-escrow.ts'

const asset = { symbol: 'USDC', network: 'ledger', decimals: 6 }
const now = new Date('2026-11-21T12:00:00Z')
const closing: NonNullable<Channel['closing']> = {
  reason: 'worker',
  at: now,
  submissionId: null,
  rating: null,
  attempts: 0,
}
const end = (settled: bigint): Channel['end'] => ({ settled, txHash: 'tx', slot: 1n, at: now })

type Books = Pick<Channel, 'id' | 'taskId' | 'asset' | 'status' | 'deposit' | 'cumulative' | 'closing' | 'paid' | 'end'>
const books = (change: Partial<Books> = {}): Channel => {
  const own: Books = {
    id: 'it',
    taskId: 'task',
    asset,
    status: 'open',
    deposit: 100n,
    cumulative: 40n,
    closing: null,
    paid: null,
    end: null,
    ...change,
  }
  // Nothing else of a channel is compared.
  return own as Channel
}
const open: ShownChannel = { state: 'open', deposit: 100n, settled: 40n }
const found = (channel: Channel, held: bigint, shown: Partial<ShownChannel> = {}, at = now) =>
  compareChannel(channel, held, { ...open, ...shown }, at).map(({ kind, atomic, detail }) => [kind, atomic, detail])

describe('a channel that is open', () => {
  test('and is on the ledger as the books have it, is no finding', () => {
    expect(found(books(), 100n)).toEqual([])
    expect(found(books(), 100n, { deposit: 101n, settled: 39n })).toEqual([])
  })

  test('is a finding by how much the books hold another sum than its deposit', () => {
    expect(found(books(), 93n)).toEqual([['mismatch', -7n, 'the books hold 93 of it']])
    expect(found(books(), 101n)).toEqual([['mismatch', 1n, 'the books hold 101 of it']])
  })

  test('is a finding where the ledger has a smaller deposit', () => {
    expect(found(books(), 100n, { deposit: 99n })).toEqual([['mismatch', 1n, 'the ledger has a smaller deposit']])
  })

  test('is a finding where more is settled than we accepted', () => {
    expect(found(books(), 100n, { settled: 43n })).toEqual([['mismatch', 3n, 'more is settled than we accepted']])
  })

  test('has one finding for all that differs, of the size of the first', () => {
    expect(found(books(), 98n, { deposit: 90n, settled: 45n })).toEqual([
      ['mismatch', -2n, 'the books hold 98 of it; the ledger has a smaller deposit; more is settled than we accepted'],
    ])
  })

  test.each(['distributed', 'gone'] as const)('is left to its closing where the ledger shows it %s', (state) => {
    expect(found(books(), 100n, { state, deposit: 0n, settled: 99n })).toEqual([])
    expect(found(books(), 98n, { state })).toEqual([['mismatch', -2n, 'the books hold 98 of it']])
  })

  test.each(['closing', 'sealed'] as const)('is compared where the ledger shows it %s', (state) => {
    expect(found(books(), 100n, { state, deposit: 90n })).toEqual([
      ['mismatch', 10n, 'the ledger has a smaller deposit'],
    ])
  })

  test('names the channel, its task and its asset', () => {
    expect(compareChannel(books(), 93n, open, now)).toEqual([
      {
        kind: 'mismatch',
        subject: 'channel:it',
        taskId: 'task',
        settlementId: null,
        network: 'ledger',
        asset,
        atomic: -7n,
        detail: 'the books hold 93 of it',
      },
    ])
  })
})

describe('a channel that was paid out', () => {
  const paid = books({ status: 'settled', closing, end: end(40n) })

  test('as the ledger has it, and with nothing left in the books, is no finding', () => {
    expect(found(paid, 0n, { state: 'distributed' })).toEqual([])
  })

  test('and still holds something in the books, is a finding of that size', () => {
    expect(found(paid, 5n, { state: 'distributed' })).toEqual([['mismatch', 5n, 'the books hold 5 of it']])
  })

  test('and is not paid out on the ledger, is a finding of all that was booked', () => {
    expect(found(paid, 0n, { state: 'sealed' })).toEqual([
      ['mismatch', 40n, 'paid out by the books, sealed on the ledger'],
    ])
  })

  test('and was settled otherwise, is a finding of the difference', () => {
    expect(found(paid, 0n, { state: 'distributed', settled: 38n })).toEqual([
      ['mismatch', -2n, 'the ledger has settled otherwise'],
    ])
  })

  test('and is gone from the ledger, is compared no more', () => {
    expect(found(paid, 0n, { state: 'gone', settled: 38n })).toEqual([])
  })
})

describe('a channel whose end waits for the ledger', () => {
  const waiting = books({ status: 'closing', closing })
  const after = (ms: number): Date => new Date(now.getTime() + ms)

  test('is stuck after five minutes, and not before', () => {
    expect(found(waiting, 100n, {}, after(stuckAfterMs))).toEqual([])
    expect(found(waiting, 100n, {}, after(stuckAfterMs + 1))).toEqual([['stuck', 40n, 'its end waits for the ledger']])
  })

  test('is not stuck once it is settled, or while it is open', () => {
    const late = after(stuckAfterMs + 1)
    expect(found(books({ status: 'settled', closing, end: end(40n) }), 0n, { state: 'distributed' }, late)).toEqual([])
    expect(found(books(), 100n, {}, late)).toEqual([])
    expect(found(books({ status: 'closing' }), 100n, {}, late)).toEqual([])
  })

  test('whose worker is paid is compared with what is left, and waits for its payer', () => {
    const paid = books({ status: 'closing', closing, paid: end(40n) })
    // Of 40 the shares are 34 and 5; the dust stays until the end.
    expect(found(paid, 61n)).toEqual([])
    expect(found(paid, 100n)).toEqual([['mismatch', 39n, 'the books hold 100 of it']])
    expect(found(paid, 61n, {}, after(stuckAfterMs + 1))).toEqual([
      ['stuck', 60n, 'its worker is paid; its payer has no token account for the rest'],
    ])
  })

  test('may differ and be stuck at once', () => {
    expect(found(waiting, 90n, {}, after(stuckAfterMs + 1)).map(([kind]) => kind)).toEqual(['mismatch', 'stuck'])
  })
})
