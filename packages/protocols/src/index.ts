// Bytes, hashes and the curve.
export * from './protocol-error.ts'
export { bytesToHex, concatBytes, hexToBytes, isAddress, isHex32, lowerAddress, sameAddress, utf8, zeroAddress } from './bytes.ts'
export type { Address, Hex } from './bytes.ts'
export { toChecksumAddress } from './checksum.ts'
export { keccak256, keccak256Hex, loadFastKeccak } from './keccak.ts'
export { addressOf, hashMessage, recoverAddress, secp256k1Backend, signDigest } from './secp256k1.ts'

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
export { authorizationNonce, paymentInfoFromWire, paymentInfoHash, paymentInfoToWire } from './payment-info.ts'
export type { PaymentInfo, PaymentInfoWire } from './payment-info.ts'

// Chains and contracts.
export * from './abis.ts'
export * from './caip.ts'
export type * from './network.ts'
export * from './networks.ts'
