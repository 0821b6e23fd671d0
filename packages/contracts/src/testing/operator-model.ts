import type { Ground, PaymentTerms, SignatureCheck } from './chain-model.ts'
import { requireIt, runEscrow } from './escrow-model.ts'
import { balanceOf, move } from './token-model.ts'

/** The operator, guard by guard in the order of Operator.sol. The variants with trailing `bytes` do the same. */
export type OperatorCall =
  | {
      readonly name: 'authorize' | 'charge'
      readonly terms: PaymentTerms
      readonly amount: bigint
      readonly collector: string
      readonly signature: string
    }
  | { readonly name: 'release' | 'refundInEscrow'; readonly terms: PaymentTerms; readonly amount: bigint }
  | {
      readonly name: 'refundPostEscrow'
      readonly terms: PaymentTerms
      readonly amount: bigint
      readonly collector: string
    }
  | { readonly name: 'distributeFees'; readonly token: string }

const zeroAddress = `0x${'0'.repeat(40)}`

export function runOperator(ground: Ground, sender: string, call: OperatorCall, isSigned: SignatureCheck): void {
  const { operator, facilitator, feeBps } = ground.deployment
  if (call.name === 'distributeFees') return distribute(ground, call.token)
  const { terms, amount } = call
  const isPayerOrFacilitator = sender === terms.payer || sender === facilitator
  switch (call.name) {
    case 'authorize': {
      requireIt(amount === terms.maxAmount || isPayerOrFacilitator, 'ConditionNotMet')
      const hash = lockFee(ground, terms, amount)
      runEscrow(ground, operator, { ...call, name: 'authorize' }, isSigned)
      return tell(ground, 'AuthorizationCreated', hash, terms, amount)
    }
    case 'charge': {
      requireIt(isPayerOrFacilitator, 'ConditionNotMet')
      const hash = lockFee(ground, terms, amount)
      runEscrow(ground, operator, { ...call, name: 'charge', feeBps, feeReceiver: operator }, isSigned)
      return tell(ground, 'ChargeExecuted', hash, terms, amount)
    }
    case 'release': {
      requireIt(isPayerOrFacilitator, 'ConditionNotMet')
      const locked = ground.get('fee', ground.deployment.hashOf(terms), 0)
      runEscrow(ground, operator, { name: 'capture', terms, amount, feeBps: locked, feeReceiver: operator }, isSigned)
      return ground.emit({
        contract: 'operator',
        name: 'ReleaseExecuted',
        args: { amount, timestamp: BigInt(ground.now()) },
      })
    }
    case 'refundInEscrow':
      requireIt(sender === facilitator, 'ConditionNotMet')
      runEscrow(ground, operator, { name: 'partialVoid', terms, amount }, isSigned)
      return ground.emit({ contract: 'operator', name: 'RefundInEscrowExecuted', args: { payer: terms.payer, amount } })
    case 'refundPostEscrow':
      requireIt(sender === facilitator, 'ConditionNotMet')
      runEscrow(ground, operator, { name: 'refund', terms, amount, collector: call.collector }, isSigned)
      return ground.emit({
        contract: 'operator',
        name: 'RefundPostEscrowExecuted',
        args: { payer: terms.payer, amount },
      })
  }
}

/** The fee is locked under the payment's hash; what reverts afterwards unlocks it. */
function lockFee(ground: Ground, terms: PaymentTerms, amount: bigint): string {
  const { operator, treasury, feeBps, maxDeposit, hashOf } = ground.deployment
  requireIt(terms.feeReceiver === operator, 'InvalidFeeReceiver')
  requireIt(
    feeBps >= terms.minFeeBps && feeBps <= terms.maxFeeBps,
    'FeeBoundsIncompatible',
    feeBps,
    terms.minFeeBps,
    terms.maxFeeBps,
  )
  const isForbidden = [zeroAddress, terms.payer, operator, treasury].includes(terms.receiver)
  requireIt(!isForbidden, 'ForbiddenReceiver', terms.receiver)
  requireIt(amount <= maxDeposit, 'DepositLimitExceeded', amount, maxDeposit)
  const hash = hashOf(terms)
  ground.put('fee', hash, feeBps)
  return hash
}

function tell(ground: Ground, name: string, hash: string, { payer, receiver }: PaymentTerms, amount: bigint): void {
  ground.emit({
    contract: 'operator',
    name,
    args: { paymentInfoHash: hash, payer, receiver, amount, timestamp: BigInt(ground.now()) },
  })
}

function distribute(ground: Ground, token: string): void {
  const { operator, treasury } = ground.deployment
  requireIt(token !== zeroAddress, 'ZeroAddress')
  const amount = balanceOf(ground, operator)
  if (amount === 0n) return
  move(ground, operator, treasury, amount)
  ground.emit({
    contract: 'operator',
    name: 'FeesDistributed',
    args: { token, protocolAmount: 0n, arbiterAmount: amount },
  })
}
