import { MarketError } from '../errors.ts'
import { splitFee } from '../money/amount.ts'
import type { SplitPayments, SplitTerms } from '../ports/split-payments.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'

/** What pays the bounty of a task in one transaction; undefined where it is paid otherwise. */
export function splitsOf({ splits }: MarketDeps, { bounty, escrowStatus }: Task): SplitPayments | undefined {
  return splits?.network === bounty.asset.network && escrowStatus === 'none' ? splits : undefined
}

/**
 * Whom the transaction pays: a worker whose address on that network is proven. @throws NO_PAYEE_RESOLVED,
 * PAYOUT_NON_POSITIVE
 */
export async function splitTermsOf(
  deps: MarketDeps,
  task: Task,
  { submissionId, executorId }: { readonly submissionId: string; readonly executorId: string },
): Promise<SplitTerms> {
  const { payout, fee } = splitFee(task.bounty)
  if (payout.atomic <= 0n) throw new MarketError('PAYOUT_NON_POSITIVE', { task_id: task.id })
  return { submissionId, worker: await payeeOf(deps, task, executorId), payout, fee }
}

/** A worker without an address there could do the work and not be paid for it. @throws NO_PAYEE_RESOLVED */
export async function requirePayee(deps: MarketDeps, task: Task, executorId: string): Promise<void> {
  if (splitsOf(deps, task) === undefined || (await deps.store.meterTerms(task.id)) !== null) return
  await payeeOf(deps, task, executorId)
}

async function payeeOf(deps: MarketDeps, { id }: Task, executorId: string): Promise<string> {
  const address = await deps.store.payoutAddress(executorId)
  if (address === null) throw new MarketError('NO_PAYEE_RESOLVED', { task_id: id })
  return address
}
