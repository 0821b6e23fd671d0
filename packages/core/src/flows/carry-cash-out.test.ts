import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeChain } from '../testing/fake-chain.ts'
import { cashOutStage, emptyBooks, finish, send, wallet, type Books } from '../testing/scripted-cash-outs.ts'
import { refusalOf, scriptedNow } from '../testing/scripted-deps.ts'
import { finishCashOuts } from './carry-cash-out.ts'

let books: Books
beforeEach(() => {
  books = emptyBooks()
})

describe('an answer that is lost', () => {
  test.each(['lost before', 'lost after', 'refused late', 'refused though it landed'] as const)(
    '(%s) moves the money once',
    async (fault) => {
      const one = cashOutStage(books, { fault })
      await send(one)
      one.chain.fault = () => 'none'
      await finish(books, one)
      expect(books.row?.status).toBe('confirmed')
      expect(one.chain.balance('0xbb')).toBe(2_500_000n)
      expect(await finish(books, one)).toBe(1)
      expect(one.chain.landings).toHaveLength(1)
    },
  )

  test.each(['lost before', 'refused for now', 'unavailable though sent'] as const)(
    '(%s) leaves it open, and it is looked at soon',
    async (fault) => {
      const one = cashOutStage(books, { fault })
      expect(await send(one)).toMatchObject({ status: 'in_doubt', code: null })
      expect(one.of('endCashOut')[0]?.[1]).toEqual({
        status: 'in_doubt',
        dueAt: new Date(scriptedNow.getTime() + 500),
      })
    },
  )

  test('that named a transaction keeps its name', async () => {
    const chain = createFakeChain()
    chain.fund(wallet, 3_000_000n)
    const rail = { ...chain.rail, send: () => Promise.resolve({ outcome: 'unknown', txHash: '0xseen' } as const) }
    expect(await send(cashOutStage(books, { change: { rails: () => rail } }))).toMatchObject({
      status: 'in_doubt',
      txHash: '0xseen',
    })
  })

  test('of which not a byte left gives the money up at once, but only of the first copy', async () => {
    const one = cashOutStage(books, { fault: 'unavailable' })
    expect(await refusalOf(() => send(one))).toMatchObject(['SETTLEMENT_FAILED', {}])
    expect(books.row?.status).toBe('refused')
    const other = cashOutStage(books, { fault: 'lost before' })
    books.row = null
    await send(other)
    other.chain.fault = (method) => (method === 'send' ? 'unavailable' : 'none')
    expect(await finish(books, other)).toBe(0)
    expect(books.row).toMatchObject({ status: 'in_doubt' })
  })

  test('is believed by the chain alone: unread, it stays open', async () => {
    const one = cashOutStage(books, { fault: 'lost after' })
    await send(one)
    one.chain.fault = (method) => (method === 'find' ? 'unreadable' : 'none')
    one.clock.advance(3_600_000)
    expect(await finish(books, one)).toBe(0)
    expect(books.row).toMatchObject({ status: 'in_doubt' })
  })

  test('while the verdict cannot be held against the chain, it stays open', async () => {
    const one = cashOutStage(books)
    let looks = 0
    one.chain.fault = (method) => {
      if (method === 'send') return 'refused'
      return method === 'find' && (looks += 1) > 1 ? 'unreadable' : 'none'
    }
    expect(await send(one)).toMatchObject({ status: 'in_doubt' })
  })
})

describe('what can no more be carried out', () => {
  test('is given up once the chain is past its end', async () => {
    const one = cashOutStage(books, { fault: 'lost before' })
    await send(one)
    one.clock.advance(501_000)
    expect(await finish(books, one)).toBe(1)
    expect(books.row).toMatchObject({ status: 'refused', code: 'AUTHORIZATION_EXPIRED' })
    expect(one.chain.balance(wallet)).toBe(3_000_000n)
  })

  test('is sent where it landed while the chain was asked whether it is past its end', async () => {
    const one = cashOutStage(books, { fault: 'lost after' })
    await send(one)
    one.clock.advance(501_000)
    const { chainTime, find } = one.chain.rail
    let isAsked = false
    const rail: typeof one.chain.rail = {
      ...one.chain.rail,
      chainTime: () => {
        isAsked = true
        return chainTime()
      },
      find: (order) => (isAsked ? find(order) : Promise.resolve({ state: 'absent' })),
    }
    books.due = books.row === null ? [] : [books.row]
    expect(await finishCashOuts({ ...one.deps, rails: () => rail })).toBe(1)
    expect(books.row).toMatchObject({ status: 'confirmed', txHash: one.chain.landings[0]?.txHash })
  })

  test('is given up where the wallet withdrew its signature', async () => {
    const one = cashOutStage(books, { fault: 'lost after' })
    await send(one)
    one.chain.withdraw(one.chain.landings[0]?.txHash ?? '')
    expect(await finish(books, one)).toBe(1)
    expect(books.row).toMatchObject({ status: 'refused', code: 'PAYMENT_AUTH_USED' })
  })

  test('is given up by a verdict where the wallet withdrew its signature meanwhile', async () => {
    const one = cashOutStage(books, { fault: 'lost after' })
    await send(one)
    const { txHash = '' } = one.chain.landings[0] ?? {}
    one.chain.fault = (method, order) => {
      if (method !== 'send' || order === null) return 'none'
      one.chain.withdraw(txHash)
      return 'refused for now'
    }
    const { find } = one.chain.rail
    let looks = 0
    // The first look is of before.
    const rail = {
      ...one.chain.rail,
      find: (order: Parameters<typeof find>[0]) =>
        (looks += 1) === 1 ? Promise.resolve({ state: 'absent' } as const) : find(order),
    }
    books.due = books.row === null ? [] : [books.row]
    expect(await finishCashOuts({ ...one.deps, rails: () => rail })).toBe(1)
    expect(books.row).toMatchObject({ status: 'refused', code: 'LOCK_REVERTED' })
  })

  test('what landed past us is sent, in the transaction that did', async () => {
    const one = cashOutStage(books, { fault: 'lost before' })
    await send(one)
    const { id = '', transfer } = books.row ?? {}
    if (transfer === undefined) throw new Error('no row')
    one.chain.fault = () => 'none'
    await one.chain.rail.send({ kind: 'charge', key: `not ours ${id}`, transfer }, 0, new Date(scriptedNow))
    expect(await finish(books, one)).toBe(1)
    expect(books.row).toMatchObject({ status: 'confirmed', txHash: one.chain.landings[0]?.txHash })
    expect(one.chain.landings).toHaveLength(1)
  })
})

test('the duty takes twenty with a lease, and says that copies are under way', async () => {
  const one = cashOutStage(books)
  expect(await finishCashOuts(one.deps)).toBe(0)
  const later = new Date(scriptedNow.getTime() + 30_000)
  expect(one.of('leaseCashOuts')).toEqual([['localnet', scriptedNow, later, later, 20]])
})

test('a books.row that is gone is answered as it was', async () => {
  const one = cashOutStage(books, { script: { cashOut: null } })
  expect(await send(one)).toMatchObject({ status: 'claimed' })
})
