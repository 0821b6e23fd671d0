import { describe, expect, test } from 'vitest'
import { shareOut } from '../../src/gas/gas-book.ts'
import { createGasBudget, gasOfRating, gasOfRegistration, type GasLimits } from '../../src/gas/gas-budget.ts'
import {
  deployingLockShare,
  directShare,
  lockShare,
  mostGasOfIdentities,
  mostGasOfPayment,
  partShare,
  sweepShare,
  tooDear,
  tooDearAbove,
  type GasShare,
} from '../../src/gas/gas-share.ts'
import { boundFees, outOfGas } from '../../src/gas/gas-terms.ts'
import { createPaymentGas } from '../../src/gas/payment-gas.ts'
import { createSolBudget } from '../../src/solana/sol-budget.ts'
import { createMemoryGasBook } from '../../src/testing/memory-gas-book.ts'
import { payer, stranger } from '../../src/testing/payments.ts'

/** Ten seconds before midnight. */
const book = () => createMemoryGasBook(() => 86_390_000)
const unlimited: GasLimits = { wallet: 0, client: 0, total: 0 }
const loud = payer.address.toUpperCase().replace('0X', '0x')

type Refused = {
  readonly status: number
  readonly isPassing: boolean
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}
const refusedBy = (error: unknown) => {
  const { status, isPassing, details } = error as Refused // what is thrown is a Refusal
  return { status, isPassing, by: details['spent_by'] }
}

describe('the gas of a day for identities and ratings', () => {
  const budgetOf = (limits: Partial<GasLimits>) => createGasBudget({ ...unlimited, ...limits }, book())
  type Ask = { readonly of?: 'identities' | 'ratings'; readonly wallet?: string | undefined; readonly from?: string }
  const asking =
    (budget: ReturnType<typeof budgetOf>) =>
    (gas: number, { of = 'ratings', wallet, from }: Ask = {}) =>
      budget.take({ of, gas, wallet }, from === undefined ? {} : { from }).then(() => 'taken', refusedBy)

  test('is spent up to the limit and not past it', async () => {
    const take = asking(budgetOf({ total: 100 }))
    expect(await take(60)).toBe('taken')
    expect(await take(41)).toEqual({ status: 503, isPassing: true, by: 'total' })
    expect(await take(40)).toBe('taken')
    expect(await take(1)).toEqual({ status: 503, isPassing: true, by: 'total' })
  })

  test('of one wallet is bounded, however its address is written, and another has its own', async () => {
    const take = asking(budgetOf({ wallet: 100 }))
    expect(await take(100, { wallet: payer.address })).toBe('taken')
    expect(await take(1, { wallet: loud })).toEqual({ status: 429, isPassing: true, by: 'wallet' })
    expect(await take(100, { wallet: stranger.address })).toBe('taken')
    expect(await take(100)).toBe('taken')
  })

  test('of one caller is bounded, whatever its address is made of', async () => {
    const take = asking(budgetOf({ client: 100 }))
    for (const from of ['192.0.2.1', '2001:db8:1:2::/64']) {
      expect(await take(100, { from })).toBe('taken')
      expect(await take(1, { from })).toEqual({ status: 429, isPassing: true, by: 'client' })
    }
    expect(await take(100)).toBe('taken')
  })

  test('leaves a quarter to ratings', async () => {
    const take = asking(budgetOf({ total: 1_000 }))
    expect(await take(750, { of: 'identities' })).toBe('taken')
    expect(await take(1, { of: 'identities' })).toEqual({ status: 503, isPassing: true, by: 'identities' })
    expect(await take(250)).toBe('taken')
    expect(await take(1)).toEqual({ status: 503, isPassing: true, by: 'total' })
  })

  test('without a limit is counted all the same', async () => {
    const budget = budgetOf({})
    expect(await asking(budget)(5_000_000, { of: 'identities' })).toBe('taken')
    expect(await budget.today()).toEqual({ spent: 5_000_000, limit: null, resets_at: '1970-01-02T00:00:00.000Z' })
    expect((await budgetOf({ total: 7 }).today()).limit).toBe(7)
  })

  test('that is spent says so, and when it comes back', async () => {
    const budget = budgetOf({ total: 1 })
    await expect(budget.take({ of: 'ratings', gas: 2, wallet: undefined }, {})).rejects.toMatchObject({
      code: 'gas_budget_spent',
      message: 'the gas that identities and ratings may cost today is spent',
      details: { broadcast: false, retry_after: 10 },
    })
  })

  test('costs by what is stored and what is logged', () => {
    expect([gasOfRegistration(0), gasOfRegistration(10)]).toEqual([250_000, 257_150])
    expect(gasOfRating({ stored: 0, logged: 0 })).toBe(250_000)
    expect(gasOfRating({ stored: 10, logged: 100 })).toBe(259_550)
  })
})

