import {
  readTransferAuthorization,
  transferWithAuthorizationTypedData,
  type Address,
  type Hex,
  type TransferAuthorization,
  type TypedData,
} from '@ergon/protocols'
import type { Agreement } from './agreement.ts'
import {
  ChallengeMismatch,
  requireAddress,
  requireSame,
  requireSameDocument,
  understood,
} from './challenge-mismatch.ts'

/** What is to be paid at once, without escrow. */
export type DirectTerms = { readonly to: Address | undefined; readonly amount: bigint; readonly now: number }

// The clock of the service need not be ours.
const clockSkewSec = 60
/** A transfer that could be submitted much later would be a debt nobody remembers. */
const longestValiditySec = 3_600 + clockSkewSec

type Offer = { readonly typed_data: unknown; readonly envelope: Readonly<Record<string, unknown>> }

/** Checks an unsigned transfer against the terms and answers it signed, as raw JSON (mode fase1). */
export async function signDirectPayment(
  offer: Offer,
  agreement: Pick<Agreement, 'signer' | 'token'>,
  terms: DirectTerms,
): Promise<string> {
  const document = understood(() => transferOf(offer, agreement, terms))
  return JSON.stringify(withSignature(offer.envelope, await agreement.signer.signTypedData(document)))
}

function transferOf(offer: Offer, agreement: Pick<Agreement, 'signer' | 'token'>, terms: DirectTerms): TypedData {
  const authorization = readAuthorization(offer.envelope)
  requireAddress('payer', agreement.signer.address, authorization.from)
  if (terms.to !== undefined) requireAddress('payee', terms.to, authorization.to)
  requireSame('amount', terms.amount, authorization.value)
  const until = Number(authorization.validBefore)
  if (until <= terms.now || until > terms.now + longestValiditySec)
    throw new ChallengeMismatch('expiry', `within ${longestValiditySec} s`, until)
  const document = transferWithAuthorizationTypedData(agreement.token, authorization)
  requireSameDocument(document, offer.typed_data)
  return document
}

function readAuthorization(envelope: Offer['envelope']): TransferAuthorization {
  return readTransferAuthorization(payloadOf(envelope)['authorization'], 'authorization')
}

function withSignature(envelope: Offer['envelope'], signature: Hex): unknown {
  return { ...envelope, payload: { ...payloadOf(envelope), signature } }
}

function payloadOf(envelope: Offer['envelope']): Readonly<Record<string, unknown>> {
  const payload = envelope['payload']
  if (typeof payload !== 'object' || payload === null) throw new ChallengeMismatch('envelope', 'a payload', payload)
  // An object's members, each still unknown.
  return payload as Record<string, unknown>
}
