import type { Address, Network, TokenDomain } from '@ergon/protocols'
import type { Chain } from '../chain/chain.ts'
import type { Pipeline } from '../chain/pipeline.ts'
import type { GasAccount } from '../gas/gas-account.ts'
import type { RpcClient } from '../chain/rpc-client.ts'
import type { Simulator } from '../chain/simulator.ts'
import type { StateCache } from '../chain/state-cache.ts'
import type { Tracker } from '../chain/tracker.ts'

export type ServedToken = {
  readonly symbol: string
  readonly decimals: number
  /** Atomic units: what is less is no payment. */
  readonly smallest: bigint
  readonly domain: TokenDomain
}

/** The escrow of a network; all addresses lowercase, as everything inside this service. */
export type ServedEscrow = {
  readonly escrow: Address
  readonly collector: Address
  readonly operator: Address
  readonly operatorAbi: 'legacy' | 'create3'
  /** FEE_RECIPIENT of the operator: the treasury, and the owner as far as lifecycle orders go (facts §3.1). */
  readonly owner: Address
}

export type ServedRegistries = {
  readonly identity: Address
  readonly reputation: Address
  readonly ratingDelegate: Address | undefined
  readonly takesRatings: boolean
}

/** A network this process settles on. */
export type ServedNetwork = {
  readonly name: string
  readonly caip2: string
  readonly chainId: number
  readonly row: Network
  readonly tokens: ReadonlyMap<Address, ServedToken>
  readonly escrow: ServedEscrow | undefined
  readonly registries: ServedRegistries | undefined
  /** Lowercase: what a wrapped signature may have called to put its wallet up (ERC-6492). */
  readonly walletFactories: ReadonlySet<Address>
  readonly rpc: RpcClient
  readonly chain: Chain
  readonly states: StateCache
  readonly simulator: Simulator
  readonly gasAccount: GasAccount
  readonly pipeline: Pipeline
  readonly tracker: Tracker
}

export type Networks = {
  readonly all: readonly ServedNetwork[]
  /** By short name or CAIP-2. */
  find(name: string): ServedNetwork | undefined
}

export function createNetworks(all: readonly ServedNetwork[]): Networks {
  const byName = new Map(
    all.flatMap(
      (network) =>
        [
          [network.name, network],
          [network.caip2, network],
        ] as const,
    ),
  )
  return { all, find: (name) => byName.get(name) }
}
