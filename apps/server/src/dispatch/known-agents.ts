import type { Market } from '@ergon/core'

export type Agents = {
  /** Whether this deployment asks for identities at all. */
  readonly isRequired: boolean
  /**
   * Null where the wallet owes an identity, which the act registers when all else is well (decision 0092). @throws
   * identity_required, identity_check_unavailable
   */
  demanded(wallet: string): Promise<number | null>
  known(wallet: string): Promise<number | null>
}

const maxWallets = 20_000

/** Remembers agent ids in memory. Only ids that exist are kept: a wallet that has none may get one at any time. */
export function createKnownAgents(market: Pick<Market, 'findIdentity' | 'knownIdentity'>, isRequired: boolean): Agents {
  const ids = new Map<string, number>()
  const keep = (wallet: string, id: number): number => {
    if (ids.size >= maxWallets) ids.clear()
    ids.set(wallet, id)
    return id
  }
  const through =
    (ask: (wallet: string) => Promise<number | null>) =>
    async (wallet: string): Promise<number | null> => {
      const known = ids.get(wallet)
      if (known !== undefined) return known
      const stored = await ask(wallet)
      return stored === null ? null : keep(wallet, stored)
    }
  return {
    isRequired,
    known: through((wallet) => market.knownIdentity(wallet)),
    demanded: through((wallet) => market.findIdentity(wallet)),
  }
}
