import { beforeAll, describe, expect, test } from 'vitest'
import { encodeFunctionData } from 'viem'
import { artifacts, localAddresses } from '../src/index.ts'
import { compileTestContracts } from '../tools/compiler.ts'
import { abiOf } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import {
  aPayment,
  asOperator,
  asPayer,
  asStranger,
  authorizeArguments,
  authorizeBare,
  feeTaker,
  payer,
  type PaymentInfo,
  stranger,
  zeroAddress,
} from './payment.ts'

const chainOf = useLocalChain()
const collector = localAddresses.Eip3009Collector
const maxUint120 = (1n << 120n) - 1n

const deployed: Record<string, `0x${string}`> = {}
function at(name: string): `0x${string}` {
  const address = deployed[name]
  if (address === undefined) throw new Error(`There is no test contract ${name}.`)
  return address
}

beforeAll(async () => {
  const chain = chainOf()
  for (const [name, artifact] of Object.entries(await compileTestContracts())) {
    if (name !== 'ContractWallet') deployed[name] = await chain.deploy(artifact)
  }
})

type AuthorizeCase = readonly [error: string, terms: Partial<PaymentInfo>, amount: bigint]

describe('authorize refuses', () => {
  const cases: readonly AuthorizeCase[] = [
    ['ZeroAmount', {}, 0n],
    ['AmountOverflow', { maxAmount: maxUint120 }, maxUint120 + 1n],
    ['ExceedsMaxAmount', {}, 1_000_001n],
    ['AfterPreApprovalExpiry', { preApprovalExpiry: 1 }, 1_000_000n],
    ['InvalidExpiries', { authorizationExpiry: 1 }, 1_000_000n],
    ['InvalidExpiries', { refundExpiry: 1 }, 1_000_000n],
    ['FeeBpsOverflow', { maxFeeBps: 10_001 }, 1_000_000n],
    ['InvalidFeeBpsRange', { minFeeBps: 1_301 }, 1_000_000n],
    ['ERC20: transfer amount exceeds balance', { maxAmount: maxUint120 }, maxUint120],
  ]
  test.each(cases)('with %s %o', async (error, terms, amount) => {
    const chain = chainOf()
    const info = await aPayment(chain, terms)
    expect(await chain.revertOf('Escrow', 'authorize', await authorizeArguments(chain, info, amount), asOperator)).toBe(
      error,
    )
  })

  test('a sender that is not the operator of the payment', async () => {
    const chain = chainOf()
    const call = await authorizeArguments(chain, await aPayment(chain))
    expect(await chain.revertOf('Escrow', 'authorize', call, asPayer)).toBe('InvalidSender')
  })

  test('a second time, with the same or with another signature', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    await authorizeBare(chain, info, 400_000n)
    const again = await authorizeArguments(chain, info, 100_000n)
    expect(await chain.revertOf('Escrow', 'authorize', again, asOperator)).toBe('PaymentAlreadyCollected')
    await chain.write('Escrow', 'void', [info], asOperator)
    expect(await chain.revertOf('Escrow', 'authorize', again, asOperator)).toBe('PaymentAlreadyCollected')
  })

  test("a stranger's signature, and the payer's over other terms", async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    const [, amount, , signature] = await authorizeArguments(chain, info)
    for (const change of [
      { receiver: stranger.address },
      { salt: 0n },
      { maxFeeBps: 1_299 },
      { payer: stranger.address },
    ]) {
      const call = [{ ...info, ...change }, amount, collector, signature]
      expect(await chain.revertOf('Escrow', 'authorize', call, asOperator)).toBe('FiatTokenV2: invalid signature')
    }
  })

  test('a collector of the wrong kind, one that brings nothing, and a call that skips the escrow', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    const call = (to: `0x${string}`) => [info, 1n, to, '0x'] as const
    expect(await chain.revertOf('Escrow', 'authorize', call(at('PocketRefundCollector')), asOperator)).toBe(
      'InvalidCollectorForOperation',
    )
    expect(await chain.revertOf('Escrow', 'authorize', call(at('EmptyCollector')), asOperator)).toBe(
      'TokenCollectionFailed',
    )
    const direct = [info, stranger.address, 1n, '0x']
    expect(await chain.revertOf('Eip3009Collector', 'collectTokens', direct, asStranger)).toBe('OnlyAuthCaptureEscrow')
  })

  const tokens: readonly (readonly [string, string])[] = [
    ['FeeOnTransferToken', 'TokenCollectionFailed'],
    ['RefusingToken', 'TokenTransferFailed'],
  ]
  test.each(tokens)('a coin that does not move what it says: %s', async (name, error) => {
    const chain = chainOf()
    const token = at(name)
    await chain.settle(
      await chain.writer.writeContract({
        address: token,
        abi: openTokenAbi,
        functionName: 'mint',
        args: [payer.address, 1_000_000n],
        account: payer,
      }),
    )
    const info = await aPayment(chain, { token })
    expect(await chain.revertOf('Escrow', 'authorize', [info, info.maxAmount, collector, '0x'], asOperator)).toBe(error)
  })
})

