import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFunctionData, erc20Abi, toFunctionSelector } from 'viem'
import { artifacts, localAddresses } from '../src/index.ts'
import { compileTestContracts } from '../tools/compiler.ts'
import { abiOf, type Call, type TestChain } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import {
  anOperatorPayment,
  asFacilitator,
  asPayer,
  asStranger,
  authorizeArguments,
  authorizeThroughOperator,
  payee,
  payer,
  paymentHash,
  type PaymentInfo,
  stateOf,
  stranger,
  treasury,
  zeroAddress,
} from './payment.ts'

const chainOf = useLocalChain()
const { Operator, Escrow, TestUSD } = localAddresses

async function money(chain: TestChain) {
  const [ofPayer, ofPayee, ofOperator, ofTreasury] = await Promise.all(
    [payer.address, payee.address, Operator, treasury].map((account) => chain.balanceOf(account)),
  )
  return { payer: ofPayer ?? 0n, payee: ofPayee ?? 0n, operator: ofOperator ?? 0n, treasury: ofTreasury ?? 0n }
}

describe('the operator', () => {
  test('splits a bounty: 87 % to the payee, 13 % to itself, and from there to the treasury', async () => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain)
    const start = await money(chain)
    expect(start.operator).toBe(0n)
    await chain.write('Operator', 'authorize', await authorizeArguments(chain, info), asStranger)
    expect(await chain.read('Operator', 'authorizedFees', [await paymentHash(chain, info)])).toEqual([1_300, 0])
    await chain.write('Operator', 'release', [info, 1_000_000n], asFacilitator)
    await chain.write('Operator', 'distributeFees', [TestUSD], asStranger)
    expect(await money(chain)).toEqual({
      payer: start.payer - 1_000_000n,
      payee: start.payee + 870_000n,
      operator: 0n,
      treasury: start.treasury + 130_000n,
    })
  })

  test('answers both interfaces, with and without the trailing bytes', async () => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain)
    await authorizeThroughOperator(chain, info)
    const start = await money(chain)
    await chain.write('Operator', 'release', [info, 100_000n], asFacilitator)
    await chain.write('Operator', 'release', [info, 100_000n, '0xabcd'], asPayer)
    await chain.write('Operator', 'refundInEscrow', [info, 300_000n], asFacilitator)
    await chain.write('Operator', 'refundInEscrow', [info, 500_000n, '0x'], asFacilitator)
    const end = await money(chain)
    expect(end.payee - start.payee).toBe(174_000n)
    expect(end.payer - start.payer).toBe(800_000n)
    expect(await stateOf(chain, info)).toEqual([true, 0n, 200_000n])
  })

  test('returns what is held after expiry, when nothing can be released any more', async () => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain)
    await authorizeThroughOperator(chain, info)
    expect(await chain.statusAt(info.authorizationExpiry, 'Operator', 'release', [info, 1n], asFacilitator)).toBe(
      'reverted',
    )
    expect(await chain.revertOf('Operator', 'release', [info, 1n], asFacilitator)).toBe('AfterAuthorizationExpiry')
    await chain.write('Operator', 'refundInEscrow', [info, 400_000n], asFacilitator)
    await chain.write('Escrow', 'reclaim', [info], asPayer)
    expect(await stateOf(chain, info)).toEqual([true, 0n, 0n])
  })

  test('charges for the payer and the facilitator, and refunds what was captured', async () => {
    const chain = chainOf()
    const { PocketRefundCollector } = await compileTestContracts()
    if (PocketRefundCollector === undefined) throw new Error('The test contract is gone.')
    const pocket = await chain.deploy(PocketRefundCollector)
    await chain.mint(pocket, 1_000_000n)
    const info = await anOperatorPayment(chain)
    const start = await money(chain)
    await chain.write('Operator', 'charge', await authorizeArguments(chain, info), asPayer)
    const refund = [info, 250_000n, pocket, '0x']
    expect(await chain.revertOf('Operator', 'refundPostEscrow', refund, asPayer)).toBe('ConditionNotMet')
    await chain.write('Operator', 'refundPostEscrow', refund, asFacilitator)
    const end = await money(chain)
    expect(end.payee - start.payee).toBe(870_000n)
    expect(start.payer - end.payer).toBe(750_000n)
    await chain.write('Operator', 'refundPostEscrow', [info, 750_000n, pocket, '0x'], asFacilitator)
    expect(await stateOf(chain, info)).toEqual([true, 0n, 0n])
    expect((await money(chain)).payer).toBe(start.payer)
  })

  test('pays fee and payout that are exactly the gross, however a bounty is cut', async () => {
    const chain = chainOf()
    const cuts = fc.array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(cuts, async (parts) => {
        const gross = BigInt(parts.reduce((sum, part) => sum + part, 0))
        const info = await anOperatorPayment(chain, { maxAmount: gross })
        await chain.write('Operator', 'distributeFees', [TestUSD], asStranger)
        const start = await money(chain)
        await authorizeThroughOperator(chain, info)
        for (const part of parts) await chain.write('Operator', 'release', [info, BigInt(part)], asFacilitator)
        await chain.write('Operator', 'distributeFees', [TestUSD], asStranger)
        const end = await money(chain)
        const fee = parts.reduce((sum, part) => sum + (BigInt(part) * 1_300n) / 10_000n, 0n)
        expect(end).toEqual({
          payer: start.payer - gross,
          payee: start.payee + gross - fee,
          operator: 0n,
          treasury: start.treasury + fee,
        })
      }),
      { numRuns: 12, endOnFailure: true, examples: [[[1]], [[7, 1]], [[999_999]]] },
    )
  })

  test('names its parts and takes no protocol fee', async () => {
    const chain = chainOf()
    expect(await chain.read('Operator', 'FEE_CALCULATOR')).toBe(Operator)
    expect(await chain.read('Operator', 'PROTOCOL_FEE_CONFIG')).toBe(zeroAddress)
    expect(await chain.read('Operator', 'accumulatedProtocolFees', [TestUSD])).toBe(0n)
    expect(await chain.read('Operator', 'FEE_BPS')).toBe(1_300)
    const info = await anOperatorPayment(chain)
    expect(await chain.read('Operator', 'calculateFee', [info, 1n, stranger.address])).toBe(1_300n)
  })
})

