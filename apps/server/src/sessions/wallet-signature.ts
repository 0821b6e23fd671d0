import { accountProof, type AccountProof } from '@ergon/core'
import { tooManyContracts } from '../dispatch/limits.ts'
import { bytesToHex, hashMessage, hexToBytes, recoverAddress, type Address, type Hex } from '@ergon/protocols'
import type { ContractWallets } from '../dispatch/authenticate.ts'
import type { MayAskContract } from '../dispatch/contract-lanes.ts'

export type WalletSignatureDeps = {
  readonly contracts: ContractWallets
  /** Counts a contract call of an address; false when its budget is spent. */
  readonly mayAskContract: MayAskContract
}

export type SignedText = {
  readonly account: { readonly address: Address; readonly chainId: number }
  readonly message: string
  readonly signature: Hex
}

/**
 * How the account signed the text: by its key, or as the contract it is; null when it did not.
 * @throws RATE_LIMITED, identity_check_unavailable
 */
export async function proofOf(
  { contracts, mayAskContract }: WalletSignatureDeps,
  { account: { address, chainId }, message, signature }: SignedText,
  ip: string,
): Promise<AccountProof | null> {
  const hash = hashMessage(message)
  if (recoverAddress(hash, hexToBytes(signature)) === address) return accountProof(true, chainId)
  if (!mayAskContract(ip, { chainId, address })) throw tooManyContracts()
  const isSigned = await contracts.isValidSignature({ chainId, address, hash: bytesToHex(hash), signature })
  return isSigned ? accountProof(false, chainId) : null
}
