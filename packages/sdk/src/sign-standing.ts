import {
  parsePaymentAuth,
  parseStandingOrder,
  paymentInfoHash,
  standingOrderToWire,
  standingOrderTypedData,
  type StandingOrder,
} from '@ergon/protocols'
import type { Agreement } from './agreement.ts'
import { ChallengeMismatch, requireAddress, requireSame, requireSameDocument } from './challenge-mismatch.ts'

/** Clocks of two machines may be this far apart. */
const skewSec = 60

type Asked = { readonly typed_data: unknown; readonly order: Readonly<Record<string, unknown>> }

/**
 * Signs what lets silence pay (decision 0158): for this one payment, its amount, once, not before a review that begins
 * now could end, and until the authorization does. Answers what to send; undefined where silence pays nobody.
 *
 * @throws ChallengeMismatch when it is asked for anything wider; nothing is signed then.
 */
export async function signStanding(
  agreement: Agreement,
  envelope: unknown,
  asked: Asked | undefined,
  now: number,
): Promise<string | undefined> {
  const { task, network, signer } = agreement
  // Services that know no policies leave it out.
  const policy = task.policy as typeof task.policy | undefined
  if (asked === undefined || policy?.on_silence !== 'release') return undefined
  const order = readOrder(asked.order)
  requireWithin(agreement, envelope, order)
  const earliest = now + policy.review_hours * 3_600 - skewSec
  if (order.notBefore < earliest)
    throw new ChallengeMismatch('first moment', `at least ${String(earliest)}`, order.notBefore)
  const own = standingOrderTypedData(order, network.chainId)
  requireSameDocument(own, asked.typed_data)
  return JSON.stringify(standingOrderToWire(order, await signer.signTypedData(own)))
}

function readOrder(asked: Asked['order']): StandingOrder {
  try {
    return parseStandingOrder({ ...asked, signature: '0x' }).order
  } catch (error) {
    throw new ChallengeMismatch('standing order', 'a standing order', error instanceof Error ? error.message : 'none')
  }
}

/** This payment, its amount, once: whatever names the spender can use it for nothing else. */
function requireWithin({ network, token, signer, gross }: Agreement, envelope: unknown, order: StandingOrder): void {
  const { escrow } = network
  if (escrow === undefined) throw new ChallengeMismatch('network', 'a network with escrow', network.name)
  const { paymentInfo } = parsePaymentAuth(envelope)
  requireAddress('payer', signer.address, order.payer)
  requireAddress('operator', escrow.operator, order.operator)
  requireAddress('token', token.verifyingContract, order.token)
  requireSame('payment', paymentInfoHash(paymentInfo, network.chainId, escrow.escrow), order.payment)
  requireSame('highest release', gross, order.maxPerRelease)
  requireSame('highest sum', gross, order.maxTotal)
  requireSame('count', 1, order.maxCount)
  requireSame('end', paymentInfo.authorizationExpiry, order.notAfter)
}
