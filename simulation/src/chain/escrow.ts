import type { Address, Hex } from '@ergon/protocols'
import { zeroAddress } from '@ergon/protocols'
import { codeAt, deployment, tokenStoreOf } from './deployment.ts'
import { addressTopic, emit, revert, Reverted, type Frame } from './frame.ts'
import { errorOf, selectorOf, topicOf } from './names.ts'
import { termsOf, type Terms } from './payment.ts'
import { receiveWithAuthorization, transfer } from './token.ts'
import { addressWord, argumentsOf, uintWord, type Arguments } from './words.ts'

const { escrow, collector, token } = deployment
const bps = 10_000n
const uint120 = (1n << 120n) - 1n

const topics = {
  authorized: topicOf('Escrow', 'PaymentAuthorized'),
  captured: topicOf('Escrow', 'PaymentCaptured'),
  charged: topicOf('Escrow', 'PaymentCharged'),
  voided: topicOf('Escrow', 'PaymentVoided'),
  partiallyVoided: topicOf('Escrow', 'PaymentPartiallyVoided'),
  reclaimed: topicOf('Escrow', 'PaymentReclaimed'),
  storeCreated: topicOf('Escrow', 'TokenStoreCreated'),
} as const

function fail(error: string, ...words: readonly (bigint | number | string)[]): never {
  revert(
    errorOf('Escrow', error),
    words.map((word) => (typeof word === 'string' ? addressWord(word) : uintWord(word))).join(''),
  )
}

export type PaymentState = { readonly collected: boolean; readonly capturable: bigint; readonly refundable: bigint }

export function capturableKey(hash: string): string {
  return `capturable:${hash}`
}

export function paymentStateOf(frame: Pick<Frame, 'state'>, hash: string): PaymentState {
  const { state } = frame
  return {
    collected: state.get(`collected:${hash}`) === 1n,
    capturable: state.get(capturableKey(hash)),
    refundable: state.get(`refundable:${hash}`),
  }
}

function onlySender(sender: Address, expected: Address): void {
  if (sender !== expected) fail('InvalidSender', sender, expected)
}

function validAmount(amount: bigint): void {
  if (amount === 0n) fail('ZeroAmount')
  if (amount > uint120) fail('AmountOverflow', amount, uint120)
}

function requireValid(frame: Frame, { info }: Terms, amount: bigint): void {
  if (amount > info.maxAmount) fail('ExceedsMaxAmount', amount, info.maxAmount)
  if (frame.time >= BigInt(info.preApprovalExpiry)) fail('AfterPreApprovalExpiry', frame.time, info.preApprovalExpiry)
  if (info.preApprovalExpiry > info.authorizationExpiry || info.authorizationExpiry > info.refundExpiry) {
    fail('InvalidExpiries', info.preApprovalExpiry, info.authorizationExpiry, info.refundExpiry)
  }
  if (BigInt(info.maxFeeBps) > bps) fail('FeeBpsOverflow', info.maxFeeBps)
  if (info.minFeeBps > info.maxFeeBps) fail('InvalidFeeBpsRange', info.minFeeBps, info.maxFeeBps)
}

function requireValidFee({ info }: Terms, feeBps: bigint, feeReceiver: Address): void {
  if (feeBps < BigInt(info.minFeeBps) || feeBps > BigInt(info.maxFeeBps))
    fail('FeeBpsOutOfRange', feeBps, info.minFeeBps, info.maxFeeBps)
  if (feeBps > 0n && feeReceiver === zeroAddress) fail('ZeroFeeReceiver')
  if (info.feeReceiver !== zeroAddress && info.feeReceiver !== feeReceiver)
    fail('InvalidFeeReceiver', feeReceiver, info.feeReceiver)
}

function openPayment(frame: Frame, { hash }: Terms, capturable: bigint, refundable: bigint): void {
  if (paymentStateOf(frame, hash).collected) revert(errorOf('Escrow', 'PaymentAlreadyCollected'), hash.slice(2))
  frame.state.set(`collected:${hash}`, 1n)
  frame.state.set(capturableKey(hash), capturable)
  frame.state.set(`refundable:${hash}`, refundable)
}

