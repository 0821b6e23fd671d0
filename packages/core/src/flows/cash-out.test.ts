import { beforeEach, describe, expect, test } from 'vitest'
import type { CashOut } from '../cash-outs/cash-out.ts'
import { plainSignature } from '../testing/fake-ports.ts'
import {
  asset,
  caller,
  cashOutStage,
  emptyBooks,
  input,
  nonce,
  seconds,
  send,
  wallet,
  type Books,
} from '../testing/scripted-cash-outs.ts'
import { linesOf, refusalOf, scriptedDeps, scriptedNow } from '../testing/scripted-deps.ts'
import { cashOuts, readCashOut } from './cash-out.ts'
import type { MarketDeps } from './deps.ts'

let books: Books
beforeEach(() => {
  books = emptyBooks()
})

const settings = (change: object) => ({ settings: { ...scriptedDeps().deps.settings, ...change } })

describe('a cash-out', () => {
  test('is claimed, paid and confirmed, and what costs anything is asked last', async () => {
    const one = cashOutStage(books)
    expect(await send(one)).toMatchObject({ status: 'confirmed', txHash: one.chain.landings[0]?.txHash })
    expect(one.chain.balance('0xbb')).toBe(2_500_000n)
    expect(linesOf(one.asked).map((line) => line.split(' ')[0])).toEqual([
      'cashOut',
      'sendableOf',
      'isBanned',
      'transaction',
      'countCashOut',
      'sendable',
      'insertCashOut',
      'transaction',
      'endCashOut',
      'tellWallet',
      'cashOut',
    ])
    expect(one.of('cashOut')[0]).toEqual([wallet, nonce])
    expect(one.of('tellWallet')).toMatchObject([[wallet, { type: 'cash_out.sent' }]])
    const late = cashOutStage(books, { script: { cashOut: null, endCashOut: false } })
    await send(late)
    expect(late.of('tellWallet')).toEqual([])
    expect(one.of('sendableOf')).toEqual([[wallet, [asset]]])
    expect(one.of('isBanned')).toEqual([['0xbb']])
    expect(one.of('countCashOut')).toEqual([[{ wallet, to: '0xbb', perWalletDay: 3, perAddressDay: 3, perDay: 500 }]])
    expect(one.of('sendable')).toEqual([[wallet, asset]])
    expect(one.of('insertCashOut')[0]?.[1]).toEqual(new Date(scriptedNow.getTime() + 30_000))
    expect(one.chain.landings.map(({ key }) => key)).toEqual([`cash-out:${books.row?.id ?? ''}`])
  })

  test.each([
    ['of less than a dollar', { amountUsd: '0.999999' }, 'AMOUNT_MISMATCH'],
    ['of more than was earned', { amountUsd: '4.000001' }, 'INSUFFICIENT_FUNDS'],
    ['of more than the wallet holds', { amountUsd: '3.5' }, 'INSUFFICIENT_FUNDS'],
    ['that is good for an hour', { validBefore: seconds + 3_600n }, 'INVALID_PAYMENT_AUTH'],
    ['that another signed', { signature: plainSignature('0xcc', nonce) }, 'INVALID_SIGNATURE'],
    ['of a token that is not here', { token: 'DOGE' }, 'TOKEN_NOT_ACCEPTED'],
    ['on a network that is not here', { network: 'moon' }, 'NETWORK_NOT_ACCEPTED'],
  ])('%s is refused before anything is claimed', async (_what, change, code) => {
    const one = cashOutStage(books)
    expect(await refusalOf(() => send(one, change))).toMatchObject([code, {}])
    expect([one.of('insertCashOut'), one.chain.landings]).toEqual([[], []])
  })

  test('of who earned nothing is refused before a signature is looked at', async () => {
    const one = cashOutStage(books, { script: { sendableOf: [] } })
    expect(await refusalOf(() => send(one, { signature: 'nonsense' }))).toMatchObject([
      'INSUFFICIENT_FUNDS',
      { sendable_usdc: 0 },
    ])
  })

  test('to a banned wallet is refused', async () => {
    expect(await refusalOf(() => send(cashOutStage(books, { script: { isBanned: true } })))).toEqual([
      'WORKER_BLOCKED',
      { wallet: '0xbb' },
    ])
  })

  test.each([0, undefined])(
    'is refused where %s a day are paid for, and the list offers none',
    async (cashOutsPerDay) => {
      const one = cashOutStage(books, { change: settings({ cashOutsPerDay }) })
      await expect(send(one)).rejects.toThrow('This deployment sends nothing on without gas.')
      expect(await refusalOf(() => send(one))).toEqual(['FEATURE_DISABLED', {}])
      expect((await cashOuts(one.deps, caller, { limit: 1, offset: 0, cursor: null })).sendable).toEqual([])
    },
  )

  test('is measured again under the counts, so that two are never measured against the same earnings', async () => {
    const one = cashOutStage(books, { script: { sendable: 2_499_999n } })
    expect(await refusalOf(() => send(one))).toMatchObject(['INSUFFICIENT_FUNDS', { sendable_usdc: 2.499999 }])
    expect(one.of('insertCashOut')).toEqual([])
  })

  test('of a nonce that the chain has seen is refused', async () => {
    const one = cashOutStage(books)
    one.chain.fund(wallet, 9_000_000n)
    await send(one)
    books.row = null
    expect(await refusalOf(() => send(one))).toEqual(['PAYMENT_AUTH_USED', { nonce }])
    const landed = one.chain.landings[0]
    if (landed !== undefined) one.chain.withdraw(landed.txHash)
    expect(await refusalOf(() => send(one))).toEqual(['PAYMENT_AUTH_USED', { nonce }])
  })

  test('is refused while another of the token is on its way', async () => {
    const one = cashOutStage(books, { script: { insertCashOut: false } })
    await expect(send(one)).rejects.toThrow('A cash-out of this token is on its way. Read it before you sign another.')
    expect(await refusalOf(() => send(one))).toEqual(['APPROVAL_IN_FLIGHT', {}])
    expect(one.chain.landings).toEqual([])
  })

  test('that a second process claimed at the same moment answers what that one did', async () => {
    const one = cashOutStage(books)
    await send(one)
    const other = books.row
    let asked = 0
    const late = cashOutStage(books, {
      script: { insertCashOut: false, cashOut: () => ((asked += 1) === 1 ? null : other) },
    })
    expect(await send(late)).toBe(other)
    expect(late.chain.landings).toEqual([])
  })

  test.each([
    ['the books', { sendableOf: [] }, 0n],
    ['the books, under the counts', { sendable: 0n }, 0n],
    ['the wallet', {}, 3_000_000n],
  ] as const)('whose twin took from %s what it asks for answers what the twin did', async (_what, script, spent) => {
    const one = cashOutStage(books)
    await send(one)
    const twin = books.row
    let asked = 0
    const late = cashOutStage(books, { script: { ...script, cashOut: () => ((asked += 1) === 1 ? null : twin) } })
    late.chain.fund(wallet, -spent)
    expect(await send(late)).toBe(twin)
    expect([late.of('insertCashOut'), late.chain.landings]).toEqual([[], []])
  })

  test('that another on its way leaves nothing for is told of that one, not that there is no money', async () => {
    const one = cashOutStage(books)
    await send(one)
    const first = books.row
    if (first === null) throw new Error('nothing was sent')
    const told = async (earlier: CashOut): Promise<unknown> => {
      const rows = { rows: [earlier], total: 1, offset: 0, hasMore: false, nextCursor: null }
      const late = cashOutStage(books, { script: { cashOut: null, sendableOf: [], cashOutsOf: rows } })
      const refusal = await refusalOf(() => send(late, { nonce: `0x${'6f'.repeat(32)}` }))
      expect(late.of('cashOutsOf')).toEqual([[wallet, { limit: 20, offset: 0, cursor: null }]])
      return Array.isArray(refusal) ? refusal[0] : undefined
    }
    const of = (change: object): CashOut => ({ ...first, transfer: { ...first.transfer, ...change } })
    expect(await told({ ...first, status: 'claimed' })).toBe('APPROVAL_IN_FLIGHT')
    expect(await told({ ...first, status: 'in_doubt' })).toBe('APPROVAL_IN_FLIGHT')
    expect(await told({ ...first, status: 'confirmed' })).toBe('INSUFFICIENT_FUNDS')
    expect(await told({ ...first, status: 'refused' })).toBe('INSUFFICIENT_FUNDS')
    expect(await told({ ...of({ network: 'moon' }), status: 'claimed' })).toBe('INSUFFICIENT_FUNDS')
    const other = { ...first.transfer.amount, asset: { ...asset, symbol: 'EURC' } }
    expect(await told({ ...of({ amount: other }), status: 'claimed' })).toBe('INSUFFICIENT_FUNDS')
  })

  test('that is refused for another reason asks for no others', async () => {
    const one = cashOutStage(books)
    expect(await refusalOf(() => send(one, { amountUsd: '0.5' }))).toMatchObject(['AMOUNT_MISMATCH', {}])
    expect(one.of('cashOutsOf')).toEqual([])
  })

  test('that the store could not claim is told as it is', async () => {
    const fault = new Error('no database')
    const one = cashOutStage(books, {
      script: {
        insertCashOut: () => {
          throw fault
        },
      },
    })
    await expect(send(one)).rejects.toBe(fault)
  })
})