const openTokenAbi = [
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    outputs: [],
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
  },
  {
    type: 'function',
    name: 'arm',
    stateMutability: 'nonpayable',
    outputs: [],
    inputs: [
      { name: 'target', type: 'address' },
      { name: 'payload', type: 'bytes' },
    ],
  },
] as const

describe('a coin that calls back', () => {
  const entries = ['authorize', 'charge', 'capture', 'void', 'partialVoid', 'reclaim', 'refund'] as const
  test.each(entries)('cannot enter %s of the escrow', async (entry) => {
    const chain = chainOf()
    const token = at('ReentrantToken')
    const info = await aPayment(chain, { token })
    const inner = {
      authorize: [info, 1n, collector, '0x'],
      charge: [info, 1n, collector, '0x', 0, zeroAddress],
      capture: [info, 1n, 0, zeroAddress],
      void: [info],
      partialVoid: [info, 1n],
      reclaim: [info],
      refund: [info, 1n, collector, '0x'],
    }[entry]
    const payload = encodeFunctionData({ abi: abiOf(artifacts.Escrow), functionName: entry, args: inner })
    const arm = { address: token, abi: openTokenAbi, account: payer } as const
    await chain.settle(
      await chain.writer.writeContract({ ...arm, functionName: 'mint', args: [payer.address, 1_000_000n] }),
    )
    await chain.settle(
      await chain.writer.writeContract({ ...arm, functionName: 'arm', args: [localAddresses.Escrow, payload] }),
    )
    expect(await chain.revertOf('Escrow', 'authorize', [info, info.maxAmount, collector, '0x'], asOperator)).toBe(
      'Reentrancy',
    )
  })
})

type CaptureCase = readonly [
  error: string,
  terms: Partial<PaymentInfo>,
  capture: readonly [bigint, number, `0x${string}`],
]

describe('capture refuses', () => {
  const cases: readonly CaptureCase[] = [
    ['ZeroAmount', {}, [0n, 0, zeroAddress]],
    ['AmountOverflow', {}, [maxUint120 + 1n, 0, zeroAddress]],
    ['InsufficientAuthorization', {}, [1_000_001n, 0, zeroAddress]],
    ['FeeBpsOutOfRange', {}, [1n, 1_301, feeTaker.address]],
    ['FeeBpsOutOfRange', { minFeeBps: 100 }, [1n, 99, feeTaker.address]],
    ['ZeroFeeReceiver', {}, [1n, 1, zeroAddress]],
    ['InvalidFeeReceiver', { feeReceiver: feeTaker.address }, [1n, 0, stranger.address]],
  ]
  test.each(cases)('with %s %o', async (error, terms, capture) => {
    const chain = chainOf()
    const info = await aPayment(chain, terms)
    await authorizeBare(chain, info)
    expect(await chain.revertOf('Escrow', 'capture', [info, ...capture], asOperator)).toBe(error)
  })

  test('a sender that is not the operator, and a payment that was never authorized', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    expect(await chain.revertOf('Escrow', 'capture', [info, 1n, 0, zeroAddress], asStranger)).toBe('InvalidSender')
    expect(await chain.revertOf('Escrow', 'capture', [info, 1n, 0, zeroAddress], asOperator)).toBe(
      'InsufficientAuthorization',
    )
  })
})

