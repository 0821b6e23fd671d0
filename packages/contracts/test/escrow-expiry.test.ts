import { expect, test } from 'vitest'
import { compileTestContracts } from '../tools/compiler.ts'
import { useLocalChain } from './local-chain.ts'
import {
  aPayment,
  asOperator,
  asPayer,
  authorizeArguments,
  authorizeBare,
  payer,
  stateOf,
  zeroAddress,
} from './payment.ts'

const chainOf = useLocalChain()
const farFuture = 2 ** 48 - 1

test('authorize ends with the second before preApprovalExpiry', async () => {
  const chain = chainOf()
  const early = await aPayment(chain)
  const late = await aPayment(chain, { preApprovalExpiry: early.preApprovalExpiry })
  const [earlyCall, lateCall] = [await authorizeArguments(chain, early), await authorizeArguments(chain, late)]
  expect(await chain.statusAt(early.preApprovalExpiry - 1, 'Escrow', 'authorize', earlyCall, asOperator)).toBe(
    'success',
  )
  expect(await chain.statusAt(early.preApprovalExpiry, 'Escrow', 'authorize', lateCall, asOperator)).toBe('reverted')
  expect(await chain.revertOf('Escrow', 'authorize', lateCall, asOperator)).toBe('AfterPreApprovalExpiry')
})

test('capture ends and reclaim begins with the second of authorizationExpiry', async () => {
  const chain = chainOf()
  const info = await aPayment(chain)
  await authorizeBare(chain, info)
  const capture = [info, 400_000n, 0, zeroAddress]
  expect(await chain.revertOf('Escrow', 'reclaim', [info], asPayer)).toBe('BeforeAuthorizationExpiry')
  expect(await chain.statusAt(info.authorizationExpiry - 2, 'Escrow', 'reclaim', [info], asPayer)).toBe('reverted')
  expect(await chain.statusAt(info.authorizationExpiry - 1, 'Escrow', 'capture', capture, asOperator)).toBe('success')
  const before = await chain.balanceOf(payer.address)
  expect(await chain.statusAt(info.authorizationExpiry, 'Escrow', 'reclaim', [info], asPayer)).toBe('success')
  expect(await chain.balanceOf(payer.address)).toBe(before + 600_000n)
  expect(await stateOf(chain, info)).toEqual([true, 0n, 400_000n])
  expect(await chain.revertOf('Escrow', 'reclaim', [info], asPayer)).toBe('ZeroAuthorization')
})

test('capture at authorizationExpiry is too late, a void is not', async () => {
  const chain = chainOf()
  const info = await aPayment(chain)
  await authorizeBare(chain, info)
  const capture = [info, 400_000n, 0, zeroAddress]
  expect(await chain.statusAt(info.authorizationExpiry, 'Escrow', 'capture', capture, asOperator)).toBe('reverted')
  expect(await chain.revertOf('Escrow', 'capture', capture, asOperator)).toBe('AfterAuthorizationExpiry')
  await chain.write('Escrow', 'partialVoid', [info, 1n], asOperator)
  await chain.write('Escrow', 'void', [info], asOperator)
  expect(await stateOf(chain, info)).toEqual([true, 0n, 0n])
})

test('a refund ends with the second before refundExpiry', async () => {
  const chain = chainOf()
  const { PocketRefundCollector } = await compileTestContracts()
  if (PocketRefundCollector === undefined) throw new Error('The test contract is gone.')
  const collector = await chain.deploy(PocketRefundCollector)
  await chain.mint(collector, 30n)
  const info = await aPayment(chain)
  await authorizeBare(chain, info)
  await chain.write('Escrow', 'capture', [info, 1_000_000n, 0, zeroAddress], asOperator)
  const refund = [info, 10n, collector, '0x']
  const before = await chain.balanceOf(payer.address)
  expect(await chain.statusAt(info.refundExpiry - 1, 'Escrow', 'refund', refund, asOperator)).toBe('success')
  expect(await chain.balanceOf(payer.address)).toBe(before + 10n)
  expect(await stateOf(chain, info)).toEqual([true, 0n, 999_990n])
  expect(await chain.statusAt(info.refundExpiry, 'Escrow', 'refund', refund, asOperator)).toBe('reverted')
  expect(await chain.revertOf('Escrow', 'refund', refund, asOperator)).toBe('AfterRefundExpiry')
})

test('a payment without an end is valid', async () => {
  const chain = chainOf()
  const info = await aPayment(chain, {
    preApprovalExpiry: farFuture,
    authorizationExpiry: farFuture,
    refundExpiry: farFuture,
  })
  await authorizeBare(chain, info)
  expect(await stateOf(chain, info)).toEqual([true, 1_000_000n, 0n])
})