type Refusal = readonly [error: string, terms: Partial<PaymentInfo>, amount: bigint | undefined]

describe('the operator refuses to authorize or charge', () => {
  const refusals: readonly Refusal[] = [
    ['ForbiddenReceiver', { receiver: payer.address }, undefined],
    ['ForbiddenReceiver', { receiver: Operator }, undefined],
    ['ForbiddenReceiver', { receiver: treasury }, undefined],
    ['ForbiddenReceiver', { receiver: zeroAddress }, undefined],
    ['InvalidFeeReceiver', { feeReceiver: treasury }, undefined],
    ['InvalidFeeReceiver', { feeReceiver: zeroAddress }, undefined],
    ['FeeBoundsIncompatible', { maxFeeBps: 1_299 }, undefined],
    ['FeeBoundsIncompatible', { minFeeBps: 1_301, maxFeeBps: 1_400 }, undefined],
    ['DepositLimitExceeded', { maxAmount: 100_000_001n }, undefined],
    ['InvalidSender', { operator: stranger.address }, undefined],
    ['ZeroAmount', {}, 0n],
    ['ExceedsMaxAmount', {}, 1_000_001n],
  ]
  test.each(refusals)('with %s %o', async (error, terms, amount) => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain, terms)
    const call = await authorizeArguments(chain, info, amount ?? info.maxAmount)
    expect(await chain.revertOf('Operator', 'authorize', call, asFacilitator)).toBe(error)
    expect(await chain.revertOf('Operator', 'charge', call, asFacilitator)).toBe(error)
  })

  test('nothing at the bounds: the largest deposit, and a fee signed as exactly this one', async () => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain, { maxAmount: 100_000_000n, minFeeBps: 1_300, maxFeeBps: 1_300 })
    await authorizeThroughOperator(chain, info)
    expect(await stateOf(chain, info)).toEqual([true, 100_000_000n, 0n])
  })

  test('a part of the signed amount or a charge when a stranger asks for it', async () => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain)
    const part = await authorizeArguments(chain, info, 1n)
    const whole = await authorizeArguments(chain, info)
    expect(await chain.revertOf('Operator', 'authorize', part, asStranger)).toBe('ConditionNotMet')
    expect(await chain.revertOf('Operator', 'charge', whole, asStranger)).toBe('ConditionNotMet')
    await chain.write('Operator', 'authorize', part, asPayer)
    expect(await stateOf(chain, info)).toEqual([true, 1n, 0n])
  })

  test('a replay', async () => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain)
    await authorizeThroughOperator(chain, info)
    const call = await authorizeArguments(chain, info)
    expect(await chain.revertOf('Operator', 'authorize', call, asFacilitator)).toBe('PaymentAlreadyCollected')
  })
})

type Order = readonly [who: string, functionName: string, from: Call]

