import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { MarketDeps } from './deps.ts'
import { existingWorker } from './read.ts'

/** Null to everybody but the worker. */
export async function payoutAddress(
  deps: MarketDeps,
  caller: WalletCaller,
  executorId: string,
): Promise<string | null> {
  const worker = await existingWorker(deps, executorId)
  return worker.wallet === caller.wallet ? deps.store.payoutAddress(executorId) : null
}

/** The caller has proven the key behind the address. @throws WORKER_NOT_FOUND */
export async function bindPayoutAddress(
  deps: MarketDeps,
  caller: WalletCaller,
  address: string,
): Promise<{ readonly executorId: string }> {
  const executorId = await ownExecutorId(deps, caller)
  await deps.store.putPayoutAddress(executorId, address)
  return { executorId }
}

/** The id of the caller as a worker. @throws WORKER_NOT_FOUND */
export async function ownExecutorId(deps: MarketDeps, caller: WalletCaller): Promise<string> {
  const worker = await deps.store.workerByWallet(caller.wallet)
  if (worker === null) throw new MarketError('WORKER_NOT_FOUND', { wallet: caller.wallet })
  return worker.id
}