/** The collector pulls the whole authorization, gives the rest back and forwards the amount. */
function collect(frame: Frame, { info, nonce }: Terms, amount: bigint, by: Address, signature: string): void {
  // A call to an address that is no collector answers nothing that decodes.
  if (by !== collector || info.token !== token) throw new Reverted('0x')
  const auth = {
    from: info.payer,
    to: collector,
    value: info.maxAmount,
    validAfter: 0n,
    validBefore: BigInt(info.preApprovalExpiry),
    nonce,
  }
  receiveWithAuthorization(frame, collector, auth, signature)
  if (info.maxAmount > amount) transfer(frame, collector, info.payer, info.maxAmount - amount)
  transfer(frame, collector, tokenStoreOf(info.operator), amount)
}

function send(frame: Frame, { info }: Terms, to: Address, amount: bigint): void {
  const store = tokenStoreOf(info.operator)
  if (frame.state.get(`store:${store}`) === 0n) {
    frame.state.set(`store:${store}`, 1n)
    emit(frame, escrow, [topics.storeCreated, addressTopic(info.operator)], addressWord(store))
  }
  if (info.token !== token) throw new Reverted('0x')
  transfer(frame, store, to, amount)
}

function payOut(frame: Frame, terms: Terms, amount: bigint, feeBps: bigint, feeReceiver: Address): void {
  const fee = (amount * feeBps) / bps
  if (fee > 0n) send(frame, terms, feeReceiver, fee)
  if (amount > fee) send(frame, terms, terms.info.receiver, amount - fee)
}

export type Funding = { readonly amount: bigint; readonly collector: Address; readonly signature: string }

export function authorize(frame: Frame, sender: Address, terms: Terms, funding: Funding): void {
  onlySender(sender, terms.info.operator)
  validAmount(funding.amount)
  requireValid(frame, terms, funding.amount)
  openPayment(frame, terms, funding.amount, 0n)
  emit(
    frame,
    escrow,
    [topics.authorized, terms.hash],
    terms.words + uintWord(funding.amount) + addressWord(funding.collector),
  )
  collect(frame, terms, funding.amount, funding.collector, funding.signature)
}

export function charge(
  frame: Frame,
  sender: Address,
  terms: Terms,
  funding: Funding,
  feeBps: bigint,
  feeReceiver: Address,
): void {
  onlySender(sender, terms.info.operator)
  validAmount(funding.amount)
  requireValid(frame, terms, funding.amount)
  requireValidFee(terms, feeBps, feeReceiver)
  openPayment(frame, terms, 0n, funding.amount)
  emit(
    frame,
    escrow,
    [topics.charged, terms.hash],
    terms.words +
      uintWord(funding.amount) +
      addressWord(funding.collector) +
      uintWord(feeBps) +
      addressWord(feeReceiver),
  )
  collect(frame, terms, funding.amount, funding.collector, funding.signature)
  payOut(frame, terms, funding.amount, feeBps, feeReceiver)
}

export function capture(
  frame: Frame,
  sender: Address,
  terms: Terms,
  amount: bigint,
  feeBps: bigint,
  feeReceiver: Address,
): void {
  const { info, hash } = terms
  onlySender(sender, info.operator)
  validAmount(amount)
  requireValidFee(terms, feeBps, feeReceiver)
  if (frame.time >= BigInt(info.authorizationExpiry))
    fail('AfterAuthorizationExpiry', frame.time, info.authorizationExpiry)
  const { capturable, refundable } = paymentStateOf(frame, hash)
  if (amount > capturable)
    revert(errorOf('Escrow', 'InsufficientAuthorization'), hash.slice(2) + uintWord(capturable) + uintWord(amount))
  frame.state.set(capturableKey(hash), capturable - amount)
  frame.state.set(`refundable:${hash}`, refundable + amount)
  emit(frame, escrow, [topics.captured, hash], uintWord(amount) + uintWord(feeBps) + addressWord(feeReceiver))
  payOut(frame, terms, amount, feeBps, feeReceiver)
}

function releaseAll(frame: Frame, { hash }: Terms): bigint {
  const { capturable } = paymentStateOf(frame, hash)
  if (capturable === 0n) revert(errorOf('Escrow', 'ZeroAuthorization'), hash.slice(2))
  frame.state.set(capturableKey(hash), 0n)
  return capturable
}

function voidAll(frame: Frame, sender: Address, terms: Terms): void {
  onlySender(sender, terms.info.operator)
  const amount = releaseAll(frame, terms)
  emit(frame, escrow, [topics.voided, terms.hash], uintWord(amount))
  send(frame, terms, terms.info.payer, amount)
}