describe('the operator refuses an order', () => {
  const orders: readonly Order[] = [
    ['a stranger', 'release', asStranger],
    ['the payee', 'release', { from: payee }],
    ['a stranger', 'refundInEscrow', asStranger],
    ['the payer', 'refundInEscrow', asPayer],
    ['the payee', 'refundInEscrow', { from: payee }],
  ]
  test.each(orders)('of %s to %s', async (_, functionName, from) => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain)
    await authorizeThroughOperator(chain, info)
    expect(await chain.revertOf('Operator', functionName, [info, 1n], from)).toBe('ConditionNotMet')
    expect(await chain.revertOf('Operator', functionName, [info, 1n, '0x'], from)).toBe('ConditionNotMet')
  })

  test('for more than is held, or for a payment it does not know', async () => {
    const chain = chainOf()
    const info = await anOperatorPayment(chain)
    expect(await chain.revertOf('Operator', 'release', [info, 1n], asFacilitator)).toBe('InsufficientAuthorization')
    await authorizeThroughOperator(chain, info)
    expect(await chain.revertOf('Operator', 'release', [info, 1_000_001n], asFacilitator)).toBe(
      'InsufficientAuthorization',
    )
    expect(await chain.revertOf('Operator', 'refundInEscrow', [info, 1_000_001n], asFacilitator)).toBe(
      'PartialVoidExceedsCapturable',
    )
    expect(await chain.revertOf('Operator', 'release', [info, 0n], asFacilitator)).toBe('ZeroAmount')
  })

  test('to distribute no coin', async () => {
    expect(await chainOf().revertOf('Operator', 'distributeFees', [zeroAddress], asStranger)).toBe('ZeroAddress')
  })

  test('that arrives from inside another one', async () => {
    const chain = chainOf()
    const { PocketRefundCollector, ReentrantToken } = await compileTestContracts()
    if (PocketRefundCollector === undefined || ReentrantToken === undefined) throw new Error('A test contract is gone.')
    const token = await chain.deploy(ReentrantToken)
    const pocket = await chain.deploy(PocketRefundCollector)
    const inner = { abi: abiOf(artifacts.Operator), functionName: 'distributeFees', args: [token] }
    const call = async (functionName: string, args: readonly unknown[]) =>
      chain.settle(
        await chain.writer.writeContract({
          address: token,
          abi: abiOf(ReentrantToken),
          account: payer,
          functionName,
          args,
        }),
      )
    const paid = await anOperatorPayment(chain, { token })
    const held = await anOperatorPayment(chain, { token })
    const next = await anOperatorPayment(chain, { token })
    const collect = (info: PaymentInfo) => [info, info.maxAmount, localAddresses.Eip3009Collector, '0x']
    await call('mint', [payer.address, 3_000_000n])
    await call('mint', [pocket, 10n])
    await chain.write('Operator', 'charge', collect(paid), asFacilitator)
    await chain.write('Operator', 'authorize', collect(held), asFacilitator)
    await call('arm', [Operator, encodeFunctionData(inner)])
    const orders: readonly (readonly [string, readonly unknown[]])[] = [
      ['authorize', collect(next)],
      ['charge', collect(next)],
      ['release', [held, 10n]],
      ['refundInEscrow', [held, 10n]],
      ['refundPostEscrow', [paid, 10n, pocket, '0x']],
      ['distributeFees', [token]],
    ]
    for (const [name, args] of orders) {
      expect(await chain.revertOf('Operator', name, args, asFacilitator), name).toBe('Reentrancy')
    }
  })
})

test('an operator without an escrow, a treasury or a facilitator, or with a fee above all, is not created', async () => {
  const chain = chainOf()
  const good = [Escrow, treasury, payer.address, 1_300, 1n] as const
  for (const place of [0, 1, 2]) {
    const args = good.map((value, i) => (i === place ? zeroAddress : value))
    await expect(chain.deploy(artifacts.Operator, args)).rejects.toThrow(toFunctionSelector('ZeroAddress()'))
  }
  expect(await chain.deploy(artifacts.Operator, [Escrow, treasury, payer.address, 10_000, 1n])).toMatch(/^0x/)
  await expect(chain.deploy(artifacts.Operator, [Escrow, treasury, payer.address, 10_001, 1n])).rejects.toThrow(
    toFunctionSelector('FeeTooHigh()'),
  )
})

test('fees that come back to the chain as a plain transfer reach the treasury too', async () => {
  const chain = chainOf()
  const start = await money(chain)
  await chain.settle(
    await chain.writer.writeContract({
      address: TestUSD,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [Operator, 5n],
      account: payer,
    }),
  )
  const receipt = await chain.write('Operator', 'distributeFees', [TestUSD], asStranger)
  expect(receipt.logs).toHaveLength(2)
  expect((await money(chain)).treasury - start.treasury).toBe(start.operator + 5n)
  const empty = await chain.write('Operator', 'distributeFees', [TestUSD], asStranger)
  expect(empty.logs).toHaveLength(0)
})
