import { Revert, type Ground, type ModelRevert, type PaymentTerms, type SignatureCheck } from './chain-model.ts'
import { balanceOf, move, receive } from './token-model.ts'

/** The escrow, guard by guard in the order of Escrow.sol: what reverts first there reverts first here. */
export type EscrowCall =
  | {
      readonly name: 'authorize'
      readonly terms: PaymentTerms
      readonly amount: bigint
      readonly collector: string
      readonly signature: string
    }
  | {
      readonly name: 'charge'
      readonly terms: PaymentTerms
      readonly amount: bigint
      readonly collector: string
      readonly signature: string
      readonly feeBps: number
      readonly feeReceiver: string
    }
  | {
      readonly name: 'capture'
      readonly terms: PaymentTerms
      readonly amount: bigint
      readonly feeBps: number
      readonly feeReceiver: string
    }
  | { readonly name: 'void' | 'reclaim'; readonly terms: PaymentTerms }
  | { readonly name: 'partialVoid'; readonly terms: PaymentTerms; readonly amount: bigint }
  | { readonly name: 'refund'; readonly terms: PaymentTerms; readonly amount: bigint; readonly collector: string }

export type PaymentState = { readonly collected: boolean; readonly capturable: bigint; readonly refundable: bigint }

const unknownPayment: PaymentState = { collected: false, capturable: 0n, refundable: 0n }
const maxUint120 = (1n << 120n) - 1n
const bps = 10_000n
const zeroAddress = `0x${'0'.repeat(40)}`

export function stateOf(ground: Ground, terms: PaymentTerms): PaymentState {
  return ground.get('payment', ground.deployment.hashOf(terms), unknownPayment)
}

export function runEscrow(ground: Ground, sender: string, call: EscrowCall, isSigned: SignatureCheck): void {
  const { terms } = call
  requireIt(
    sender === (call.name === 'reclaim' ? terms.payer : terms.operator),
    'InvalidSender',
    sender,
    call.name === 'reclaim' ? terms.payer : terms.operator,
  )
  if ('amount' in call) requireAmount(call.amount)
  switch (call.name) {
    case 'authorize':
      requireTerms(ground, terms, call.amount)
      open(ground, terms, { collected: true, capturable: call.amount, refundable: 0n })
      emit(ground, 'PaymentAuthorized', terms, { amount: call.amount, tokenCollector: call.collector })
      return collect(ground, terms, call.amount, call.collector, call.signature, isSigned)
    case 'charge':
      requireTerms(ground, terms, call.amount)
      requireFee(terms, call.feeBps, call.feeReceiver)
      open(ground, terms, { collected: true, capturable: 0n, refundable: call.amount })
      emit(ground, 'PaymentCharged', terms, {
        amount: call.amount,
        tokenCollector: call.collector,
        feeBps: call.feeBps,
        feeReceiver: call.feeReceiver,
      })
      collect(ground, terms, call.amount, call.collector, call.signature, isSigned)
      return payOut(ground, terms, call.amount, call.feeBps, call.feeReceiver)
    case 'capture':
      return capture(ground, terms, call.amount, call.feeBps, call.feeReceiver)
    case 'void':
      return giveBack(ground, terms, 'PaymentVoided')
    case 'reclaim':
      requireIt(
        ground.now() >= terms.authorizationExpiry,
        'BeforeAuthorizationExpiry',
        ground.now(),
        terms.authorizationExpiry,
      )
      return giveBack(ground, terms, 'PaymentReclaimed')
    case 'partialVoid':
      return partialVoid(ground, terms, call.amount)
    case 'refund':
      return refund(ground, terms, call.amount, call.collector)
  }
}

export function requireIt(condition: boolean, error: string, ...args: ModelRevert['args']): void {
  if (!condition) throw new Revert(error, ...args)
}

function requireAmount(amount: bigint): void {
  requireIt(amount !== 0n, 'ZeroAmount')
  requireIt(amount <= maxUint120, 'AmountOverflow', amount, maxUint120)
}

function requireTerms(ground: Ground, terms: PaymentTerms, amount: bigint): void {
  const { maxAmount, preApprovalExpiry, authorizationExpiry, refundExpiry, minFeeBps, maxFeeBps } = terms
  requireIt(amount <= maxAmount, 'ExceedsMaxAmount', amount, maxAmount)
  requireIt(ground.now() < preApprovalExpiry, 'AfterPreApprovalExpiry', ground.now(), preApprovalExpiry)
  const inOrder = preApprovalExpiry <= authorizationExpiry && authorizationExpiry <= refundExpiry
  requireIt(inOrder, 'InvalidExpiries', preApprovalExpiry, authorizationExpiry, refundExpiry)
  requireIt(BigInt(maxFeeBps) <= bps, 'FeeBpsOverflow', maxFeeBps)
  requireIt(minFeeBps <= maxFeeBps, 'InvalidFeeBpsRange', minFeeBps, maxFeeBps)
}

function requireFee(terms: PaymentTerms, feeBps: number, feeReceiver: string): void {
  requireIt(
    feeBps >= terms.minFeeBps && feeBps <= terms.maxFeeBps,
    'FeeBpsOutOfRange',
    feeBps,
    terms.minFeeBps,
    terms.maxFeeBps,
  )
  requireIt(feeBps === 0 || feeReceiver !== zeroAddress, 'ZeroFeeReceiver')
  requireIt(
    terms.feeReceiver === zeroAddress || terms.feeReceiver === feeReceiver,
    'InvalidFeeReceiver',
    feeReceiver,
    terms.feeReceiver,
  )
}

