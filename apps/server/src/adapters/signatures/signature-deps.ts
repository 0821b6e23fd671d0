import type { Hex } from '@ergon/protocols'
import type { ContractSignature } from '../contract-wallets.ts'
import type { Treasuries } from '../chain/treasuries.ts'
import type { ServedNetworks } from '../networks.ts'

export type SignatureDeps = {
  readonly networks: ServedNetworks
  readonly treasuries: Treasuries
  /** 32 bytes nobody can foresee: salts and nonces of challenges. */
  readonly random32: () => Hex
  /** Throws CHAIN_UNAVAILABLE or RATE_LIMITED. */
  readonly signedByContract: (call: ContractSignature) => Promise<boolean>
}
