import { MarketError } from '@ergon/core'
import { feeRecipientCalldata, lowerAddress, zeroAddress, type Address } from '@ergon/protocols'
import { escrowOf, type ServedNetwork } from '../networks.ts'

/** Reads `FEE_RECIPIENT()` of the operator contract once a network: it is fixed when the operator is deployed. */
export type Treasuries = { of(network: ServedNetwork): Promise<Address> }

export function createTreasuries(): Treasuries {
  const known = new Map<string, Address>()
  return {
    async of(network) {
      const cached = known.get(network.row.name)
      if (cached !== undefined) return cached
      const word = await network.chain.call(escrowOf(network).operator, feeRecipientCalldata())
      if (!/^0x0{24}[0-9a-f]{40}$/i.test(word))
        throw new MarketError('CHAIN_UNAVAILABLE', { network: network.row.name })
      const treasury = lowerAddress(`0x${word.slice(26)}`)
      if (treasury === zeroAddress) throw new MarketError('CHAIN_UNAVAILABLE', { network: network.row.name })
      known.set(network.row.name, treasury)
      return treasury
    },
  }
}