describe('the gas of a day for payments', () => {
  const gasOf = (limits: Partial<GasLimits>) => createPaymentGas({ ...unlimited, ...limits }, book())
  const outcome = (refusal: unknown) => (refusal === undefined ? 'taken' : refusedBy(refusal))
  const wallet = payer.address
  type Asked = { readonly spends?: number | undefined; readonly from?: string | undefined }
  const taking =
    (gas: ReturnType<typeof gasOf>) =>
    async (share: GasShare, { spends, from }: Asked = {}) => {
      const [refusal] = await gas.take([{ share, from, spends }])
      return outcome(refusal)
    }

  test('counts what is usual, or what it will cost where that is more, and what its end will', async () => {
    const spentOn = async (share: GasShare, spends?: number) => {
      const gas = gasOf({})
      await taking(gas)(share, { spends })
      return (await gas.today()).spent
    }
    expect(await spentOn(lockShare(wallet))).toBe(400_000)
    expect(await spentOn(lockShare(wallet), 250_000)).toBe(400_000)
    expect(await spentOn(lockShare(wallet), 250_001)).toBe(400_001)
    expect(await spentOn(deployingLockShare(wallet))).toBe(700_000)
    expect(await spentOn(directShare(wallet))).toBe(100_000)
    expect(await spentOn(partShare(wallet))).toBe(150_000)
    // Moving fees has a count of its own.
    expect(await spentOn(sweepShare)).toBe(0)
  })

  test('is bounded for a payer, for a caller and in all, and what is refused counts nothing', async () => {
    const ofPayer = taking(gasOf({ wallet: 100_000 }))
    expect(await ofPayer(directShare(wallet))).toBe('taken')
    expect(await ofPayer(directShare(loud))).toEqual({ status: 429, isPassing: false, by: 'wallet' })
    const ofCaller = taking(gasOf({ client: 100_000 }))
    expect(await ofCaller(directShare(wallet), { from: '::1' })).toBe('taken')
    expect(await ofCaller(directShare(stranger.address), { from: '::1' })).toMatchObject({ status: 429, by: 'client' })
    const all = gasOf({ total: 150_000 })
    const inAll = taking(all)
    expect(await inAll(directShare(wallet))).toBe('taken')
    expect(await inAll(directShare(wallet))).toEqual({ status: 503, isPassing: false, by: 'total' })
    expect((await all.today()).spent).toBe(100_000)
  })

  test('gives a tenth to moving fees, which may be carried out tomorrow, and a tenth to new wallets', async () => {
    const sweeps = taking(gasOf({ total: 1_000_000 }))
    expect(await sweeps(sweepShare)).toBe('taken')
    expect(await sweeps(sweepShare)).toEqual({ status: 503, isPassing: true, by: 'sweeps' })
    const wallets = taking(gasOf({ total: 7_000_000 }))
    expect(await wallets(deployingLockShare(wallet))).toBe('taken')
    expect(await wallets(deployingLockShare(wallet))).toEqual({ status: 503, isPassing: false, by: 'deployments' })
    expect(await wallets(lockShare(wallet))).toBe('taken')
  })

  test('of several at once is given first come, first served, each with its own answer', async () => {
    const gas = gasOf({ total: 250_000 })
    const asks = [directShare(wallet), lockShare(wallet), directShare(wallet), sweepShare]
    const refusals = await gas.take(asks.map((share) => ({ share, from: undefined, spends: undefined })))
    expect(refusals.map(outcome)).toEqual([
      'taken',
      { status: 503, isPassing: false, by: 'total' },
      'taken',
      { status: 503, isPassing: true, by: 'sweeps' },
    ])
    expect(refusals[1]?.message).toBe('the gas that payments may cost today is spent')
    expect(await gas.take([])).toEqual([])
  })
})