function open(ground: Ground, terms: PaymentTerms, state: PaymentState): void {
  const hash = ground.deployment.hashOf(terms)
  requireIt(!stateOf(ground, terms).collected, 'PaymentAlreadyCollected', hash)
  ground.put('payment', hash, state)
}

function capture(ground: Ground, terms: PaymentTerms, amount: bigint, feeBps: number, feeReceiver: string): void {
  requireFee(terms, feeBps, feeReceiver)
  requireIt(
    ground.now() < terms.authorizationExpiry,
    'AfterAuthorizationExpiry',
    ground.now(),
    terms.authorizationExpiry,
  )
  const hash = ground.deployment.hashOf(terms)
  const state = stateOf(ground, terms)
  requireIt(amount <= state.capturable, 'InsufficientAuthorization', hash, state.capturable, amount)
  ground.put('payment', hash, {
    ...state,
    capturable: state.capturable - amount,
    refundable: state.refundable + amount,
  })
  emit(ground, 'PaymentCaptured', terms, { amount, feeBps, feeReceiver })
  payOut(ground, terms, amount, feeBps, feeReceiver)
}

function giveBack(ground: Ground, terms: PaymentTerms, event: 'PaymentVoided' | 'PaymentReclaimed'): void {
  const hash = ground.deployment.hashOf(terms)
  const state = stateOf(ground, terms)
  requireIt(state.capturable > 0n, 'ZeroAuthorization', hash)
  ground.put('payment', hash, { ...state, capturable: 0n })
  emit(ground, event, terms, { amount: state.capturable })
  send(ground, terms, terms.payer, state.capturable)
}

function partialVoid(ground: Ground, terms: PaymentTerms, amount: bigint): void {
  const state = stateOf(ground, terms)
  requireIt(amount <= state.capturable, 'PartialVoidExceedsCapturable', amount, state.capturable)
  const remaining = state.capturable - amount
  ground.put('payment', ground.deployment.hashOf(terms), { ...state, capturable: remaining })
  emit(ground, 'PaymentPartiallyVoided', terms, { amount, remaining })
  send(ground, terms, terms.payer, amount)
}

function refund(ground: Ground, terms: PaymentTerms, amount: bigint, collector: string): void {
  requireIt(ground.now() < terms.refundExpiry, 'AfterRefundExpiry', ground.now(), terms.refundExpiry)
  const state = stateOf(ground, terms)
  requireIt(amount <= state.refundable, 'RefundExceedsCapture', amount, state.refundable)
  ground.put('payment', ground.deployment.hashOf(terms), { ...state, refundable: state.refundable - amount })
  emit(ground, 'PaymentRefunded', terms, { amount, tokenCollector: collector })
  requireIt(ground.deployment.refundCollectors.includes(collector), 'InvalidCollectorForOperation')
  move(ground, collector, storeOf(ground, terms), amount)
  send(ground, terms, terms.payer, amount)
}

/** The signed amount is pulled whole; what was not asked for goes back at once. */
function collect(
  ground: Ground,
  terms: PaymentTerms,
  amount: bigint,
  collector: string,
  signature: string,
  isSigned: SignatureCheck,
): void {
  const { collector: own, hashOf } = ground.deployment
  requireIt(collector === own, 'InvalidCollectorForOperation')
  const message = {
    type: 'receive',
    from: terms.payer,
    to: own,
    value: terms.maxAmount,
    validAfter: 0n,
    validBefore: BigInt(terms.preApprovalExpiry),
    nonce: hashOf({ ...terms, payer: zeroAddress }),
  } as const
  receive(ground, own, message, signature, isSigned)
  if (terms.maxAmount > amount) move(ground, own, terms.payer, terms.maxAmount - amount)
  move(ground, own, storeOf(ground, terms), amount)
}

/** The fee is rounded down, so the rounding is the payee's gain. */
function payOut(ground: Ground, terms: PaymentTerms, amount: bigint, feeBps: number, feeReceiver: string): void {
  const fee = (amount * BigInt(feeBps)) / bps
  if (fee > 0n) send(ground, terms, feeReceiver, fee)
  if (amount > fee) send(ground, terms, terms.receiver, amount - fee)
}

function send(ground: Ground, terms: PaymentTerms, to: string, amount: bigint): void {
  const store = storeOf(ground, terms)
  if (!ground.get('store', terms.operator, false)) {
    ground.put('store', terms.operator, true)
    ground.emit({
      contract: 'escrow',
      name: 'TokenStoreCreated',
      args: { operator: terms.operator, tokenStore: store },
    })
  }
  move(ground, store, to, amount)
}

function storeOf(ground: Ground, terms: PaymentTerms): string {
  return ground.deployment.storeOf(terms.operator)
}

function emit(
  ground: Ground,
  name: string,
  terms: PaymentTerms,
  args: Readonly<Record<string, string | bigint | number>>,
): void {
  ground.emit({ contract: 'escrow', name, args: { paymentInfoHash: ground.deployment.hashOf(terms), ...args } })
}

/** What the escrow holds for an operator, all payments together. */
export function heldFor(ground: Ground, operator: string): bigint {
  return balanceOf(ground, ground.deployment.storeOf(operator))
}
