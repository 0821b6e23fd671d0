import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { WorkerView } from '../identity/worker.ts'
import type { MarketDeps } from './deps.ts'
import { existingWorker } from './read.ts'

/** @throws WORKER_NOT_FOUND, FORBIDDEN to everyone but the worker */
export async function ownWorker(deps: MarketDeps, caller: WalletCaller, executorId: string): Promise<WorkerView> {
  const worker = await existingWorker(deps, executorId)
  if (worker.wallet !== caller.wallet) throw new MarketError('FORBIDDEN', { executor_id: executorId })
  return worker
}