describe('the SOL of a day', () => {
  const solOf = (limits: Partial<GasLimits>) => createSolBudget({ ...unlimited, ...limits }, book())
  const taking =
    (sol: ReturnType<typeof solOf>) =>
    (fee: bigint, rent = 0n, from?: string, who = 'PaYer') =>
      sol.take({ payer: who, fee, rent }, from === undefined ? {} : { from }).then(() => 'taken', refusedBy)

  test('is bounded for a payer, for a caller and in all, with rents in it', async () => {
    const ofPayer = taking(solOf({ wallet: 100 }))
    expect([await ofPayer(60n, 40n), await ofPayer(1n)]).toEqual([
      'taken',
      { status: 429, isPassing: false, by: 'wallet' },
    ])
    expect(await ofPayer(100n, 0n, undefined, 'other')).toBe('taken')
    const ofCaller = taking(solOf({ client: 100 }))
    expect([await ofCaller(100n, 0n, 'a'), await ofCaller(1n, 0n, 'a')]).toEqual([
      'taken',
      { status: 429, isPassing: false, by: 'client' },
    ])
    const sol = solOf({ total: 100 })
    const inAll = taking(sol)
    expect([await inAll(100n), await inAll(1n)]).toEqual(['taken', { status: 503, isPassing: false, by: 'total' }])
    expect((await sol.today()).spent).toBe(100)
  })

  test('gives half to rents', async () => {
    const take = taking(solOf({ total: 100 }))
    expect([await take(0n, 50n), await take(0n, 1n), await take(50n)]).toEqual([
      'taken',
      { status: 503, isPassing: false, by: 'rents' },
      'taken',
    ])
  })

  test('that is spent says so', async () => {
    const taken = solOf({ total: 1 }).take({ payer: 'p', fee: 2n, rent: 0n }, {})
    await expect(taken).rejects.toThrow('the gas that payments on Solana may cost today is spent')
  })
})

test('identities, payments and SOL are counted apart, in one book', async () => {
  const one = book()
  const limits = { wallet: 1_000_000, client: 1_000_000, total: 1_000_000 }
  const [identities, payments, sol] = [
    createGasBudget(limits, one),
    createPaymentGas(limits, one),
    createSolBudget(limits, one),
  ]
  const from = '::1'
  await identities.take({ of: 'ratings', gas: 1_000_000, wallet: payer.address }, { from })
  expect(await payments.take([{ share: lockShare(payer.address), from, spends: 800_000 }])).toEqual([undefined])
  await sol.take({ payer: payer.address, fee: 900_000n, rent: 0n }, { from })
  const spent = await Promise.all([identities, payments, sol].map((of) => of.today()))
  expect(spent.map((day) => day.spent)).toEqual([1_000_000, 950_000, 900_000])
})

test('a wish is counted against all or none, and the first that is full is named', () => {
  const counted = new Map([['a', 5]])
  const wish = (gas: number, ...counts: { key: string; most: number; gas?: number }[]) => ({ gas, counts })
  const { spent, added } = shareOut(
    [
      wish(5, { key: 'a', most: 10 }, { key: 'b', most: 5 }),
      wish(1, { key: 'c', most: 9 }, { key: 'b', most: 5 }, { key: 'a', most: 10 }),
      wish(9, { key: 'b', most: 6, gas: 1 }, { key: 'c', most: 9 }),
    ],
    counted,
  )
  expect(spent).toEqual([undefined, 'b', undefined])
  expect([...counted]).toEqual([
    ['a', 10],
    ['b', 6],
    ['c', 9],
  ])
  expect([...added]).toEqual([
    ['a', 5],
    ['b', 6],
    ['c', 9],
  ])
})

describe('the fees of a transaction', () => {
  // A base fee of 100 and a tip of 10; the most is twice the base fee and the tip.
  const fees = { maxFeePerGas: 210n, maxPriorityFeePerGas: 10n }
  test.each<readonly [highest: bigint | undefined, most: bigint]>([
    [undefined, 210n],
    [211n, 210n],
    [210n, 210n],
    [209n, 209n],
    [110n, 110n],
  ])('are cut down to %s while the next block takes them', (highestFee, maxFeePerGas) => {
    expect(boundFees(fees, { highestFee })).toEqual({ maxFeePerGas, maxPriorityFeePerGas: 10n })
  })

  test('are waited for when the next block would not take them, or the account cannot pay', () => {
    expect(() => boundFees(fees, { highestFee: 109n })).toThrow(
      expect.objectContaining({
        code: 'gas_too_dear',
        message: 'gas costs more now than this facilitator pays',
        status: 503,
        isPassing: true,
        details: { broadcast: false },
      }),
    )
    expect(outOfGas()).toMatchObject({
      code: 'out_of_gas',
      message: 'the account that pays the gas of this facilitator has run out',
      status: 503,
      isPassing: true,
      details: { broadcast: false },
    })
  })

  test('are paid for no more gas than is good for', () => {
    expect(mostGasOfPayment).toBe(2_000_000)
    expect([tooDear, tooDearAbove(5)]).toEqual(['it would cost more than 2000000 gas', 'it would cost more than 5 gas'])
    expect(mostGasOfIdentities).toEqual({
      register: 3_000_000,
      register_transfer: 1_000_000,
      feedback: 1_500_000,
      response: 1_500_000,
      revoke: 500_000,
      relay: 1_500_000,
    })
  })
})
