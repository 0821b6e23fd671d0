import type { AdminMetrics } from '../admin/metrics.ts'
import { lagOf, type ChainLag } from '../audit/chain-lag.ts'
import type { MarketDeps } from '../flows/deps.ts'
import type { PaymentsHealth } from '../ports/store.ts'

export async function adminMetrics({ store, clock }: MarketDeps): Promise<AdminMetrics> {
  return store.adminMetrics(clock.now())
}

/** How far each chain has been followed. */
export async function chainLags({ store }: MarketDeps): Promise<readonly ChainLag[]> {
  return (await store.followings()).map(lagOf)
}

export async function paymentsHealth({ store, clock }: MarketDeps): Promise<PaymentsHealth> {
  return store.paymentsHealth(clock.now())
}