describe('the same nonce again', () => {
  test('answers what became of it, though its time is over, and sends nothing', async () => {
    const one = cashOutStage(books)
    const first = await send(one)
    one.clock.advance(3_600_000)
    expect(await send(one)).toEqual(first)
    expect(one.chain.landings).toHaveLength(1)
  })

  test('with other words is refused', async () => {
    const one = cashOutStage(books)
    await send(one)
    expect(await refusalOf(() => send(one, { amountUsd: '2' }))).toEqual(['PAYMENT_AUTH_USED', { nonce }])
  })

  test('says again why nothing was sent', async () => {
    const one = cashOutStage(books, { fault: 'refused' })
    const refusal = ['LOCK_REVERTED', { network: 'localnet', required_usdc: 2.5, nonce }]
    expect(await refusalOf(() => send(one))).toEqual(refusal)
    expect(await refusalOf(() => send(one))).toEqual(refusal)
  })
})

describe('reading', () => {
  const page = { limit: 2, offset: 1, cursor: null }

  test('one of the wallet’s own by its nonce, in any case', async () => {
    const one = cashOutStage(books)
    await send(one)
    expect(await readCashOut(one.deps, caller, input.nonce)).toBe(books.row)
    books.row = null
    await expect(readCashOut(one.deps, caller, nonce)).rejects.toThrow('There is no cash-out of this nonce.')
    expect(await refusalOf(() => readCashOut(one.deps, caller, nonce))).toEqual(['NOT_FOUND', { nonce }])
  })

  test('its list, and what it may send of each token of a network with such signatures', async () => {
    const rows = { rows: [], total: 0, offset: 1, hasMore: false, nextCursor: null }
    const networks = [
      ...scriptedDeps().deps.networks,
      { ...scriptedDeps().deps.networks[0], name: 'solana', chainId: null },
    ] as MarketDeps['networks']
    const one = cashOutStage(books, {
      script: {
        cashOutsOf: rows,
        sendableOf: (_of: string, [of]: readonly (typeof asset)[]) => [
          { asset: of, atomic: 1n },
          { asset: of, atomic: 0n },
        ],
      },
      change: { networks },
    })
    expect(await cashOuts(one.deps, caller, page)).toEqual({ page: rows, sendable: [{ asset, atomic: 1n }] })
    expect(one.of('sendableOf')).toEqual([[wallet, [asset]]])
    expect(one.of('cashOutsOf')).toEqual([[wallet, page]])
  })

  test('who owns no rows sees none, and no database is asked', async () => {
    const one = cashOutStage(books)
    expect(await cashOuts(one.deps, { kind: 'anonymous' }, page)).toEqual({
      page: { rows: [], total: 0, offset: 1, hasMore: false, nextCursor: null },
      sendable: [],
    })
    expect(one.asked).toEqual([])
  })
})
