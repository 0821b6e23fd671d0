import { MarketError } from '../errors.ts'
import type { IdentityRegistry } from '../ports/identity-registry.ts'
import type { MarketDeps } from './deps.ts'
import { onEach } from './each-network.ts'

type Deps = Pick<MarketDeps, 'store' | 'identities' | 'clock' | 'networks'>

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
/** In a round of a network: a facilitator answers each address a read in two seconds, and people wait for others. */
const batch = 3

/**
 * The agent of a wallet as the registry has it: the one it is said to have while it owns that, and otherwise the first
 * that it owns, which is stored from then on. A number changes where a block was undone and its registrations came in
 * another order, and an agent changes hands. Null: the wallet owns none now; what is stored for less than an hour may
 * yet be mined again, and stays. @throws identity_check_unavailable
 */
export async function agentNow(deps: Deps, network: string, wallet: string, agentId: number): Promise<number | null> {
  return (await heldNow(deps, network, wallet, agentId))?.agentId ?? null
}

/** The same, and whether its number is certain; where that was not told, it is for whoever rates it to say. */
export async function heldNow(
  { store, identities, clock }: Deps,
  network: string,
  wallet: string,
  agentId: number,
): Promise<{ readonly agentId: number; readonly isSettled: boolean } | null> {
  const holder = await identities.holder(network, agentId)
  if (holder?.owner === wallet) return { agentId, isSettled: holder.isSettled }
  const found = await identities.lookup(network, wallet)
  if (found === agentId) return { agentId, isSettled: true }
  const at = clock.now()
  const change = { network, wallet, from: agentId, at }
  if (found === null) await store.forgetIdentity({ ...change, storedBefore: new Date(at.getTime() - hourMs) })
  // What it published a day ago and before was published as the agent that it was.
  else await store.changeIdentity({ ...change, to: found, publishedSince: new Date(at.getTime() - dayMs) })
  return found === null ? null : { agentId: found, isSettled: true }
}

/**
 * Holds what is stored of identities against the registry: after a minute, and then after as long as each is old, so
 * that what a block undid is found soon and what changed hands is found at last.
 */
export function checkIdentities(deps: Deps, networks?: readonly string[]): Promise<number> {
  return onEach(deps, networks, async (network) => {
    const now = deps.clock.now()
    const due = await deps.store.leaseIdentities(network, now, new Date(now.getTime() + minuteMs), batch)
    const read = await Promise.all(due.map(async (one) => ((await isRead(deps, one)) ? one : null)))
    const seen = read.filter((one) => one !== null)
    if (seen.length > 0) await deps.store.identitiesChecked(seen, now)
    return seen.length
  })
}

async function isRead(
  deps: Deps,
  { network, wallet, agentId }: { readonly network: string; readonly wallet: string; readonly agentId: number },
): Promise<boolean> {
  try {
    await agentNow(deps, network, wallet, agentId)
    return true
  } catch (error) {
    if (error instanceof MarketError) return false
    throw error
  }
}

/**
 * Whether a wallet owns the agent that was registered for it. `unseen`: a node that is behind shows nobody. Another
 * owner means that the wallet gave its agent away, for one wallet registers once under its key.
 */
export async function ownerOfNew(
  identities: IdentityRegistry,
  { network, wallet, agentId }: { readonly network: string; readonly wallet: string; readonly agentId: number },
): Promise<'itself' | 'another' | 'unseen'> {
  const holder = await identities.holder(network, agentId)
  if (holder === null) return 'unseen'
  return holder.owner === wallet ? 'itself' : 'another'
}
