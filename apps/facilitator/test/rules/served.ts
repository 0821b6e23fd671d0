import type { Address } from '@ergon/protocols'
import {
  createNetworks,
  type Networks,
  type ServedEscrow,
  type ServedNetwork,
} from '../../src/network/served-network.ts'
import { account, addresses, caip2, tokenDomain, treasury } from '../../src/testing/payments.ts'

/** A network as it is served, whose node says what a test lets it say. */
export const now = 1_800_000_000

export const escrow: ServedEscrow = { ...addresses, operatorAbi: 'create3', owner: treasury.address }
const token = { symbol: 'USDC', decimals: 6, smallest: 1_000n, domain: tokenDomain }
/** The contract of another token that is served. */
export const otherToken = account(9).address

export function served(change: object = {}): ServedNetwork {
  // What a rule does not ask for is not there.
  return {
    name: 'localnet',
    caip2,
    chainId: 31_337,
    tokens: new Map<Address, typeof token>([
      [addresses.token, token],
      [otherToken, token],
    ]),
    escrow,
    walletFactories: new Set<Address>(),
    ...change,
  } as unknown as ServedNetwork
}

export const networksOf = (...networks: readonly ServedNetwork[]): Networks => createNetworks(networks)