export function partialVoid(frame: Frame, sender: Address, terms: Terms, amount: bigint): void {
  onlySender(sender, terms.info.operator)
  validAmount(amount)
  const { capturable } = paymentStateOf(frame, terms.hash)
  if (amount > capturable) fail('PartialVoidExceedsCapturable', amount, capturable)
  frame.state.set(capturableKey(terms.hash), capturable - amount)
  emit(frame, escrow, [topics.partiallyVoided, terms.hash], uintWord(amount) + uintWord(capturable - amount))
  send(frame, terms, terms.info.payer, amount)
}

function reclaim(frame: Frame, sender: Address, terms: Terms): void {
  onlySender(sender, terms.info.payer)
  const { authorizationExpiry } = terms.info
  if (frame.time < BigInt(authorizationExpiry)) fail('BeforeAuthorizationExpiry', frame.time, authorizationExpiry)
  const amount = releaseAll(frame, terms)
  emit(frame, escrow, [topics.reclaimed, terms.hash], uintWord(amount))
  send(frame, terms, terms.info.payer, amount)
}

/** No collector of refunds is deployed here, so a refund that passes every check ends at its collector. */
export function refund(frame: Frame, sender: Address, terms: Terms, amount: bigint, by: Address): void {
  onlySender(sender, terms.info.operator)
  validAmount(amount)
  if (frame.time >= BigInt(terms.info.refundExpiry)) fail('AfterRefundExpiry', frame.time, terms.info.refundExpiry)
  const { refundable } = paymentStateOf(frame, terms.hash)
  if (amount > refundable) fail('RefundExceedsCapture', amount, refundable)
  if (by === collector) fail('InvalidCollectorForOperation')
  throw new Reverted('0x')
}

function fundingOf(args: Arguments): Funding {
  return { amount: args.uint(12), collector: args.address(13), signature: args.bytes(14) }
}

function stateWords(frame: Frame, hash: string): string {
  const { collected, capturable, refundable } = paymentStateOf(frame, hash)
  return uintWord(collected ? 1 : 0) + uintWord(capturable) + uintWord(refundable)
}

const nothing =
  (run: (frame: Frame, sender: Address, args: Arguments) => void) =>
  (frame: Frame, sender: Address, args: Arguments): string => {
    run(frame, sender, args)
    return ''
  }

const methods: Readonly<Record<string, (frame: Frame, sender: Address, args: Arguments) => string>> = {
  [selectorOf('Escrow', 'paymentState')]: (frame, _sender, args) => stateWords(frame, `0x${args.raw(0)}`),
  [selectorOf('Escrow', 'getHash')]: (_frame, _sender, args) => termsOf(args).hash.slice(2),
  [selectorOf('Escrow', 'getTokenStore')]: (_frame, _sender, args) => addressWord(tokenStoreOf(args.address(0))),
  [selectorOf('Escrow', 'authorize')]: nothing((frame, sender, args) => {
    authorize(frame, sender, termsOf(args), fundingOf(args))
  }),
  [selectorOf('Escrow', 'charge')]: nothing((frame, sender, args) => {
    charge(frame, sender, termsOf(args), fundingOf(args), args.uint(15), args.address(16))
  }),
  [selectorOf('Escrow', 'capture')]: nothing((frame, sender, args) => {
    capture(frame, sender, termsOf(args), args.uint(12), args.uint(13), args.address(14))
  }),
  [selectorOf('Escrow', 'void')]: nothing((frame, sender, args) => {
    voidAll(frame, sender, termsOf(args))
  }),
  [selectorOf('Escrow', 'partialVoid')]: nothing((frame, sender, args) => {
    partialVoid(frame, sender, termsOf(args), args.uint(12))
  }),
  [selectorOf('Escrow', 'reclaim')]: nothing((frame, sender, args) => {
    reclaim(frame, sender, termsOf(args))
  }),
  [selectorOf('Escrow', 'refund')]: nothing((frame, sender, args) => {
    refund(frame, sender, termsOf(args), args.uint(12), args.address(13))
  }),
}

/** The escrow of the local chain (packages/contracts/sol/Escrow.sol): the same guards in the same order. */
export function callEscrow(frame: Frame, sender: Address, data: Hex): string {
  const method = methods[data.slice(0, 10)]
  if (method === undefined) throw new Reverted('0x')
  return method(frame, sender, argumentsOf(data))
}

/** Whether an account is one of the contracts. */
export function hasCode(frame: Frame, account: string): boolean {
  return codeAt.has(account) || frame.state.get(`store:${account}`) === 1n
}
