import type { Address, Hex } from './bytes.ts'
import { chainDomainSeparator } from './domain-separator.ts'
import { fixedTypeHash, hashString, typedDataDigest, type TypedData } from './eip712.ts'
import { keccak256 } from './keccak.ts'
import { createWords, putAddress, putBytes32, putUint } from './words.ts'

/** A payer's approval of exactly one submission, for a principal that did not sign the request (spec §5.8). */
export type ReleaseApproval = {
  readonly submissionId: string
  readonly taskId: string
  readonly amount: bigint
  readonly token: Address
  readonly payer: Address
  /** Unix seconds. */
  readonly deadline: number
  readonly nonce: Hex
}

/** How far ahead a deadline may lie. */
export const releaseApprovalMaxAheadSec = 900

const name = 'Task Marketplace'
const version = '1'
const fields = [
  { name: 'submissionId', type: 'string' },
  { name: 'taskId', type: 'string' },
  { name: 'amount', type: 'uint256' },
  { name: 'token', type: 'address' },
  { name: 'payer', type: 'address' },
  { name: 'deadline', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]
const approvalType = `ReleaseApproval(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`

/** The document the payer signs. */
export function releaseApprovalTypedData(approval: ReleaseApproval, chainId: number): TypedData {
  return {
    domain: { name, version, chainId },
    types: { ReleaseApproval: fields },
    primaryType: 'ReleaseApproval',
    message: { ...approval, amount: approval.amount.toString(), deadline: approval.deadline.toString() },
  }
}

/** The digest of {@link releaseApprovalTypedData}, without building the document. */
export function releaseApprovalDigest(approval: ReleaseApproval, chainId: number): Uint8Array {
  const words = createWords(8)
  putBytes32(words, 0, fixedTypeHash(approvalType))
  putBytes32(words, 1, hashString(approval.submissionId))
  putBytes32(words, 2, hashString(approval.taskId))
  putUint(words, 3, approval.amount, 256)
  putAddress(words, 4, approval.token)
  putAddress(words, 5, approval.payer)
  putUint(words, 6, approval.deadline, 256)
  putBytes32(words, 7, approval.nonce)
  return typedDataDigest(chainDomainSeparator(name, version, chainId), keccak256(words.bytes))
}
