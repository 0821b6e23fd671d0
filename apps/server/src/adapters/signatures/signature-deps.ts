import { recoverAddress, sameAddress, type Hex } from '@ergon/protocols'
import type { ContractSignature, ContractsWord } from '../contract-wallets.ts'
import type { Treasuries } from '../chain/treasuries.ts'
import type { ServedNetworks } from '../networks.ts'

export type SignatureDeps = {
  readonly networks: ServedNetworks
  readonly treasuries: Treasuries
  /** 32 bytes nobody can foresee: salts and nonces of challenges. */
  readonly random32: () => Hex
  /** Throws CHAIN_UNAVAILABLE or RATE_LIMITED. */
  readonly askContract: (call: ContractSignature) => Promise<ContractsWord>
}

/**
 * Who accepts a signature accepts a contract's (ERC-1271): it is asked when no key of that address signed.
 * @throws CHAIN_UNAVAILABLE or RATE_LIMITED
 */
export async function isSignedBy(
  { askContract }: Pick<SignatureDeps, 'askContract'>,
  call: ContractSignature,
): Promise<boolean> {
  const recovered = call.signature.length === 65 ? recoverAddress(call.hash, call.signature) : undefined
  return (recovered !== undefined && sameAddress(recovered, call.address)) || (await askContract(call)) === 'signed'
}
