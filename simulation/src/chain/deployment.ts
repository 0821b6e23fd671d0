import { localAddresses, localChainId, localRoles } from '@ergon/contracts'
import { hexToBytes, keccak256, lowerAddress, bytesToHex, type Address, type TokenDomain } from '@ergon/protocols'

/** The contracts of the local chain at their own addresses, so that one row of the network table serves both chains. */
export const deployment = {
  chainId: localChainId,
  token: lowerAddress(localAddresses.TestUSD),
  escrow: lowerAddress(localAddresses.Escrow),
  collector: lowerAddress(localAddresses.Eip3009Collector),
  operator: lowerAddress(localAddresses.Operator),
  owner: lowerAddress(localRoles.deployer.address),
  treasury: lowerAddress(localRoles.treasury.address),
  facilitator: lowerAddress(localRoles.facilitator.address),
  feeBps: 1_300n,
  maxDeposit: 100_000_000n,
} as const

export const tokenDomain: TokenDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: localChainId,
  verifyingContract: deployment.token,
}

/** Every address with code; the registries are there and answer nothing. */
export const codeAt: ReadonlySet<string> = new Set(
  Object.values(localAddresses).map((address) => address.toLowerCase()),
)

function hash(hex: string): string {
  return bytesToHex(keccak256(hexToBytes(`0x${hex}`))).slice(2)
}

/** Created by the escrow's constructor: its first transaction as a contract (EIP-161: nonces start at one). */
const implementation = hash(`d694${deployment.escrow.slice(2)}01`).slice(24)
const initCode = `3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation}5af43d82803e903d91602b57fd5bf3`
const initHash = hash(initCode)
const stores = new Map<string, Address>()

/** Where an operator's coins rest (EIP-1014). */
export function tokenStoreOf(operator: Address): Address {
  const known = stores.get(operator)
  if (known !== undefined) return known
  const store: Address = `0x${hash(`ff${deployment.escrow.slice(2)}${operator.slice(2).padEnd(64, '0')}${initHash}`).slice(24)}`
  stores.set(operator, store)
  return store
}
