import { hexToBytes, isAddress, sameAddress, zeroAddress, type Address, type Hex } from './bytes.ts'
import { caip2, parseCaip2 } from './caip.ts'
import { receiveWithAuthorizationDigest, type TokenDomain, type TransferAuthorization } from './eip3009.ts'
import { authorizationNonce, paymentInfoFromWire, paymentInfoToWire, type PaymentInfo } from './payment-info.ts'
import { recoverAddress } from './secp256k1.ts'
import {
  readAddress,
  readDecimal,
  readHex,
  readHex32,
  readJson,
  readRecord,
  readText,
  refuse,
  type WireRecord,
} from './wire-reader.ts'

/** A payer's signed permission to hold a payment in escrow, as `X-Payment-Auth` carries it. */
export type PaymentAuth = {
  /** CAIP-2. */
  readonly network: string
  readonly authorization: TransferAuthorization
  readonly signature: Hex
  readonly paymentInfo: PaymentInfo
  /** What the sender put in `paymentRequirements.extra`; the server fills in its own. */
  readonly extra?: WireRecord
}
/** What a payment must be, from the server's own rows. */
export type ExpectedPayment = {
  readonly chainId: number
  readonly escrow: Address
  readonly collector: Address
  readonly operator: Address
  readonly token: TokenDomain
  readonly payer: Address
  readonly receiver: Address
  readonly amount: bigint
  readonly feeBps: number
  /** Unix seconds. */
  readonly now: number
}
/** Why a payment is not the expected one. */
export type PaymentAuthFault = {
  readonly code:
    | 'network'
    | 'operator'
    | 'token'
    | 'collector'
    | 'payer'
    | 'receiver'
    | 'amount'
    | 'fee_bounds'
    | 'expiries'
    | 'expired'
    | 'nonce'
    | 'signature'
  readonly reason: string
}

/** Longest accepted text; contract-wallet signatures are long, bodies are not. */
const maxChars = 32_768
const maxSignatureBytes = 8_192

/**
 * Reads a payment authorization from its raw JSON, or from the object it parses to. Checks shape, sizes and
 * widths only. Throws ProtocolError `malformed`.
 */
export function parsePaymentAuth(json: unknown): PaymentAuth {
  const root = readRecord(readJson(json, 'payment_auth', maxChars), 'payment_auth')
  if (root['x402Version'] !== 2) refuse('payment_auth.x402Version', '2')
  if (root['scheme'] !== 'escrow') refuse('payment_auth.scheme', 'escrow')
  const payload = readRecord(root['payload'], 'payload', ['authorization', 'signature', 'paymentInfo'])
  const authorization = readTransferAuthorization(payload['authorization'], 'authorization')
  const requirements = readRecord(root['paymentRequirements'], 'paymentRequirements')
  if (requirements['scheme'] !== 'escrow') refuse('paymentRequirements.scheme', 'escrow')
  const network = readText(requirements['network'], 'paymentRequirements.network', 64)
  parseCaip2(network)
  const extra = requirements['extra']
  return {
    network,
    authorization,
    signature: readHex(payload['signature'], 'payload.signature', maxSignatureBytes),
    paymentInfo: paymentInfoFromWire(payload['paymentInfo'], authorization.from),
    ...(extra === undefined ? {} : { extra: readRecord(extra, 'paymentRequirements.extra') }),
  }
}

