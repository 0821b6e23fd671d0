import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { isOwnOn } from '../identity/account-proof.ts'
import type { MarketDeps } from './deps.ts'

/** Whether the caller's address on a network is its own: a contract's is on its own chain alone (decision 0097). */
export function ownsAddressOn({ networks }: MarketDeps, { proof }: WalletCaller, network: string): boolean {
  return isOwnOn(proof, networks.find(({ name }) => name === network)?.chainId ?? null)
}

/** Nobody works for money that another party would get. @throws NETWORK_NOT_ACCEPTED */
export function requireOwnOn(deps: MarketDeps, caller: WalletCaller, network: string): void {
  if (ownsAddressOn(deps, caller, network)) return
  throw new MarketError(
    'NETWORK_NOT_ACCEPTED',
    { network, account: caller.proof ?? null },
    {
      message:
        'This account is a contract of another chain, and what is paid to its address on this network may be paid to another party.',
    },
  )
}
