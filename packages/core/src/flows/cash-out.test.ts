import { beforeEach, describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import type { CashOut } from '../cash-outs/cash-out.ts'
import type { CashOutEnd } from '../ports/store-cash-outs.ts'
import { plainSignature } from '../testing/fake-ports.ts'
import { createFakeChain, type Fault } from '../testing/fake-chain.ts'
import { linesOf, refusalOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { finishCashOuts } from './carry-cash-out.ts'
import { cashOut, cashOuts, readCashOut } from './cash-out.ts'
import type { MarketDeps } from './deps.ts'

const wallet = '0xaa'
const caller: WalletCaller = { kind: 'wallet', wallet, agentId: null, via: 'session' }
const nonce = `0x${'5e'.repeat(32)}`
const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }
const seconds = BigInt(scriptedNow.getTime() / 1_000)
const input = {
  network: 'localnet',
  token: 'USDC',
  to: '0xBB',
  amountUsd: '2.5',
  validBefore: seconds + 500n,
  nonce: nonce.toUpperCase().replace('0X', '0x'),
  signature: plainSignature(wallet, nonce),
}

let row: CashOut | null
let due: readonly CashOut[]
beforeEach(() => {
  row = null
  due = []
})

/** A store of one row, as the tables keep it. */
function stage(
  given: { readonly fault?: Fault; readonly script?: Script; readonly change?: Partial<MarketDeps> } = {},
) {
  const one = scriptedDeps(
    {
      cashOut: () => row,
      sendableOf: (_of: string, assets: readonly unknown[]) => assets.map((of) => ({ asset: of, atomic: 4_000_000n })),
      sendable: 4_000_000n,
      isBanned: false,
      insertCashOut: (fresh: CashOut) => {
        row = fresh
        return true
      },
      endCashOut: (_one: CashOut, { status, code, txHash }: CashOutEnd) => {
        if (row !== null) row = { ...row, status, code: code ?? null, txHash: txHash ?? row.txHash }
        return true
      },
      leaseCashOuts: () => due,
      ...given.script,
    },
    given.change,
  )
  one.chain.fund(wallet, 3_000_000n)
  one.chain.fault = (method) => (method === 'send' ? (given.fault ?? 'none') : 'none')
  return one
}
const send = (one: ReturnType<typeof stage>, change: Partial<typeof input> = {}) =>
  cashOut(one.deps, caller, { ...input, ...change })
const finish = async (one: ReturnType<typeof stage>): Promise<number> => {
  due = row === null ? [] : [{ ...row, attempts: row.attempts + 1 }]
  return finishCashOuts(one.deps)
}
const settings = (change: object) => ({ settings: { ...scriptedDeps().deps.settings, ...change } })

describe('a cash-out', () => {
  test('is claimed, paid and confirmed, and what costs anything is asked last', async () => {
    const one = stage()
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
    const late = stage({ script: { cashOut: null, endCashOut: false } })
    await send(late)
    expect(late.of('tellWallet')).toEqual([])
    expect(one.of('sendableOf')).toEqual([[wallet, [asset]]])
    expect(one.of('isBanned')).toEqual([['0xbb']])
    expect(one.of('countCashOut')).toEqual([[{ wallet, to: '0xbb', perWalletDay: 3, perAddressDay: 3, perDay: 500 }]])
    expect(one.of('sendable')).toEqual([[wallet, asset]])
    expect(one.of('insertCashOut')[0]?.[1]).toEqual(new Date(scriptedNow.getTime() + 30_000))
    expect(one.chain.landings.map(({ key }) => key)).toEqual([`cash-out:${row?.id ?? ''}`])
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
    const one = stage()
    expect(await refusalOf(() => send(one, change))).toMatchObject([code, {}])
    expect([one.of('insertCashOut'), one.chain.landings]).toEqual([[], []])
  })

  test('of who earned nothing is refused before a signature is looked at', async () => {
    const one = stage({ script: { sendableOf: [] } })
    expect(await refusalOf(() => send(one, { signature: 'nonsense' }))).toMatchObject([
      'INSUFFICIENT_FUNDS',
      { sendable_usdc: 0 },
    ])
  })

  test('to a banned wallet is refused', async () => {
    expect(await refusalOf(() => send(stage({ script: { isBanned: true } })))).toEqual([
      'WORKER_BLOCKED',
      { wallet: '0xbb' },
    ])
  })

  test.each([0, undefined])(
    'is refused where %s a day are paid for, and the list offers none',
    async (cashOutsPerDay) => {
      const one = stage({ change: settings({ cashOutsPerDay }) })
      await expect(send(one)).rejects.toThrow('This deployment sends nothing on without gas.')
      expect(await refusalOf(() => send(one))).toEqual(['FEATURE_DISABLED', {}])
      expect((await cashOuts(one.deps, caller, { limit: 1, offset: 0, cursor: null })).sendable).toEqual([])
    },
  )

  test('is measured again under the counts, so that two are never measured against the same earnings', async () => {
    const one = stage({ script: { sendable: 2_499_999n } })
    expect(await refusalOf(() => send(one))).toMatchObject(['INSUFFICIENT_FUNDS', { sendable_usdc: 2.499999 }])
    expect(one.of('insertCashOut')).toEqual([])
  })

  test('of a nonce that the chain has seen is refused', async () => {
    const one = stage()
    one.chain.fund(wallet, 9_000_000n)
    await send(one)
    row = null
    expect(await refusalOf(() => send(one))).toEqual(['PAYMENT_AUTH_USED', { nonce }])
    const landed = one.chain.landings[0]
    if (landed !== undefined) one.chain.withdraw(landed.txHash)
    expect(await refusalOf(() => send(one))).toEqual(['PAYMENT_AUTH_USED', { nonce }])
  })

  test('is refused while another of the token is on its way', async () => {
    const one = stage({ script: { insertCashOut: false } })
    await expect(send(one)).rejects.toThrow('A cash-out of this token is on its way. Read it before you sign another.')
    expect(await refusalOf(() => send(one))).toEqual(['APPROVAL_IN_FLIGHT', {}])
    expect(one.chain.landings).toEqual([])
  })

  test('that a second process claimed at the same moment answers what that one did', async () => {
    const one = stage()
    await send(one)
    const other = row
    let asked = 0
    const late = stage({ script: { insertCashOut: false, cashOut: () => ((asked += 1) === 1 ? null : other) } })
    expect(await send(late)).toBe(other)
    expect(late.chain.landings).toEqual([])
  })

  test('that the store could not claim is told as it is', async () => {
    const fault = new Error('no database')
    const one = stage({
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
    const one = stage()
    const first = await send(one)
    one.clock.advance(3_600_000)
    expect(await send(one)).toEqual(first)
    expect(one.chain.landings).toHaveLength(1)
  })

  test('with other words is refused', async () => {
    const one = stage()
    await send(one)
    expect(await refusalOf(() => send(one, { amountUsd: '2' }))).toEqual(['PAYMENT_AUTH_USED', { nonce }])
  })

  test('says again why nothing was sent', async () => {
    const one = stage({ fault: 'refused' })
    const refusal = ['LOCK_REVERTED', { network: 'localnet', required_usdc: 2.5, nonce }]
    expect(await refusalOf(() => send(one))).toEqual(refusal)
    expect(await refusalOf(() => send(one))).toEqual(refusal)
  })
})

describe('an answer that is lost', () => {
  test.each(['lost before', 'lost after', 'refused late', 'refused though it landed'] as const)(
    '(%s) moves the money once',
    async (fault) => {
      const one = stage({ fault })
      await send(one)
      one.chain.fault = () => 'none'
      await finish(one)
      expect(row?.status).toBe('confirmed')
      expect(one.chain.balance('0xbb')).toBe(2_500_000n)
      expect(await finish(one)).toBe(1)
      expect(one.chain.landings).toHaveLength(1)
    },
  )

  test.each(['lost before', 'refused for now', 'unavailable though sent'] as const)(
    '(%s) leaves it open, and it is looked at soon',
    async (fault) => {
      const one = stage({ fault })
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
    expect(await send(stage({ change: { rails: () => rail } }))).toMatchObject({ status: 'in_doubt', txHash: '0xseen' })
  })

  test('of which not a byte left gives the money up at once, but only of the first copy', async () => {
    const one = stage({ fault: 'unavailable' })
    expect(await refusalOf(() => send(one))).toMatchObject(['SETTLEMENT_FAILED', {}])
    expect(row?.status).toBe('refused')
    const other = stage({ fault: 'lost before' })
    row = null
    await send(other)
    other.chain.fault = (method) => (method === 'send' ? 'unavailable' : 'none')
    expect(await finish(other)).toBe(0)
    expect(row).toMatchObject({ status: 'in_doubt' })
  })

  test('is believed by the chain alone: unread, it stays open', async () => {
    const one = stage({ fault: 'lost after' })
    await send(one)
    one.chain.fault = (method) => (method === 'find' ? 'unreadable' : 'none')
    one.clock.advance(3_600_000)
    expect(await finish(one)).toBe(0)
    expect(row).toMatchObject({ status: 'in_doubt' })
  })

  test('while the verdict cannot be held against the chain, it stays open', async () => {
    const one = stage()
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
    const one = stage({ fault: 'lost before' })
    await send(one)
    one.clock.advance(501_000)
    expect(await finish(one)).toBe(1)
    expect(row).toMatchObject({ status: 'refused', code: 'AUTHORIZATION_EXPIRED' })
    expect(one.chain.balance(wallet)).toBe(3_000_000n)
  })

  test('is sent where it landed while the chain was asked whether it is past its end', async () => {
    const one = stage({ fault: 'lost after' })
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
    due = row === null ? [] : [row]
    expect(await finishCashOuts({ ...one.deps, rails: () => rail })).toBe(1)
    expect(row).toMatchObject({ status: 'confirmed', txHash: one.chain.landings[0]?.txHash })
  })

  test('is given up where the wallet withdrew its signature', async () => {
    const one = stage({ fault: 'lost after' })
    await send(one)
    one.chain.withdraw(one.chain.landings[0]?.txHash ?? '')
    expect(await finish(one)).toBe(1)
    expect(row).toMatchObject({ status: 'refused', code: 'PAYMENT_AUTH_USED' })
  })

  test('is given up by a verdict where the wallet withdrew its signature meanwhile', async () => {
    const one = stage({ fault: 'lost after' })
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
    due = row === null ? [] : [row]
    expect(await finishCashOuts({ ...one.deps, rails: () => rail })).toBe(1)
    expect(row).toMatchObject({ status: 'refused', code: 'LOCK_REVERTED' })
  })

  test('what landed past us is sent, in the transaction that did', async () => {
    const one = stage({ fault: 'lost before' })
    await send(one)
    const { id = '', transfer } = row ?? {}
    if (transfer === undefined) throw new Error('no row')
    one.chain.fault = () => 'none'
    await one.chain.rail.send({ kind: 'charge', key: `not ours ${id}`, transfer }, 0, new Date(scriptedNow))
    expect(await finish(one)).toBe(1)
    expect(row).toMatchObject({ status: 'confirmed', txHash: one.chain.landings[0]?.txHash })
    expect(one.chain.landings).toHaveLength(1)
  })
})

test('the duty takes twenty with a lease, and says that copies are under way', async () => {
  const one = stage()
  expect(await finishCashOuts(one.deps)).toBe(0)
  const later = new Date(scriptedNow.getTime() + 30_000)
  expect(one.of('leaseCashOuts')).toEqual([[scriptedNow, later, later, 20]])
})

test('a row that is gone is answered as it was', async () => {
  const one = stage({ script: { cashOut: null } })
  expect(await send(one)).toMatchObject({ status: 'claimed' })
})

describe('reading', () => {
  const page = { limit: 2, offset: 1, cursor: null }

  test('one of the wallet’s own by its nonce, in any case', async () => {
    const one = stage()
    await send(one)
    expect(await readCashOut(one.deps, caller, input.nonce)).toBe(row)
    row = null
    await expect(readCashOut(one.deps, caller, nonce)).rejects.toThrow('There is no cash-out of this nonce.')
    expect(await refusalOf(() => readCashOut(one.deps, caller, nonce))).toEqual(['NOT_FOUND', { nonce }])
  })

  test('its list, and what it may send of each token of a network with such signatures', async () => {
    const rows = { rows: [], total: 0, offset: 1, hasMore: false, nextCursor: null }
    const networks = [
      ...scriptedDeps().deps.networks,
      { ...scriptedDeps().deps.networks[0], name: 'solana', chainId: null },
    ] as MarketDeps['networks']
    const one = stage({
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
    const one = stage()
    expect(await cashOuts(one.deps, { kind: 'anonymous' }, page)).toEqual({
      page: { rows: [], total: 0, offset: 1, hasMore: false, nextCursor: null },
      sendable: [],
    })
    expect(one.asked).toEqual([])
  })
})
