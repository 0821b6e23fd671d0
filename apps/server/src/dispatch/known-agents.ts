import type { Market } from '@ergon/core'

export type Agents = {
  /** The agent id, minted or demanded as the deployment says. @throws identity_required, identity_check_unavailable, REGISTRATION_FAILED */
  ensure(wallet: string): Promise<number | null>
  known(wallet: string): Promise<number | null>
}

const maxWallets = 20_000

/** Remembers agent ids in memory. Only ids that exist are kept: a wallet that has none may get one at any time. */
export function createKnownAgents(market: Pick<Market, 'ensureIdentity' | 'knownIdentity'>, isRequired: boolean): Agents {
  const ids = new Map<string, number>()
  const keep = (wallet: string, id: number): number => {
    if (ids.size >= maxWallets) ids.clear()
    ids.set(wallet, id)
    return id
  }
  const known = async (wallet: string): Promise<number | null> => {
    const stored = ids.get(wallet) ?? (await market.knownIdentity(wallet))
    return stored === null ? null : keep(wallet, stored)
  }
  return { known, ensure: isRequired ? async (wallet) => ids.get(wallet) ?? keep(wallet, await market.ensureIdentity(wallet)) : known }
}
