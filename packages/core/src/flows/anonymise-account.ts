import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { MarketDeps } from './deps.ts'

/** Task ids named at most; the caller ends those and asks again. */
const namedTasks = 20

/**
 * Forgets what the wallet said about itself (spec §2, decision 0060). Nothing is forgotten while a party waits for work
 * or money; asked and done under the locks that an assignment takes, so that neither begins meanwhile.
 */
export async function anonymiseAccount(deps: MarketDeps, caller: WalletCaller): Promise<void> {
  const worker = await deps.store.workerByWallet(caller.wallet)
  const key = { wallet: caller.wallet, executorId: worker?.id ?? null }
  await deps.store.transaction(async (tx) => {
    const underWay = await tx.lockAccount(key)
    if (underWay.length > 0)
      throw new MarketError('ACCOUNT_BUSY', {
        task_ids: underWay.slice(0, namedTasks),
        tasks_in_flight: underWay.length,
      })
    await tx.anonymiseAccount(key, deps.clock.now())
  })
}