describe('charge refuses', () => {
  test('what authorize refuses and what capture refuses', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    const [, , , signature] = await authorizeArguments(chain, info)
    const charge = (amount: bigint, feeBps: number, to: `0x${string}`) => [
      info,
      amount,
      collector,
      signature,
      feeBps,
      to,
    ]
    expect(await chain.revertOf('Escrow', 'charge', charge(1n, 0, zeroAddress), asStranger)).toBe('InvalidSender')
    expect(await chain.revertOf('Escrow', 'charge', charge(0n, 0, zeroAddress), asOperator)).toBe('ZeroAmount')
    expect(await chain.revertOf('Escrow', 'charge', charge(1_000_001n, 0, zeroAddress), asOperator)).toBe(
      'ExceedsMaxAmount',
    )
    expect(await chain.revertOf('Escrow', 'charge', charge(1n, 1_301, feeTaker.address), asOperator)).toBe(
      'FeeBpsOutOfRange',
    )
    await chain.write('Escrow', 'charge', charge(1n, 0, zeroAddress), asOperator)
    expect(await chain.revertOf('Escrow', 'charge', charge(1n, 0, zeroAddress), asOperator)).toBe(
      'PaymentAlreadyCollected',
    )
  })
})

describe('returning money refuses', () => {
  test('a sender without the right to it', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    await authorizeBare(chain, info)
    expect(await chain.revertOf('Escrow', 'void', [info], asPayer)).toBe('InvalidSender')
    expect(await chain.revertOf('Escrow', 'partialVoid', [info, 1n], asPayer)).toBe('InvalidSender')
    expect(await chain.revertOf('Escrow', 'reclaim', [info], asOperator)).toBe('InvalidSender')
    expect(await chain.revertOf('Escrow', 'refund', [info, 1n, collector, '0x'], asPayer)).toBe('InvalidSender')
  })

  test('more than there is', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    await authorizeBare(chain, info)
    const refund = (amount: bigint) => [info, amount, at('PocketRefundCollector'), '0x']
    expect(await chain.revertOf('Escrow', 'partialVoid', [info, 0n], asOperator)).toBe('ZeroAmount')
    expect(await chain.revertOf('Escrow', 'partialVoid', [info, 1_000_001n], asOperator)).toBe(
      'PartialVoidExceedsCapturable',
    )
    expect(await chain.revertOf('Escrow', 'refund', refund(0n), asOperator)).toBe('ZeroAmount')
    expect(await chain.revertOf('Escrow', 'refund', refund(1n), asOperator)).toBe('RefundExceedsCapture')
    await chain.write('Escrow', 'void', [info], asOperator)
    expect(await chain.revertOf('Escrow', 'void', [info], asOperator)).toBe('ZeroAuthorization')
    expect(await chain.revertOf('Escrow', 'partialVoid', [info, 1n], asOperator)).toBe('PartialVoidExceedsCapturable')
  })

  test('a refund through a collector of payments', async () => {
    const chain = chainOf()
    const info = await aPayment(chain)
    await authorizeBare(chain, info)
    await chain.write('Escrow', 'capture', [info, 1_000_000n, 0, zeroAddress], asOperator)
    expect(await chain.revertOf('Escrow', 'refund', [info, 1n, collector, '0x'], asOperator)).toBe(
      'InvalidCollectorForOperation',
    )
  })

  test('a stranger at the token store', async () => {
    const chain = chainOf()
    const store = await chain.read('Escrow', 'getTokenStore', [asOperator.from?.address])
    const code = { address: String(store) as `0x${string}` }
    const info = await aPayment(chain)
    await authorizeBare(chain, info)
    await chain.write('Escrow', 'void', [info], asOperator)
    const abi = [
      {
        type: 'function',
        name: 'sendTokens',
        stateMutability: 'nonpayable',
        inputs: [
          { name: 't', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'v', type: 'uint256' },
        ],
        outputs: [{ type: 'bool' }],
      },
      { type: 'error', name: 'OnlyAuthCaptureEscrow', inputs: [] },
    ] as const
    const theft = chain.reader.simulateContract({
      ...code,
      abi,
      functionName: 'sendTokens',
      args: [info.token, stranger.address, 0n],
      account: stranger,
    })
    await expect(theft).rejects.toThrow('OnlyAuthCaptureEscrow')
  })
})
