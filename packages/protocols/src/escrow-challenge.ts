import { lowerAddress, sameAddress, type Address } from './bytes.ts'
import { caip2 } from './caip.ts'
import { receiveWithAuthorizationTypedData, type TokenDomain, type TransferAuthorization } from './eip3009.ts'
import type { TypedData } from './eip712.ts'
import { paymentAuthEnvelope, parsePaymentAuth, serializePaymentAuth } from './payment-auth.ts'
import { authorizationNonce, paymentInfoToWire, type PaymentInfo, type PaymentInfoWire } from './payment-info.ts'
import { ProtocolError } from './protocol-error.ts'
import type { Signer } from './signer.ts'

/** The terms a payer is asked to sign. */
export type EscrowTerms = {
  readonly chainId: number
  readonly escrow: Address
  readonly collector: Address
  readonly operator: Address
  readonly token: TokenDomain
  readonly payer: Address
  readonly receiver: Address
  readonly amount: bigint
  readonly minFeeBps: number
  readonly maxFeeBps: number
  /** Unix seconds, none before the one above it. */
  readonly preApprovalExpiry: number
  readonly authorizationExpiry: number
  readonly refundExpiry: number
  /** Random; makes otherwise equal payments distinct. */
  readonly salt: bigint
}
/** A complete challenge: what to sign, what it means, and the envelope that wants only the signature. */
export type EscrowChallenge = {
  readonly typed_data: TypedData
  readonly payment_info: PaymentInfoWire
  /** The value of `X-Payment-Auth` with `payload.signature` still `0x`. */
  readonly envelope: object
}

/** Builds the challenge for holding a payment in escrow. */
export function escrowAuthorizationChallenge(terms: EscrowTerms): EscrowChallenge {
  const info = paymentInfoOf(terms)
  const authorization: TransferAuthorization = {
    from: info.payer,
    to: lowerAddress(terms.collector),
    value: terms.amount,
    validAfter: 0n,
    validBefore: BigInt(terms.preApprovalExpiry),
    nonce: authorizationNonce(info, terms.chainId, terms.escrow),
  }
  return {
    typed_data: receiveWithAuthorizationTypedData(terms.token, authorization),
    payment_info: paymentInfoToWire(info),
    envelope: paymentAuthEnvelope({ network: caip2(terms.chainId), authorization, signature: '0x', paymentInfo: info }),
  }
}

function paymentInfoOf(terms: EscrowTerms): PaymentInfo {
  return {
    operator: lowerAddress(terms.operator),
    payer: lowerAddress(terms.payer),
    receiver: lowerAddress(terms.receiver),
    token: lowerAddress(terms.token.verifyingContract),
    maxAmount: terms.amount,
    preApprovalExpiry: terms.preApprovalExpiry,
    authorizationExpiry: terms.authorizationExpiry,
    refundExpiry: terms.refundExpiry,
    minFeeBps: terms.minFeeBps,
    maxFeeBps: terms.maxFeeBps,
    feeReceiver: lowerAddress(terms.operator),
    salt: terms.salt,
  }
}

/**
 * Signs a challenge and answers the value of `X-Payment-Auth`. Throws ProtocolError `malformed` when the
 * document to sign and the envelope disagree, or when the payer is not the signer: a challenge comes from
 * another party and is not signed blindly.
 */
export async function signEscrowAuthorization(
  challenge: Pick<EscrowChallenge, 'typed_data' | 'envelope'>,
  signer: Signer,
): Promise<string> {
  const auth = parsePaymentAuth(challenge.envelope)
  const { domain } = challenge.typed_data
  const token = {
    name: domain.name ?? '',
    version: domain.version ?? '',
    chainId: domain.chainId ?? 0,
    verifyingContract: auth.paymentInfo.token,
  }
  if (!sameAddress(auth.authorization.from, signer.address))
    throw new ProtocolError('malformed', 'the challenge is for another payer')
  if (auth.network !== caip2(token.chainId)) throw new ProtocolError('malformed', 'the challenge names two chains')
  const own = receiveWithAuthorizationTypedData(token, auth.authorization)
  if (fingerprint(own) !== fingerprint(challenge.typed_data)) {
    throw new ProtocolError('malformed', 'the document to sign is not the one of the envelope')
  }
  return serializePaymentAuth({ ...auth, signature: await signer.signTypedData(own) })
}

/** Compares documents by value, whatever the order of members and the case of hex. */
function fingerprint(td: TypedData): string {
  const { from, to, value, validAfter, validBefore, nonce } = td.message
  const { name, version, chainId, verifyingContract, salt } = td.domain
  const parts = [td.primaryType, from, to, value, validAfter, validBefore, nonce, chainId, verifyingContract, salt]
  return JSON.stringify([name, version, td.types[td.primaryType], parts.map((part) => String(part).toLowerCase())])
}
