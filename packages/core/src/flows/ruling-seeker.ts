import type { WalletCaller } from '../caller.ts'
import type { RulingSeeker } from '../ports/store-disputes.ts'
import type { MarketDeps } from './deps.ts'

/** A caller that would rule, with what it must not have in common with a party (decision 0168). */
export async function rulingSeekerOf(
  { store }: MarketDeps,
  { wallet, agentId }: Pick<WalletCaller, 'wallet' | 'agentId'>,
): Promise<RulingSeeker> {
  const own = await store.workerByWallet(wallet)
  return {
    wallet,
    agentIds: [agentId, own?.agentId ?? null].filter((id) => id !== null),
    payoutAddress: own === null ? null : await store.payoutAddress(own.id),
  }
}
