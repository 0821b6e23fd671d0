import { limits } from '@ergon/contract'
import { lifecycleMaxAheadSec, lifecycleOrderTypedData, paymentInfoFromWire, type PaymentInfo } from '@ergon/protocols'
import { addressOf, type Agreement } from './agreement.ts'
import {
  ChallengeMismatch,
  requireAddress,
  requireSame,
  requireSameDocument,
  understood,
} from './challenge-mismatch.ts'
import type { Input, Output } from './client.ts'

type Offer = NonNullable<Output<'submissions.approveChallenge'>['lifecycle_order']>
type SignedOrder = NonNullable<Input<'submissions.approve'>['lifecycle_order']>

/**
 * Checks a release order against the agreement and signs it: it pays this worker, from this escrow, the bounty or what
 * is left of it after the payer released a part on chain. An order for less than is held leaves the rest with the
 * payer.
 */
export async function signReleaseOrder(offer: Offer, agreement: Agreement, now: number): Promise<SignedOrder> {
  const { signer } = agreement
  const { document, deadline, nonce } = understood(() => orderOf(offer, agreement, now))
  return { action: 'release', signer: signer.address, deadline, nonce, signature: await signer.signTypedData(document) }
}

function orderOf(offer: Offer, agreement: Agreement, now: number) {
  const { network } = agreement
  const { deadline } = offer.order
  requireSame('action', 'release', offer.order.action)
  if (deadline <= now || deadline > now + lifecycleMaxAheadSec)
    throw new ChallengeMismatch('expiry', `within ${lifecycleMaxAheadSec} s`, deadline)
  const paymentInfo = readPaymentInfo(offer.typed_data.message['paymentInfo'])
  checkPaymentInfo(paymentInfo, agreement)
  const nonce = hex32(offer.order.nonce)
  const amount = readAmount(offer.typed_data.message['amount'], agreement.gross)
  const document = lifecycleOrderTypedData({ action: 'release', amount, deadline, nonce, paymentInfo }, network.chainId)
  requireSameDocument(document, offer.typed_data)
  return { document, deadline, nonce }
}

function readAmount(value: unknown, gross: bigint): bigint {
  const amount = typeof value === 'string' && /^[0-9]{1,39}$/.test(value) ? BigInt(value) : 0n
  if (amount <= 0n || amount > gross) throw new ChallengeMismatch('amount', `at most ${gross}`, value)
  return amount
}

function checkPaymentInfo(info: PaymentInfo, agreement: Agreement): void {
  const { network, signer, token, worker, gross } = agreement
  requireAddress('payer', signer.address, info.payer)
  requireAddress('payee', worker, info.receiver)
  requireAddress('token', token.verifyingContract, info.token)
  requireAddress('operator', network.escrow?.operator ?? 'none', info.operator)
  requireSame('amount', gross, info.maxAmount)
  // The contract takes no more than it was locked with; an order over other terms is over another lock.
  if (info.maxFeeBps > limits.feeBps || info.minFeeBps > info.maxFeeBps)
    throw new ChallengeMismatch('highest fee', limits.feeBps, info.maxFeeBps)
  requireAddress('fee receiver', network.escrow?.operator ?? 'none', info.feeReceiver)
}

/** The document carries the payer inside and the salt as a number; the wire form does neither. */
function readPaymentInfo(value: unknown): PaymentInfo {
  if (typeof value !== 'object' || value === null || !('payer' in value) || !('salt' in value))
    throw new ChallengeMismatch('document', 'payment info', value)
  const { payer, salt, ...rest } = value
  if (typeof salt !== 'string' || !/^(?:0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(salt))
    throw new ChallengeMismatch('salt', 'a number', salt)
  return paymentInfoFromWire(
    { ...rest, salt: `0x${BigInt(salt).toString(16).padStart(64, '0')}` },
    addressOf('payer', payer),
  )
}

function hex32(text: string): `0x${string}` {
  if (!/^0x[0-9a-f]{64}$/i.test(text)) throw new ChallengeMismatch('nonce', '32 bytes', text)
  // The pattern above is the type.
  return text as `0x${string}`
}
