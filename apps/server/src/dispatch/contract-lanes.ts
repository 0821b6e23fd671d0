import { addressKey } from '@ergon/protocols'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'
import type { ContractWallets } from './authenticate.ts'
import type { Limits } from './limits.ts'

export type ContractAccount = Pick<Parameters<ContractWallets['isValidSignature']>[0], 'chainId' | 'address'>
/** Counts a contract call for an address before it is made; false when the budget is spent. */
export type MayAskContract = (ip: string, account: ContractAccount) => boolean

/** How long a wallet that said yes once has a lane of its own. */
const provenMs = 3_600_000
const maxProven = 10_000

const keyOf = ({ chainId, address }: ContractAccount): string => `${String(chainId)}:${address.toLowerCase()}`

/**
 * Wallets that are contracts prove themselves by a call to their chain. The unproven behind one address share a few;
 * one that said yes has the limit of a wallet, so that strangers' claims do not spend it.
 */
export function createContractLanes(
  contracts: ContractWallets,
  limits: Pick<Limits, 'contracts' | 'provenContracts'>,
  now: () => number,
): { readonly contracts: ContractWallets; readonly mayAsk: MayAskContract } {
  const proven = createBoundedCache<true>(maxProven, provenMs)
  return {
    contracts: {
      async isValidSignature(call) {
        const isValid = await contracts.isValidSignature(call)
        if (isValid) proven.set(keyOf(call), true)
        return isValid
      },
    },
    mayAsk(ip, account) {
      const key = keyOf(account)
      if (proven.get(key) === undefined) return limits.contracts.take(ip, now()).allowed
      return limits.provenContracts.take(`${addressKey(ip)} ${key}`, now()).allowed
    },
  }
}
