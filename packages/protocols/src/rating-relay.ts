import { lowerAddress, type Address, type Hex } from './bytes.ts'
import { hashTypedData, type TypedData, type TypedDataFields } from './eip712.ts'

/**
 * Whose ratings: the account of the rater itself, which runs the delegate's code (EIP-7702), so the
 * domain's contract is the rater's own address.
 */
export type RaterDomain = { readonly chainId: number; readonly verifyingContract: Address }
/** A rating to be relayed in the rater's name (version 4 of the delegate). */
export type RelayedGiveFeedback = {
  readonly registry: Address
  readonly agentId: bigint
  readonly value: bigint
  readonly valueDecimals: number
  readonly tag1: string
  readonly tag2: string
  readonly endpoint: string
  readonly feedbackURI: string
  readonly feedbackHash: Hex
  /** Unix seconds. */
  readonly deadline: number
  readonly nonce: Hex
}
/** A revocation of an earlier rating, by its index. */
export type RelayedRevokeFeedback = {
  readonly registry: Address
  readonly agentId: bigint
  readonly feedbackIndex: bigint
  readonly deadline: number
  readonly nonce: Hex
}
/** An answer to a rating. */
export type RelayedAppendResponse = {
  readonly registry: Address
  readonly agentId: bigint
  readonly clientAddress: Address
  readonly feedbackIndex: bigint
  readonly responseURI: string
  readonly responseHash: Hex
  readonly deadline: number
  readonly nonce: Hex
}

/** How far ahead a deadline may lie. */
export const relayMaxAheadSec = 900

const agent: TypedDataFields = [
  { name: 'registry', type: 'address' },
  { name: 'agentId', type: 'uint256' },
]
const closing: TypedDataFields = [
  { name: 'deadline', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]
const giveFields: TypedDataFields = [
  ...agent,
  { name: 'value', type: 'int128' },
  { name: 'valueDecimals', type: 'uint8' },
  { name: 'tag1', type: 'string' },
  { name: 'tag2', type: 'string' },
  { name: 'endpoint', type: 'string' },
  { name: 'feedbackURI', type: 'string' },
  { name: 'feedbackHash', type: 'bytes32' },
  ...closing,
]
const revokeFields: TypedDataFields = [...agent, { name: 'feedbackIndex', type: 'uint64' }, ...closing]
const responseFields: TypedDataFields = [
  ...agent,
  { name: 'clientAddress', type: 'address' },
  { name: 'feedbackIndex', type: 'uint64' },
  { name: 'responseURI', type: 'string' },
  { name: 'responseHash', type: 'bytes32' },
  ...closing,
]

/** The document a rater signs to give a rating. */
export function relayedGiveFeedbackTypedData(domain: RaterDomain, message: RelayedGiveFeedback): TypedData {
  return relayed('RelayedGiveFeedback', giveFields, domain, message)
}

/** The digest of {@link relayedGiveFeedbackTypedData}. */
export function relayedGiveFeedbackDigest(domain: RaterDomain, message: RelayedGiveFeedback): Uint8Array {
  return hashTypedData(relayedGiveFeedbackTypedData(domain, message))
}

/** The document a rater signs to revoke a rating. */
export function relayedRevokeFeedbackTypedData(domain: RaterDomain, message: RelayedRevokeFeedback): TypedData {
  return relayed('RelayedRevokeFeedback', revokeFields, domain, message)
}

/** The digest of {@link relayedRevokeFeedbackTypedData}. */
export function relayedRevokeFeedbackDigest(domain: RaterDomain, message: RelayedRevokeFeedback): Uint8Array {
  return hashTypedData(relayedRevokeFeedbackTypedData(domain, message))
}

/** The document a party signs to answer a rating. */
export function relayedAppendResponseTypedData(domain: RaterDomain, message: RelayedAppendResponse): TypedData {
  return relayed('RelayedAppendResponse', responseFields, domain, message)
}

/** The digest of {@link relayedAppendResponseTypedData}. */
export function relayedAppendResponseDigest(domain: RaterDomain, message: RelayedAppendResponse): Uint8Array {
  return hashTypedData(relayedAppendResponseTypedData(domain, message))
}

type RelayedMessage = RelayedGiveFeedback | RelayedRevokeFeedback | RelayedAppendResponse

function relayed(type: string, fields: TypedDataFields, domain: RaterDomain, message: RelayedMessage): TypedData {
  const { chainId, verifyingContract } = domain
  const entries = Object.entries<string | number | bigint>(message)
  return {
    domain: { name: 'FeedbackDelegate', version: '1', chainId, verifyingContract: lowerAddress(verifyingContract) },
    types: { [type]: fields },
    primaryType: type,
    message: Object.fromEntries(
      entries.map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
    ),
  }
}

/** The code of an account that has delegated to `address` (EIP-7702). */
export function delegationCode(address: Address): Hex {
  return `0xef0100${lowerAddress(address).slice(2)}`
}

/** The address an account has delegated to, or undefined when its code is no delegation. */
export function delegateOf(code: Hex): Address | undefined {
  return /^0xef0100[0-9a-f]{40}$/i.test(code) ? lowerAddress(`0x${code.slice(8)}`) : undefined
}