/** Reads the six members of an EIP-3009 authorization; integers are decimal texts. Throws ProtocolError `malformed`. */
export function readTransferAuthorization(value: unknown, path: string): TransferAuthorization {
  const record = readRecord(value, path, ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'])
  return {
    from: readAddress(record['from'], `${path}.from`),
    to: readAddress(record['to'], `${path}.to`),
    value: readDecimal(record['value'], `${path}.value`),
    validAfter: readDecimal(record['validAfter'], `${path}.validAfter`),
    validBefore: readDecimal(record['validBefore'], `${path}.validBefore`),
    nonce: readHex32(record['nonce'], `${path}.nonce`),
  }
}

/** The raw JSON of `X-Payment-Auth`. */
export function serializePaymentAuth(auth: PaymentAuth): string {
  return JSON.stringify(paymentAuthEnvelope(auth))
}

/** The envelope as an object; `serializePaymentAuth` writes it out. */
export function paymentAuthEnvelope(auth: PaymentAuth): object {
  return {
    x402Version: 2,
    scheme: 'escrow',
    payload: {
      authorization: transferAuthorizationToWire(auth.authorization),
      signature: auth.signature,
      paymentInfo: paymentInfoToWire(auth.paymentInfo),
    },
    paymentRequirements: {
      scheme: 'escrow',
      network: auth.network,
      ...(auth.extra === undefined ? {} : { extra: auth.extra }),
    },
  }
}

/** An EIP-3009 authorization on the wire. */
export type TransferAuthorizationWire = Readonly<Record<keyof TransferAuthorization, string>>

/** The wire form of an EIP-3009 authorization. */
export function transferAuthorizationToWire(auth: TransferAuthorization): TransferAuthorizationWire {
  return {
    from: auth.from,
    to: auth.to,
    value: auth.value.toString(),
    validAfter: auth.validAfter.toString(),
    validBefore: auth.validBefore.toString(),
    nonce: auth.nonce,
  }
}

/**
 * Compares a payment with what it must be, recomputes its nonce and recovers its signer; undefined when all
 * agree. Pure: no balance is read. A signature that is not 65 bytes answers `signature` with the reason
 * `contract_wallet`; everything else has then been checked and the caller may ask the wallet (ERC-1271).
 */
export function checkPaymentAuth(auth: PaymentAuth, expected: ExpectedPayment): PaymentAuthFault | undefined {
  return checkParties(auth, expected) ?? checkTerms(auth, expected) ?? checkSignature(auth, expected)
}

function checkParties(auth: PaymentAuth, expected: ExpectedPayment): PaymentAuthFault | undefined {
  const { authorization, paymentInfo } = auth
  if (auth.network !== caip2(expected.chainId) || expected.token.chainId !== expected.chainId) {
    return { code: 'network', reason: `signed for ${auth.network}, expected ${caip2(expected.chainId)}` }
  }
  if (!sameAddress(paymentInfo.operator, expected.operator))
    return { code: 'operator', reason: 'operator is not the one of this network' }
  if (!sameAddress(paymentInfo.token, expected.token.verifyingContract))
    return { code: 'token', reason: 'token is not the expected one' }
  if (!sameAddress(authorization.to, expected.collector))
    return { code: 'collector', reason: 'authorization.to is not the token collector' }
  if (!sameAddress(authorization.from, expected.payer) || !sameAddress(paymentInfo.payer, expected.payer)) {
    return { code: 'payer', reason: 'the payer is not the expected wallet' }
  }
  const { receiver } = paymentInfo
  if (!sameAddress(receiver, expected.receiver))
    return { code: 'receiver', reason: 'the receiver is not the expected wallet' }
  const forbidden = [expected.payer, expected.operator, zeroAddress].some((address) => sameAddress(address, receiver))
  return forbidden ? { code: 'receiver', reason: 'the receiver must be neither payer, operator nor zero' } : undefined
}

function checkTerms(auth: PaymentAuth, expected: ExpectedPayment): PaymentAuthFault | undefined {
  const { authorization, paymentInfo: info } = auth
  if (info.maxAmount !== expected.amount || authorization.value !== expected.amount || expected.amount <= 0n) {
    return { code: 'amount', reason: `the amount must be exactly ${expected.amount}` }
  }
  if (info.minFeeBps > expected.feeBps || info.maxFeeBps < expected.feeBps || info.maxFeeBps > 10_000) {
    return { code: 'fee_bounds', reason: `the fee bounds must admit ${expected.feeBps} basis points` }
  }
  // The operator collects the fee itself and refuses terms that name anybody else.
  if (!sameAddress(info.feeReceiver, expected.operator))
    return { code: 'fee_bounds', reason: 'the fee receiver must be the operator' }
  const ordered = info.preApprovalExpiry <= info.authorizationExpiry && info.authorizationExpiry <= info.refundExpiry
  if (!ordered) return { code: 'expiries', reason: 'expiries must not decrease from pre-approval to refund' }
  if (authorization.validAfter !== 0n || authorization.validBefore !== BigInt(info.preApprovalExpiry)) {
    return { code: 'expiries', reason: 'validAfter must be 0 and validBefore the pre-approval expiry' }
  }
  return info.preApprovalExpiry > expected.now ? undefined : { code: 'expired', reason: 'the pre-approval has expired' }
}

function checkSignature(auth: PaymentAuth, expected: ExpectedPayment): PaymentAuthFault | undefined {
  if (
    authorizationNonce(auth.paymentInfo, expected.chainId, expected.escrow) !== auth.authorization.nonce.toLowerCase()
  ) {
    return { code: 'nonce', reason: 'the nonce is not the hash of the payment terms' }
  }
  const signature = hexToBytes(auth.signature)
  if (signature.length !== 65) return { code: 'signature', reason: 'contract_wallet' }
  const signer = recoverAddress(receiveWithAuthorizationDigest(expected.token, auth.authorization), signature)
  const signed = isAddress(signer) && sameAddress(signer, expected.payer)
  return signed ? undefined : { code: 'signature', reason: 'the authorization was not signed by the payer' }
}
