import { MarketError, type Amount, type Payment, type PaymentSignatures, type SignedReleaseOrder } from '@ergon/core'
import {
  hexToBytes,
  lifecycleMaxAheadSec,
  lifecycleOrderDigest,
  lifecycleOrderTypedData,
  lowerAddress,
  parseLifecycleAuth,
  parseStandingOrder,
  ProtocolError,
  releaseApprovalMaxAheadSec,
  releaseApprovalTypedData,
  sameAddress,
  standingFault,
  type Hex,
  type LifecycleAuthWire,
  type TypedData,
} from '@ergon/protocols'
import { paymentInfoOf } from '../rails/order-request.ts'
import { domainOf, unix, walletOf } from './payment-terms.ts'
import { isSignedBy, type SignatureDeps } from './signature-deps.ts'
import { isStandingOrderSigned } from './standing-orders.ts'

/** Signers get ten of the fifteen minutes that may pass before an order is carried out. */
const aheadSec = lifecycleMaxAheadSec - 300

type ReleaseChallenge = ReturnType<PaymentSignatures['releaseChallenge']>

export function releaseChallenge(
  { networks, random32 }: SignatureDeps,
  payment: Payment,
  amount: Amount,
  now: Date,
): ReleaseChallenge {
  const { chainId } = networks.named(payment.network)
  const [deadline, nonce] = [unix(now) + aheadSec, random32()]
  const order = {
    action: 'release',
    amount: amount.atomic,
    deadline,
    nonce,
    paymentInfo: paymentInfoOf(payment),
  } as const
  return { typedData: lifecycleOrderTypedData(order, chainId), deadline, nonce }
}

/** The document is rebuilt from our own row, never from what the caller says it signed. */
export async function checkReleaseOrder(
  deps: SignatureDeps,
  order: SignedReleaseOrder,
  payment: Payment,
  amount: Amount,
  now: Date,
): Promise<void> {
  const { signer, deadline, nonce, signature } = readOrder(order)
  const seconds = unix(now)
  if (deadline <= seconds) throw invalid('the order is past its deadline')
  if (deadline > seconds + lifecycleMaxAheadSec)
    throw invalid(`the deadline may be at most ${String(lifecycleMaxAheadSec)} seconds ahead`)
  const { chainId } = deps.networks.named(payment.network)
  if (order.warrant !== undefined)
    await checkWarrant(deps, order.warrant, { signer, payment, amount, chainId }, seconds)
  else if (!sameAddress(signer, payment.payer)) throw invalid('the signer is not the payer')
  const terms = {
    action: 'release',
    amount: amount.atomic,
    deadline,
    nonce,
    paymentInfo: paymentInfoOf(payment),
  } as const
  const call = {
    chainId,
    address: signer,
    hash: lifecycleOrderDigest(terms, chainId),
    signature: hexToBytes(signature),
  }
  if (!(await isSignedBy(deps, call)))
    throw invalid('the order is not signed by its signer for this payment and amount')
}

type Asked = {
  readonly signer: LifecycleAuthWire['signer']
  readonly payment: Payment
  readonly amount: Amount
  readonly chainId: number
}

/** As the facilitator looks at it; the count is the facilitator's alone. */
async function checkWarrant(
  deps: SignatureDeps,
  warrant: Readonly<Record<string, unknown>>,
  { signer, payment, amount, chainId }: Asked,
  now: number,
): Promise<void> {
  const { order } = reading(() => parseStandingOrder(warrant))
  const info = paymentInfoOf(payment)
  const fault = standingFault(order, { signer, amount: amount.atomic, info, paymentHash: hexOf(payment.hash), now })
  if (fault !== undefined) throw invalid(`the standing order does not allow it (${fault})`)
  if (!(await isStandingOrderSigned(deps, warrant, chainId)))
    throw invalid('the standing order is not signed by the payer')
}

/** The hash of a payment is one that we made. */
const hexOf = (hash: string): Hex => hash as Hex

function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw invalid(error.message)
  }
}

function readOrder(order: SignedReleaseOrder): LifecycleAuthWire {
  const { signer, deadline, nonce, signature } = order
  return reading(() => parseLifecycleAuth({ signer, deadline, nonce, signature }))
}

function invalid(reason: string): MarketError {
  return new MarketError('LIFECYCLE_ORDER_INVALID', { reason })
}

type ApprovalTerms = Parameters<PaymentSignatures['releaseApproval']>[0]

export function releaseApproval({ networks, random32 }: SignatureDeps, terms: ApprovalTerms, now: Date): TypedData {
  const network = networks.named(terms.amount.asset.network)
  const approval = {
    submissionId: terms.submissionId,
    taskId: terms.taskId,
    amount: terms.amount.atomic,
    token: domainOf(network, terms.amount).verifyingContract,
    payer: lowerAddress(walletOf(terms.payer)),
    deadline: unix(now) + releaseApprovalMaxAheadSec - 300,
    nonce: random32(),
  }
  return releaseApprovalTypedData(approval, network.chainId)
}
