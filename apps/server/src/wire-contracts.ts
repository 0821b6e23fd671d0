import { hexToBytes, lowerAddress } from '@ergon/protocols'
import type { Adapters } from './adapters/index.ts'
import type { ContractWallets } from './dispatch/authenticate.ts'

/** The verifier speaks hex; the adapter speaks bytes. */
export function contractWallets(adapters: Pick<Adapters, 'contracts'>): ContractWallets {
  return {
    isValidSignature: ({ chainId, address, hash, signature }) =>
      // The verifier makes both from bytes, so they begin with 0x.
      adapters.contracts.isValidSignature({
        chainId,
        address: lowerAddress(address),
        hash: hexToBytes(hash as `0x${string}`),
        signature: hexToBytes(signature as `0x${string}`),
      }),
  }
}
