import { MarketError, type Amount, type Payment, type SignedReleaseOrder, type StandingOrderWords } from '@ergon/core'
import {
  lowerAddress,
  parseStandingOrder,
  ProtocolError,
  sameAddress,
  standingFault,
  standingOrderToWire,
  standingOrderTypedData,
  type Hex,
  type PaymentInfo,
  type Signer,
  type StandingOrder,
  type TypedData,
} from '@ergon/protocols'
import type { ServedNetwork } from '../networks.ts'
import { paymentInfoOf } from '../rails/order-request.ts'
import { preApprovalSec, unix } from './payment-terms.ts'
import { releaseChallenge } from './release-order.ts'
import type { SignatureDeps } from './signature-deps.ts'
import { isStandingOrderSigned } from './standing-orders.ts'

/** Lets releases through that nobody clicks for (decision 0158); a key without another role. */
export const silencePurpose = 'releases by silence'

export type SilenceDeps = SignatureDeps & {
  readonly spender: Signer
  /** May order releases of itself, by what facilitator or contract says about it. */
  readonly delegate: Signer
}

/** Clocks of two machines may be this far apart. */
const skewSec = 60

/** What the payer signs beside the authorization: this payment, its amount, once, from the end of a review on. */
export function silenceChallenge(
  { spender, random32 }: SilenceDeps,
  { row, chainId }: ServedNetwork,
  info: PaymentInfo,
  hash: Hex,
  notBefore: number,
): { readonly typedData: TypedData; readonly order: StandingOrderWords } {
  if (row.escrow === undefined) throw new MarketError('NETWORK_NO_ESCROW', { network: row.name })
  const order: StandingOrder = {
    payer: lowerAddress(info.payer),
    spender: lowerAddress(spender.address),
    operator: lowerAddress(info.operator),
    token: lowerAddress(info.token),
    maxPerRelease: info.maxAmount,
    maxTotal: info.maxAmount,
    maxCount: 1,
    notBefore,
    notAfter: info.authorizationExpiry,
    nonce: random32(),
    payment: hash,
  }
  const { signature: _none, ...wire } = standingOrderToWire(order, '0x')
  return { typedData: standingOrderTypedData(order, chainId), order: wire }
}

/** Neither wider than asked nor narrower. @throws LIFECYCLE_ORDER_INVALID, CHAIN_UNAVAILABLE */
export async function readStandingOrder(
  deps: SilenceDeps,
  raw: string,
  payment: Payment,
  silentAfterHours: number,
  now: Date,
): Promise<StandingOrderWords> {
  const { order, signature } = parsed(raw)
  const fault = faultOf(deps, order, payment, unix(now) + silentAfterHours * 3_600)
  if (fault !== undefined) throw invalid(fault)
  const wire = standingOrderToWire(order, signature)
  if (!(await isStandingOrderSigned(deps, wire, deps.networks.named(payment.network).chainId)))
    throw invalid('it is not signed by the payer')
  return { ...wire }
}

function faultOf({ spender }: SilenceDeps, order: StandingOrder, payment: Payment, from: number): string | undefined {
  const info = paymentInfoOf(payment)
  // The hash of a payment is one that we made.
  const paymentHash = payment.hash as Hex
  const release = { signer: spender.address, amount: info.maxAmount, info, paymentHash, now: order.notBefore }
  const fault = standingFault(order, release)
  if (fault !== undefined) return fault
  if (order.payment !== paymentHash) return 'it is for more than this payment'
  if (order.maxPerRelease !== info.maxAmount || order.maxTotal !== info.maxAmount || order.maxCount !== 1)
    return 'it is not for the whole bounty, once'
  if (order.notAfter !== info.authorizationExpiry) return 'it does not end with the authorization'
  // It was asked for as long ago as a challenge is good.
  if (order.notBefore > from + skewSec) return 'it begins after the review could have ended'
  if (order.notBefore < from - preApprovalSec - skewSec) return 'it begins before the review could have ended'
  return undefined
}

/**
 * Signed by the key that the payer let stand for its own, for this payment; the order is its warrant. An order to the
 * key of an earlier secret is as good, and that key is no more: there the delegate signs what the order allows.
 */
export async function standingRelease(
  deps: SilenceDeps,
  payment: Payment,
  amount: Amount,
  warrant: StandingOrderWords,
  now: Date,
): Promise<SignedReleaseOrder> {
  const signer = isForEarlierKey(deps, payment, amount, warrant, now) ? deps.delegate : deps.spender
  const { typedData, deadline, nonce } = releaseChallenge(deps, payment, amount, now)
  // Built just now, with the typed data of @ergon/protocols.
  const signature = await signer.signTypedData(typedData as unknown as TypedData)
  const own = { signer: lowerAddress(signer.address), deadline, nonce, signature }
  return signer === deps.spender ? { ...own, warrant } : own
}

/** Whether nothing but the key is in the way: without a warrant nobody else looks at the bounds. */
function isForEarlierKey(
  { spender }: SilenceDeps,
  payment: Payment,
  amount: Amount,
  warrant: StandingOrderWords,
  now: Date,
): boolean {
  const { order } = parseStandingOrder(warrant)
  if (sameAddress(order.spender, spender.address)) return false
  const release = { info: paymentInfoOf(payment), paymentHash: payment.hash as Hex, now: unix(now) }
  return standingFault(order, { ...release, signer: order.spender, amount: amount.atomic }) === undefined
}

function parsed(raw: string): ReturnType<typeof parseStandingOrder> {
  try {
    return parseStandingOrder(JSON.parse(raw))
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof SyntaxError) throw invalid(error.message)
    throw error
  }
}

const invalid = (reason: string): MarketError =>
  new MarketError(
    'LIFECYCLE_ORDER_INVALID',
    { reason },
    { message: `The standing order that silence would pay by is not the one that was asked for: ${reason}.` },
  )
