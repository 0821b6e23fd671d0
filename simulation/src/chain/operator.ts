import { zeroAddress, type Address, type Hex } from '@ergon/protocols'
import { deployment } from './deployment.ts'
import { authorize, capture, charge, partialVoid, refund, type Funding } from './escrow.ts'
import { addressTopic, emit, revert, Reverted, type Frame } from './frame.ts'
import { errorOf, selectorOf, topicOf } from './names.ts'
import { termsOf, type Terms } from './payment.ts'
import { balanceOf, transfer } from './token.ts'
import { addressWord, argumentsOf, uintWord, type Arguments } from './words.ts'

const { operator, facilitator, treasury, token, feeBps, maxDeposit } = deployment

const topics = {
  authorized: topicOf('Operator', 'AuthorizationCreated'),
  charged: topicOf('Operator', 'ChargeExecuted'),
  released: topicOf('Operator', 'ReleaseExecuted'),
  refunded: topicOf('Operator', 'RefundInEscrowExecuted'),
  distributed: topicOf('Operator', 'FeesDistributed'),
} as const

function fail(error: string, ...words: readonly (bigint | number | string)[]): never {
  revert(
    errorOf('Operator', error),
    words.map((word) => (typeof word === 'string' ? addressWord(word) : uintWord(word))).join(''),
  )
}

function onlyIf(condition: boolean): void {
  if (!condition) fail('ConditionNotMet')
}

function isPayerOrFacilitator(sender: Address, { info }: Terms): boolean {
  return sender === info.payer || sender === facilitator
}

function lockFee(frame: Frame, { info, hash }: Terms, amount: bigint): void {
  if (info.feeReceiver !== operator) fail('InvalidFeeReceiver')
  if (feeBps < BigInt(info.minFeeBps) || feeBps > BigInt(info.maxFeeBps))
    fail('FeeBoundsIncompatible', feeBps, info.minFeeBps, info.maxFeeBps)
  const { receiver } = info
  if ([zeroAddress, info.payer, operator, treasury].includes(receiver)) fail('ForbiddenReceiver', receiver)
  if (amount > maxDeposit) fail('DepositLimitExceeded', amount, maxDeposit)
  frame.state.set(`fee:${hash}`, feeBps)
}

function emitFunded(frame: Frame, topic: Hex, { hash, info }: Terms, amount: bigint): void {
  emit(
    frame,
    operator,
    [topic, hash, addressTopic(info.payer), addressTopic(info.receiver)],
    uintWord(amount) + uintWord(frame.time),
  )
}

function fundingOf(args: Arguments): Funding {
  return { amount: args.uint(12), collector: args.address(13), signature: args.bytes(14) }
}

function authorizeThrough(frame: Frame, sender: Address, args: Arguments): void {
  const [terms, funding] = [termsOf(args), fundingOf(args)]
  onlyIf(funding.amount === terms.info.maxAmount || isPayerOrFacilitator(sender, terms))
  lockFee(frame, terms, funding.amount)
  authorize(frame, operator, terms, funding)
  emitFunded(frame, topics.authorized, terms, funding.amount)
}

function chargeThrough(frame: Frame, sender: Address, args: Arguments): void {
  const [terms, funding] = [termsOf(args), fundingOf(args)]
  onlyIf(isPayerOrFacilitator(sender, terms))
  lockFee(frame, terms, funding.amount)
  charge(frame, operator, terms, funding, feeBps, operator)
  emitFunded(frame, topics.charged, terms, funding.amount)
}

function release(frame: Frame, sender: Address, args: Arguments): void {
  const terms = termsOf(args)
  onlyIf(isPayerOrFacilitator(sender, terms))
  const amount = args.uint(12)
  capture(frame, operator, terms, amount, frame.state.get(`fee:${terms.hash}`), operator)
  emit(frame, operator, [topics.released], terms.words + uintWord(amount) + uintWord(frame.time))
}

function refundInEscrow(frame: Frame, sender: Address, args: Arguments): void {
  const terms = termsOf(args)
  onlyIf(sender === facilitator)
  const amount = args.uint(12)
  partialVoid(frame, operator, terms, amount)
  emit(frame, operator, [topics.refunded, addressTopic(terms.info.payer)], terms.words + uintWord(amount))
}

function refundPostEscrow(frame: Frame, sender: Address, args: Arguments): void {
  onlyIf(sender === facilitator)
  refund(frame, operator, termsOf(args), args.uint(12), args.address(13))
}

function distributeFees(frame: Frame, _sender: Address, args: Arguments): void {
  const asked = args.address(0)
  if (asked === zeroAddress) fail('ZeroAddress')
  if (asked !== token) throw new Reverted('0x')
  const amount = balanceOf(frame, operator)
  if (amount === 0n) return
  transfer(frame, operator, treasury, amount)
  emit(frame, operator, [topics.distributed, addressTopic(asked)], uintWord(0) + uintWord(amount))
}

type Method = (frame: Frame, sender: Address, args: Arguments) => string

const nothing =
  (run: (frame: Frame, sender: Address, args: Arguments) => void): Method =>
  (frame, sender, args) => {
    run(frame, sender, args)
    return ''
  }

const info = '(address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256)'
const methods: Readonly<Record<string, Method>> = {
  [selectorOf('Operator', 'ESCROW')]: () => addressWord(deployment.escrow),
  [selectorOf('Operator', 'FEE_RECIPIENT')]: () => addressWord(treasury),
  [selectorOf('Operator', 'FACILITATOR')]: () => addressWord(facilitator),
  [selectorOf('Operator', 'FEE_BPS')]: () => uintWord(feeBps),
  [selectorOf('Operator', 'MAX_DEPOSIT')]: () => uintWord(maxDeposit),
  [selectorOf('Operator', 'authorizedFees')]: (frame, _sender, args) =>
    uintWord(frame.state.get(`fee:0x${args.raw(0)}`)) + uintWord(0),
  [selectorOf('Operator', 'authorize')]: nothing(authorizeThrough),
  [selectorOf('Operator', 'charge')]: nothing(chargeThrough),
  [selectorOf('Operator', `release(${info},uint256)`)]: nothing(release),
  [selectorOf('Operator', `release(${info},uint256,bytes)`)]: nothing(release),
  [selectorOf('Operator', `refundInEscrow(${info},uint120)`)]: nothing(refundInEscrow),
  [selectorOf('Operator', `refundInEscrow(${info},uint120,bytes)`)]: nothing(refundInEscrow),
  [selectorOf('Operator', 'refundPostEscrow')]: nothing(refundPostEscrow),
  [selectorOf('Operator', 'distributeFees')]: nothing(distributeFees),
}

/** The marketplace's operator of the local chain (packages/contracts/sol/Operator.sol). */
export function callOperator(frame: Frame, sender: Address, data: Hex): string {
  const method = methods[data.slice(0, 10)]
  if (method === undefined) throw new Reverted('0x')
  return method(frame, sender, argumentsOf(data))
}
