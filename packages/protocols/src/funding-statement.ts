import type { Address, Hex } from './bytes.ts'
import { hexToBytes, sameAddress } from './bytes.ts'
import { hashTypedData, type TypedData } from './eip712.ts'
import { recoverAddress } from './secp256k1.ts'

/** What a service says about the money of one task, at one moment, in its own name (decision 0173). */
export type FundingStatement = {
  readonly taskId: string
  /** What is said about the money; `held` is the one that pays. */
  readonly state: string
  readonly escrow: Address
  readonly paymentHash: Hex
  readonly payer: Address
  readonly receiver: Address
  readonly token: Address
  /** Atomic units that a release could move now. */
  readonly capturable: bigint
  /** Unix seconds: until when it can. */
  readonly authorizationExpiry: number
  /** Unix seconds: when the chain was asked. */
  readonly asOf: number
}

const fields = [
  { name: 'taskId', type: 'string' },
  { name: 'state', type: 'string' },
  { name: 'escrow', type: 'address' },
  { name: 'paymentHash', type: 'bytes32' },
  { name: 'payer', type: 'address' },
  { name: 'receiver', type: 'address' },
  { name: 'token', type: 'address' },
  { name: 'capturable', type: 'uint256' },
  { name: 'authorizationExpiry', type: 'uint256' },
  { name: 'asOf', type: 'uint256' },
]

/** The document the service signs. */
export function fundingStatementTypedData(statement: FundingStatement, chainId: number): TypedData {
  return {
    domain: { name: 'Task Marketplace', version: '1', chainId },
    types: { FundingStatement: fields },
    primaryType: 'FundingStatement',
    message: {
      ...statement,
      capturable: statement.capturable.toString(),
      authorizationExpiry: statement.authorizationExpiry.toString(),
      asOf: statement.asOf.toString(),
    },
  }
}

/** Whether one of these keys signed the statement. */
export function isFundingStatementSigned(
  statement: FundingStatement,
  chainId: number,
  signature: Hex,
  keys: readonly string[],
): boolean {
  const signer = recoverAddress(hashTypedData(fundingStatementTypedData(statement, chainId)), hexToBytes(signature))
  return signer !== undefined && keys.some((key) => sameAddress(key, signer))
}
