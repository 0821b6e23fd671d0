import type { MarketNetwork } from '@ergon/core'
import { networkByName, type Network } from '@ergon/protocols'

/**
 * The local chain's row without its registries: nobody is registered or rated on chain here. At most two blocks are
 * given up at once.
 */
export const localnet: Network = withoutRegistries(networkByName('localnet'))

function withoutRegistries(row: Network | undefined): Network {
  if (row === undefined) throw new Error('the network table has no local chain')
  const { erc8004: _, ...rest } = row
  return { ...rest, confirmations: 2 }
}

/** The same for the domain. */
export const marketNetwork: MarketNetwork = {
  name: localnet.name,
  caip2: localnet.caip2,
  chainId: localnet.chainId ?? null,
  hasEscrow: true,
  takesRatings: false,
  tokens: Object.fromEntries(
    Object.entries(localnet.tokens).map(([symbol, { address, decimals }]) => [symbol, { address, decimals }]),
  ),
}
