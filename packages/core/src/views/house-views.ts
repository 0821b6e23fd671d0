import { isClosedNetwork } from '@ergon/contract/facts'
import type { AdminMetrics } from '../admin/metrics.ts'
import { lagOf, type ChainLag } from '../audit/chain-lag.ts'
import type { MarketDeps } from '../flows/deps.ts'
import { servedFollowings } from '../flows/served-followings.ts'
import type { PaymentsHealth } from '../ports/store-audit.ts'

export async function adminMetrics({ store, clock }: MarketDeps): Promise<AdminMetrics> {
  return store.adminMetrics(clock.now())
}

/** How far each chain has been followed. */
export async function chainLags(deps: MarketDeps): Promise<readonly ChainLag[]> {
  return (await servedFollowings(deps)).map(lagOf)
}

export async function paymentsHealth({ store, clock }: MarketDeps): Promise<PaymentsHealth> {
  return store.paymentsHealth(clock.now())
}

/** The networks where nothing new begins, by name (decision 0299). */
export function closedNetworks({ networks, settings }: Pick<MarketDeps, 'networks' | 'settings'>): readonly string[] {
  return networks.map(({ name }) => name).filter((name) => isClosedNetwork(settings.closedNetworks ?? [], name))
}
