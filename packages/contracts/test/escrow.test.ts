import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeEventTopics } from 'viem'
import { artifacts, localAddresses } from '../src/index.ts'
import { abiOf, type TestChain } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import {
  aPayment,
  asOperator,
  authorizeArguments,
  authorizeBare,
  bareOperator,
  feeTaker,
  payee,
  payer,
  paymentHash,
  type PaymentInfo,
  stateOf,
  zeroAddress,
} from './payment.ts'

const chainOf = useLocalChain()

async function balances(
  chain: TestChain,
): Promise<Record<'payer' | 'payee' | 'fee' | 'store' | 'escrow' | 'collector', bigint>> {
  // getTokenStore answers one address.
  const store = (await chain.read('Escrow', 'getTokenStore', [bareOperator.address])) as `0x${string}`
  const [a, b, c, d, e, f] = await Promise.all(
    [payer.address, payee.address, feeTaker.address, store, localAddresses.Escrow, localAddresses.Eip3009Collector].map(
      (account) => chain.balanceOf(account),
    ),
  )
  return { payer: a ?? 0n, payee: b ?? 0n, fee: c ?? 0n, store: d ?? 0n, escrow: e ?? 0n, collector: f ?? 0n }
}

describe('the escrow', () => {
  test('holds the authorized amount in the store of the operator and returns the rest at once', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    const before = await balances(chain)
    const call = await authorizeArguments(chain, info, 700_000n)
    const receipt = await chain.write('Escrow', 'authorize', call, asOperator)
    const after = await balances(chain)
    expect(after).toEqual({ ...before, payer: before.payer - 700_000n, store: before.store + 700_000n })
    expect(await stateOf(chain, info)).toEqual([true, 700_000n, 0n])
    const [topic] = encodeEventTopics({ abi: abiOf(artifacts.Escrow), eventName: 'PaymentAuthorized' })
    const log = receipt.logs.find((entry) => entry.topics[0] === topic)
    expect(log?.topics[1]).toBe(await paymentHash(chain, info))
  })

  test('pays in parts until nothing is left', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    await authorizeBare(chain, info)
    const before = await balances(chain)
    await chain.write('Escrow', 'capture', [info, 300_001n, 1_300, feeTaker.address], asOperator)
    await chain.write('Escrow', 'capture', [info, 1n, 1_300, feeTaker.address], asOperator)
    expect(await stateOf(chain, info)).toEqual([true, 699_998n, 300_002n])
    await chain.write('Escrow', 'capture', [info, 699_998n, 0, zeroAddress], asOperator)
    const after = await balances(chain)
    expect(after.fee - before.fee).toBe(39_000n)
    expect(after.payee - before.payee).toBe(961_000n)
    expect(await chain.revertOf('Escrow', 'capture', [info, 1n, 0, zeroAddress], asOperator)).toBe(
      'InsufficientAuthorization',
    )
  })

  test('charges without holding', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    const before = await balances(chain)
    const call = await authorizeArguments(chain, info)
    await chain.write('Escrow', 'charge', [...call, 1_300, feeTaker.address], asOperator)
    expect(await balances(chain)).toEqual({
      ...before,
      payer: before.payer - 1_000_000n,
      payee: before.payee + 870_000n,
      fee: before.fee + 130_000n,
    })
    expect(await stateOf(chain, info)).toEqual([true, 0n, 1_000_000n])
  })

  test('the fee is 13 % rounded down and the payee has the rest, for every amount', async () => {
    const chain = chainOf()
    const amounts = fc.bigInt({ min: 1n, max: 100_000_000n })
    await fc.assert(
      fc.asyncProperty(amounts, async (amount) => {
        const info = await aPayment(chain, { maxAmount: amount })
        await authorizeBare(chain, info)
        const before = await balances(chain)
        await chain.write('Escrow', 'capture', [info, amount, 1_300, feeTaker.address], asOperator)
        const after = await balances(chain)
        const fee = (amount * 1_300n) / 10_000n
        expect(after.fee - before.fee).toBe(fee)
        expect(after.payee - before.payee).toBe(amount - fee)
        expect(after.store).toBe(before.store - amount)
      }),
      { numRuns: 20, endOnFailure: true, examples: [[1n], [7n], [8n], [99_999_999n], [10_001n]] },
    )
  })
})

type Step = { readonly kind: 'capture' | 'partialVoid' | 'void'; readonly part: number; readonly feeBps: number }

/** What the escrow must hold of a payment, kept beside it. */
type Model = { capturable: bigint; refundable: bigint; paid: bigint; returned: bigint }

const steps: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('capture' as const, 'capture' as const, 'partialVoid' as const, 'void' as const),
  part: fc.integer({ min: 1, max: 130 }),
  feeBps: fc.integer({ min: 0, max: 1_300 }),
})

async function takeStep(chain: TestChain, info: PaymentInfo, model: Model, step: Step): Promise<void> {
  const amount = step.kind === 'void' ? model.capturable : (model.capturable * BigInt(step.part)) / 100n
  const call = {
    capture: ['capture', [info, amount, step.feeBps, feeTaker.address]],
    partialVoid: ['partialVoid', [info, amount]],
    void: ['void', [info]],
  } as const
  const [name, args] = call[step.kind]
  if (amount === 0n || amount > model.capturable) {
    expect(await chain.revertOf('Escrow', name, args, asOperator)).toMatch(/^(Zero|Insufficient|PartialVoidExceeds)/)
    return
  }
  await chain.write('Escrow', name, args, asOperator)
  model.capturable -= amount
  if (step.kind === 'capture') {
    model.refundable += amount
    model.paid += amount
  } else {
    model.returned += amount
  }
}

test('no order of steps creates or loses money', async () => {
  const chain = chainOf()
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5_000_000 }), fc.array(steps, { maxLength: 6 }), async (total, plan) => {
      const info = await aPayment(chain, { maxAmount: BigInt(total) })
      const before = await balances(chain)
      await authorizeBare(chain, info)
      const model: Model = { capturable: BigInt(total), refundable: 0n, paid: 0n, returned: 0n }
      for (const step of plan) await takeStep(chain, info, model, step)
      const after = await balances(chain)
      expect(await stateOf(chain, info)).toEqual([true, model.capturable, model.refundable])
      expect(after.store - before.store).toBe(model.capturable)
      expect(after.payee + after.fee - before.payee - before.fee).toBe(model.paid)
      expect(before.payer - after.payer).toBe(BigInt(total) - model.returned)
      expect(after.escrow + after.collector).toBe(0n)
      expect(model.paid + model.returned + model.capturable).toBe(BigInt(total))
    }),
    { numRuns: 15, endOnFailure: true },
  )
})
