// Bytes, hashes and the curve.
export * from './protocol-error.ts'
export {
  bytesToHex,
  concatBytes,
  hexToBytes,
  isAddress,
  isHex32,
  lowerAddress,
  sameAddress,
  utf8,
  zeroAddress,
} from './bytes.ts'
export type { Address, Hex } from './bytes.ts'
export { toChecksumAddress } from './checksum.ts'
export { keccak256, keccak256Hex, loadFastKeccak } from './keccak.ts'
export { isGuessable, isPublishedKey, secretLength } from './published-keys.ts'
export { addressOf, hashMessage, recoverAddress, secp256k1Backend, signDigest } from './secp256k1.ts'

export { fromBase58, toBase58 } from './base58.ts'
export { base64ToBytes, base64urlToBytes, bytesToBase64, bytesToBase64url } from './base64.ts'
export { ed25519KeyOf, isOnEd25519Curve, isSignedByEd25519, signEd25519 } from './ed25519.ts'
export { sha256 } from '#sha256'

// Typed data and signers.
export { hashTypedData } from './eip712.ts'
export type { TypedData, TypedDataDomain, TypedDataFields } from './eip712.ts'
export * from './signer.ts'

// Payments.
export {
  receiveWithAuthorizationDigest,
  receiveWithAuthorizationTypedData,
  transferWithAuthorizationDigest,
  transferWithAuthorizationTypedData,
} from './eip3009.ts'
export type { TokenDomain, TransferAuthorization } from './eip3009.ts'
export {
  authorizationNonce,
  paymentInfoFromWire,
  paymentInfoHash,
  paymentInfoToWire,
  paymentInfoType,
} from './payment-info.ts'
export type { PaymentInfo, PaymentInfoWire } from './payment-info.ts'
export * from './wrapped-signature.ts'

// Chains and contracts.
export * from './abis.ts'
export { agentMintAbi, agentMintCode } from './agent-mint.ts'
export * from './caip.ts'
export * from './chain/calls.ts'
export * from './chain/hex-words.ts'
export * from './chain/proof-events.ts'
export type * from './network.ts'
export * from './network-rows.ts'
export * from './networks.ts'
export { solanaRow, type SolanaCluster } from './solana-row.ts'
export { addressKey } from './address-key.ts'
export { addressNetworks } from './address-networks.ts'
export { isLoopback } from './loopback.ts'

// Wallet-signed requests.
export { verifyRequestCodes, verifyRequestReasons } from './http-signature/codes.ts'
export type { VerifyRequestCode } from './http-signature/codes.ts'
export { contentDigest } from './http-signature/content-digest.ts'
export { formatKeyid, parseKeyid } from './http-signature/keyid.ts'
export type { KeyAccount } from './http-signature/keyid.ts'
export type { SigningPolicyRules } from './http-signature/candidate.ts'
export type { VerifyRequestMessage } from './http-signature/message.ts'
export { normalizeAuthority } from './http-signature/message.ts'
export * from './http-signature/auth-frame.ts'
export * from './http-signature/sign-request.ts'
export * from './http-signature/signing-policy.ts'
export * from './http-signature/verify-request.ts'

// Escrow, approvals and ratings.
export * from './escrow-challenge.ts'
export {
  lifecycleMaxAheadSec,
  lifecycleOrderDigest,
  lifecycleOrderTypedData,
  parseLifecycleAuth,
} from './lifecycle-order.ts'
export type { LifecycleAuthWire, LifecycleOrder } from './lifecycle-order.ts'
export * from './payment-auth.ts'
export * from './rating-relay.ts'
export * from './release-approval.ts'
export * from './funding-statement.ts'
export * from './settlement-offer.ts'
export * from './rated-payment.ts'
export * from './standing-order.ts'

// Identity, sign-in and x402.
export * from './erc8004.ts'
export * from './sign-in.ts'
export { readAddress, readCount, readDecimal, readHex, readHex32, readRecord, readText } from './wire-reader.ts'
export type { WireRecord } from './wire-reader.ts'
export * from './x402/convert.ts'
export * from './x402/envelope.ts'
export * from './x402/escrow-request.ts'
export * from './x402/headers.ts'
export * from './x402/parse.ts'
