import { lowerAddress, type Address, type Hex } from './bytes.ts'
import { contractDomainSeparator } from './domain-separator.ts'
import { fixedTypeHash, typedDataDigest, type TypedData, type TypedDataFields } from './eip712.ts'
import { keccak256 } from './keccak.ts'
import { cleared, createWords, putAddress, putBytes32, putUint } from './words.ts'

/** A transfer the holder signs and anybody may submit (EIP-3009). */
export type TransferAuthorization = {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}
/** A token's own EIP-712 domain. */
export type TokenDomain = {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

const fields: TypedDataFields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]
const members = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'
const receive = 'ReceiveWithAuthorization'
const transfer = 'TransferWithAuthorization'

/** What the payer signs so that `to`, and only `to`, may pull the funds. */
export function receiveWithAuthorizationTypedData(domain: TokenDomain, auth: TransferAuthorization): TypedData {
  return authorizationTypedData(receive, domain, auth)
}

/** The digest of {@link receiveWithAuthorizationTypedData}, without building the document. */
export function receiveWithAuthorizationDigest(domain: TokenDomain, auth: TransferAuthorization): Uint8Array {
  return authorizationDigest(receive, domain, auth)
}

/** What the payer signs so that anybody may submit the transfer. */
export function transferWithAuthorizationTypedData(domain: TokenDomain, auth: TransferAuthorization): TypedData {
  return authorizationTypedData(transfer, domain, auth)
}

/** The digest of {@link transferWithAuthorizationTypedData}, without building the document. */
export function transferWithAuthorizationDigest(domain: TokenDomain, auth: TransferAuthorization): Uint8Array {
  return authorizationDigest(transfer, domain, auth)
}

function authorizationTypedData(type: string, domain: TokenDomain, auth: TransferAuthorization): TypedData {
  return {
    domain: {
      name: domain.name,
      version: domain.version,
      chainId: domain.chainId,
      verifyingContract: lowerAddress(domain.verifyingContract),
    },
    types: { [type]: fields },
    primaryType: type,
    message: {
      from: lowerAddress(auth.from),
      to: lowerAddress(auth.to),
      value: auth.value.toString(),
      validAfter: auth.validAfter.toString(),
      validBefore: auth.validBefore.toString(),
      nonce: auth.nonce,
    },
  }
}

const room = createWords(7)

function authorizationDigest(type: string, domain: TokenDomain, auth: TransferAuthorization): Uint8Array {
  const words = cleared(room)
  putBytes32(words, 0, fixedTypeHash(`${type}(${members})`))
  putAddress(words, 1, auth.from)
  putAddress(words, 2, auth.to)
  putUint(words, 3, auth.value, 256)
  putUint(words, 4, auth.validAfter, 256)
  putUint(words, 5, auth.validBefore, 256)
  putBytes32(words, 6, auth.nonce)
  return typedDataDigest(contractDomainSeparator(domain), keccak256(words.bytes))
}
