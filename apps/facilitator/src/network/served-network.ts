import type { Address, Network, TokenDomain } from '@ergon/protocols'
import type { Chain } from '../chain/chain.ts'
import type { Pipeline } from '../chain/pipeline.ts'
import type { GasAccount } from '../gas/gas-account.ts'
import type { RpcClient } from '../chain/rpc-client.ts'
import { Unavailable } from '../errors.ts'
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

/** A network whose chain and contracts are not proven yet, because no node of it has answered. */
export type SilentNetwork = { readonly row: Network; readonly rpc: RpcClient }

export type Networks = {
  /** Those that are proven. */
  readonly all: readonly ServedNetwork[]
  /** Those that this process was set to serve and that are not proven yet. */
  readonly silent: readonly SilentNetwork[]
  /** By short name or CAIP-2. @throws Unavailable while it is not proven */
  find(name: string): ServedNetwork | undefined
}

/** `add`: one that was silent is proven now. */
export function createNetworks(
  connected: readonly ServedNetwork[],
  silentAtFirst: readonly SilentNetwork[] = [],
): Networks & { add(network: ServedNetwork): void } {
  const isNamed = (name: string, { name: short, caip2 }: { readonly name: string; readonly caip2: string }): boolean =>
    name === short || name === caip2
  // Fields that change: with a getter, each such object would have a shape of its own that outlives it (decision 0337).
  const networks = {
    all: connected,
    silent: silentAtFirst,
    find(name: string) {
      const waiting = networks.silent.find(({ row }) => isNamed(name, row))
      // Another process may have sent what is asked for, so nothing is denied.
      if (waiting !== undefined)
        throw new Unavailable('rpc_unavailable', `no node of ${waiting.row.name} has answered since this service began`)
      return networks.all.find((network) => isNamed(name, network))
    },
    add(network: ServedNetwork) {
      networks.all = [...networks.all, network]
      networks.silent = networks.silent.filter(({ row }) => row.name !== network.name)
    },
  }
  return networks
}
