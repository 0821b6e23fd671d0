import { saltOf } from '@ergon/contract/facts'
import {
  MarketError,
  type EscrowAuthorization,
  type EscrowTerms,
  type Payment,
  type PaymentSignatures,
} from '@ergon/core'
import {
  checkPaymentAuth,
  escrowAuthorizationChallenge,
  hexToBytes,
  lowerAddress,
  parsePaymentAuth,
  paymentInfoHash,
  receiveWithAuthorizationDigest,
  sameAddress,
  unwrapSignature,
  type EscrowChallenge,
  type ExpectedPayment,
  type PaymentAuth,
  type PaymentAuthFault,
} from '@ergon/protocols'
import { escrowOf, type ServedNetwork } from '../networks.ts'
import { domainOf, expiriesFor, feeBps, missingFor, outlives, reading, unix, walletOf } from './payment-terms.ts'
import type { SignatureDeps } from './signature-deps.ts'
import { silenceChallenge, type SilenceDeps } from './silence-order.ts'

type Challenge = ReturnType<PaymentSignatures['escrowChallenge']>

export function escrowChallenge(deps: SilenceDeps, terms: EscrowTerms, now: Date): Challenge {
  const { networks, random32 } = deps
  const network = networks.named(terms.network)
  const { escrow, collector, operator } = escrowOf(network)
  const token = domainOf(network, terms.amount)
  const [payer, receiver] = [walletOf(terms.payer), walletOf(terms.receiver)]
  if (payer === receiver) throw new MarketError('SELF_PAYMENT_BLOCKED')
  const expiries = expiriesFor(terms, now)
  const challenge = escrowAuthorizationChallenge({
    chainId: network.chainId,
    escrow,
    collector,
    operator,
    token,
    payer,
    receiver,
    amount: terms.amount.atomic,
    minFeeBps: 0,
    maxFeeBps: feeBps,
    ...expiries,
    salt: saltOf(terms.taskId, BigInt(random32())),
  })
  return {
    typedData: challenge.typed_data,
    envelope: { ...challenge.envelope },
    expiresAt: new Date(expiries.preApprovalExpiry * 1000),
    collector: lowerAddress(collector),
    token: token.verifyingContract,
    boundUntil: new Date(expiries.authorizationExpiry * 1000),
    standing: terms.silentAfterHours === null ? null : standingOf(deps, network, challenge.envelope, terms, now),
  }
}

/** What lets silence pay this very payment, as it will be known once it is signed. */
function standingOf(
  deps: SilenceDeps,
  network: ServedNetwork,
  envelope: EscrowChallenge['envelope'],
  { silentAfterHours }: EscrowTerms,
  now: Date,
): Challenge['standing'] {
  const { paymentInfo } = parsePaymentAuth(envelope)
  const hash = paymentInfoHash(paymentInfo, network.chainId, escrowOf(network).escrow)
  return silenceChallenge(deps, network, paymentInfo, hash, unix(now) + (silentAfterHours ?? 0) * 3_600)
}

/** Whom a kept authorization pays; whether it pays well is asked when its worker is assigned. */
export function receiverOf({ networks }: SignatureDeps, raw: string, name: string): string {
  const auth = reading(() => parsePaymentAuth(raw))
  if (auth.network !== networks.named(name).row.caip2)
    throw new MarketError('NETWORK_MISMATCH', { network: name, signed_for: auth.network })
  return lowerAddress(auth.paymentInfo.receiver)
}

/**
 * Nothing the sender tells about deployments is used: every address comes from the network table, every party from our
 * rows.
 */
export async function readEscrowAuthorization(
  deps: SignatureDeps,
  raw: string,
  terms: EscrowTerms,
  now: Date,
): Promise<{ readonly payment: Payment; readonly authorization: EscrowAuthorization }> {
  const network = deps.networks.named(terms.network)
  const { escrow, collector, operator } = escrowOf(network)
  const auth = reading(() => parsePaymentAuth(raw))
  const { paymentInfo: info, authorization } = auth
  const [payer, receiver] = [walletOf(terms.payer), walletOf(terms.receiver)]
  const expected: ExpectedPayment = {
    chainId: network.chainId,
    escrow,
    collector,
    operator,
    token: domainOf(network, terms.amount),
    payer,
    receiver,
    amount: terms.amount.atomic,
    feeBps,
    now: unix(now),
  }
  const fault = checkPaymentAuth(auth, expected)
  if (fault !== undefined && fault.code !== 'signature') throw refusal(fault, auth)
  if (payer === receiver) throw new MarketError('SELF_PAYMENT_BLOCKED')
  if (!outlives(info, terms))
    throw unreadable('the expiries must reach a week past the deadline, and a week from release to refund')
  const needed = missingFor(info, terms)
  if (needed !== null)
    throw unreadable('the policy of the task needs the money bound for longer', {
      authorization_expiry: info.authorizationExpiry,
      needed_authorization_expiry: needed,
    })
  const treasury = await deps.treasuries.of(network)
  if (sameAddress(receiver, treasury))
    throw new MarketError('FORBIDDEN_RECEIVER', { reason: 'the receiver is the treasury' })
  if (fault !== undefined) await requireContractSignature(deps, expected, auth)
  const { validAfter, validBefore, nonce } = authorization
  return {
    payment: {
      ...info,
      network: terms.network,
      asset: terms.amount.asset,
      hash: paymentInfoHash(info, network.chainId, escrow),
    },
    authorization: { validAfter, validBefore, nonce, signature: auth.signature },
  }
}

/**
 * A key did not sign it; a payer that is a contract may have (ERC-1271). One that is yet to be put up (ERC-6492) cannot
 * be asked: the facilitator, which puts it up where it takes its factory, tells by the lock.
 */
async function requireContractSignature(
  deps: SignatureDeps,
  expected: ExpectedPayment,
  auth: PaymentAuth,
): Promise<void> {
  const hash = receiveWithAuthorizationDigest(expected.token, auth.authorization)
  const wrapped = reading(() => unwrapSignature(auth.signature))
  const word = await deps.askContract({
    chainId: expected.chainId,
    address: expected.payer,
    hash,
    signature: hexToBytes(wrapped?.signature ?? auth.signature),
  })
  if (word === 'signed' || (word === 'nobody' && wrapped !== undefined)) return
  throw new MarketError('INVALID_SIGNATURE')
}

function refusal({ code, reason }: PaymentAuthFault, { paymentInfo }: PaymentAuth): MarketError {
  const details = { reason }
  switch (code) {
    case 'network':
      return new MarketError('NETWORK_MISMATCH', details)
    case 'operator':
      return new MarketError('OPERATOR_MISMATCH', details)
    case 'receiver':
      return new MarketError(
        sameAddress(paymentInfo.receiver, paymentInfo.payer) ? 'SELF_PAYMENT_BLOCKED' : 'FORBIDDEN_RECEIVER',
        details,
      )
    case 'amount':
      return new MarketError('AMOUNT_MISMATCH', details)
    case 'payer':
    case 'nonce':
    case 'signature':
      return new MarketError('INVALID_SIGNATURE', details)
    case 'token':
    case 'collector':
    case 'fee_bounds':
    case 'expiries':
    case 'expired':
      return unreadable(reason)
  }
}

function unreadable(reason: string, figures: Readonly<Record<string, number>> = {}): MarketError {
  return new MarketError(
    'INVALID_PAYMENT_AUTH',
    { reason, ...figures },
    { message: `Invalid X-Payment-Auth: ${reason}` },
  )
}
