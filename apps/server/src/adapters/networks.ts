import { MarketError } from '@ergon/core'
import type { Erc8004Deployment, EscrowDeployment, Network, Token } from '@ergon/protocols'
import { createChainReader, type ChainReader } from './chain/chain-reader.ts'
import { createRpc, type Rpc, type RpcOptions } from './chain/rpc.ts'
import type { AdapterSettings, NetworkSettings } from './settings.ts'

/** A network of the table with the connection to its node. */
export type ServedNetwork = {
  readonly row: Network
  readonly chainId: number
  readonly rpc: Rpc
  readonly chain: ChainReader
  /** The transactions in which something under this key of a payment was booked. */
  readonly booked?: ((key: string) => Promise<readonly string[]>) | undefined
}

export type ServedNetworks = Disposable & {
  readonly all: readonly ServedNetwork[]
  /** Throws NETWORK_NOT_ACCEPTED. */
  named(name: string): ServedNetwork
  withChainId(chainId: number): ServedNetwork | undefined
}

export function createServedNetworks(
  settings: readonly NetworkSettings[],
  onTrouble?: RpcOptions['onTrouble'],
  booked?: AdapterSettings['booked'],
): ServedNetworks {
  // A network without a chain id is no EVM chain; its rail is another adapter's.
  const all = settings.flatMap(({ network: row, rpcUrls }): ServedNetwork[] => {
    if (row.chainId === undefined) return []
    const { chainId } = row
    const rpc = createRpc({ urls: rpcUrls, chainId, onTrouble })
    const ofNetwork = booked === undefined ? undefined : (key: string) => booked(row.name, key)
    return [{ row, chainId, rpc, chain: createChainReader(rpc, row), booked: ofNetwork }]
  })
  return {
    all,
    named(name) {
      const found = all.find(({ row }) => row.name === name)
      if (found === undefined)
        throw new MarketError('NETWORK_NOT_ACCEPTED', { network: name, accepted: all.map(({ row }) => row.name) })
      return found
    },
    withChainId: (chainId) => all.find((one) => one.chainId === chainId),
    [Symbol.dispose]() {
      for (const { rpc } of all) rpc[Symbol.dispose]()
    },
  }
}

/** Throws NETWORK_NO_ESCROW. */
export function escrowOf(network: ServedNetwork): EscrowDeployment {
  const { escrow } = network.row
  if (escrow === undefined) throw new MarketError('NETWORK_NO_ESCROW', { network: network.row.name })
  return escrow
}

/** Throws INVALID_REPUTATION_NETWORK. */
export function registriesOf(network: ServedNetwork): Erc8004Deployment {
  const { erc8004 } = network.row
  if (erc8004 === undefined) throw new MarketError('INVALID_REPUTATION_NETWORK', { network: network.row.name })
  return erc8004
}

/** Throws TOKEN_NOT_ACCEPTED. */
export function tokenOf(network: ServedNetwork, symbol: string): Token {
  const token = network.row.tokens[symbol]
  if (token === undefined)
    throw new MarketError('TOKEN_NOT_ACCEPTED', {
      network: network.row.name,
      token: symbol,
      accepted: Object.keys(network.row.tokens),
    })
  return token
}
