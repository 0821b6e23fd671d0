import { lowerAddress } from './bytes.ts'
import { networkTable } from './network-table.ts'
import type { Network, NetworkName, Token } from './network.ts'

/** Every network, keyed by name. */
export const networks: Readonly<Record<NetworkName, Network>> = networkTable

/** The row of a short name, or undefined. */
export function networkByName(name: string): Network | undefined {
  return Object.hasOwn(networkTable, name) ? rows.find((row) => row.name === name) : undefined
}

/** The row of a CAIP-2 id, or undefined. `solana:mainnet` is accepted as an alias. */
export function networkByCaip2(id: string): Network | undefined {
  const wanted = id === 'solana:mainnet' ? networkTable.solana.caip2 : id
  return rows.find((row) => row.caip2 === wanted)
}

/** The row of an EVM chain id, or undefined. */
export function networkByChainId(id: number): Network | undefined {
  return rows.find((row) => row.chainId === id)
}

/** Blocks that a network's row does not name (`Network.confirmations`). */
export const usualConfirmations = 12

/** How many blocks have to follow a refusal by the chain before it is the last word. */
export function confirmationsOf({ confirmations }: Network): number {
  return confirmations ?? usualConfirmations
}

/** The token at an address of a network, or undefined. */
export function tokenByAddress(network: Network, address: string): Token | undefined {
  const wanted = network.rail === 'escrow' ? lowerAddress(address) : address
  return Object.values(network.tokens).find((token) =>
    network.rail === 'escrow' ? lowerAddress(token.address) === wanted : token.address === wanted,
  )
}

const rows: readonly Network[] = Object.values(networkTable)
