import type { Hex } from 'viem'
import { authorizationNonce, zeroAddress } from '@ergon/protocols'
import { localAddresses, localChainId } from '../src/index.ts'
import type { ContractsModel, ModelCall, ModelDeployment, PaymentTerms } from '../src/testing/index.ts'
import { tokenDomain } from './payment.ts'
import { address, asInfo, parties, type MachineStep, type Portion } from './machine-steps.ts'
import type { Signatures } from './machine-signatures.ts'

/** What a step needs to become a call. */
type Desk = {
  readonly model: ContractsModel
  readonly deployment: ModelDeployment
  readonly book: Signatures
  readonly sign: (terms: PaymentTerms, forged: boolean) => Promise<Hex>
}

/** The call that a step means for a payment as it is now. */
export async function callOf(step: MachineStep, terms: PaymentTerms, desk: Desk): Promise<ModelCall> {
  const { model, deployment, sign } = desk
  const { capturable, refundable } = model.payment(terms)
  const [pocket = ''] = deployment.refundCollectors
  const ofHeld = amountOf(step.portion, capturable, terms.maxAmount)
  const ofPaid = amountOf(step.portion, refundable, terms.maxAmount)
  const opened = amountOf(step.portion, terms.maxAmount, terms.maxAmount)
  const collector = step.foreignCollector ? pocket : deployment.collector
  const refunder = step.foreignCollector ? deployment.collector : pocket
  // An amount that the ABI cannot carry does not reach the contract.
  const uint120 = (amount: bigint): bigint => (amount < 1n << 120n ? amount : (1n << 120n) - 1n)
  const fee = { feeBps: step.feeBps, feeReceiver: step.feeBps === 0 ? zeroAddress : deployment.treasury }
  switch (step.call) {
    case 'operator.authorize':
    case 'operator.charge':
      return {
        to: 'operator',
        name: step.call === 'operator.charge' ? 'charge' : 'authorize',
        terms,
        amount: opened,
        collector,
        signature: await sign(terms, step.forged),
      }
    case 'operator.release':
      return { to: 'operator', name: 'release', terms, amount: ofHeld }
    case 'operator.refundInEscrow':
      return { to: 'operator', name: 'refundInEscrow', terms, amount: uint120(ofHeld) }
    case 'operator.refundPostEscrow':
      return { to: 'operator', name: 'refundPostEscrow', terms, amount: ofPaid, collector: refunder }
    case 'operator.distributeFees':
      return { to: 'operator', name: 'distributeFees', token: step.foreignCollector ? zeroAddress : deployment.token }
    case 'escrow.authorize':
      return {
        to: 'escrow',
        name: 'authorize',
        terms,
        amount: opened,
        collector,
        signature: await sign(terms, step.forged),
      }
    case 'escrow.charge':
      return {
        to: 'escrow',
        name: 'charge',
        terms,
        amount: opened,
        collector,
        signature: await sign(terms, step.forged),
        ...fee,
      }
    case 'escrow.capture':
      return { to: 'escrow', name: 'capture', terms, amount: ofHeld, ...fee }
    case 'escrow.void':
    case 'escrow.reclaim':
      return { to: 'escrow', name: step.call === 'escrow.void' ? 'void' : 'reclaim', terms }
    case 'escrow.partialVoid':
      return { to: 'escrow', name: 'partialVoid', terms, amount: uint120(ofHeld) }
    case 'escrow.refund':
      return { to: 'escrow', name: 'refund', terms, amount: ofPaid, collector: refunder }
    default:
      return tokenCallOf(step, terms, desk, ofHeld)
  }
}

async function tokenCallOf(
  step: MachineStep,
  terms: PaymentTerms,
  { deployment, book, sign }: Desk,
  value: bigint,
): Promise<ModelCall> {
  const nonce = authorizationNonce(asInfo(terms), localChainId, localAddresses.Escrow)
  if (step.call === 'token.transfer')
    return {
      to: 'token',
      name: 'transfer',
      recipient: step.foreignCollector ? zeroAddress : deployment.operator,
      value,
    }
  if (step.call === 'token.cancelAuthorization') {
    const signature = await (step.forged ? parties.stranger : parties.payer).signTypedData({
      domain: tokenDomain,
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: address(terms.payer), nonce },
    })
    if (!step.forged) book.remember({ type: 'cancel', from: terms.payer, nonce }, signature)
    return { to: 'token', name: 'cancelAuthorization', authorizer: terms.payer, nonce, signature }
  }
  // The payer's own signature, presented by an account that is not the collector.
  const signature = await sign(terms, step.forged)
  return {
    to: 'token',
    name: 'receiveWithAuthorization',
    from: terms.payer,
    recipient: deployment.collector,
    value: terms.maxAmount,
    validAfter: 0n,
    validBefore: BigInt(terms.preApprovalExpiry),
    nonce,
    signature,
  }
}

function amountOf(portion: Portion, there: bigint, most: bigint): bigint {
  const amounts: Readonly<Record<Portion, bigint>> = {
    nothing: 0n,
    one: 1n,
    'a third': there / 3n,
    'all there is': there,
    'one too many': there + 1n,
    'the most': most,
    'more than the most': most + 1n,
    'beyond all words': 1n << 120n,
  }
  return amounts[portion]
}
