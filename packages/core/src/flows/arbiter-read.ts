import type { WalletCaller } from '../caller.ts'
import { mayRule } from '../disputes/ruling.ts'
import { MarketError } from '../errors.ts'
import { auditLine } from './audit.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask } from './read.ts'

/** What an arbiter reads of a dispute leaves a line in the audit log (decision 0168). @throws FORBIDDEN */
export async function arbiterRead(
  deps: MarketDeps,
  { wallet }: WalletCaller,
  about: { readonly id: string; readonly taskId: string },
  what: 'dispute' | 'evidence' | 'messages' | 'ruling',
): Promise<void> {
  const task = await existingTask(deps, about.taskId)
  if (!mayRule(deps.settings, task, wallet)) throw new MarketError('FORBIDDEN', { task_id: about.taskId })
  const act = { actor: wallet, reason: `an arbiter reads the ${what}`, requestId: '' }
  await deps.store.transaction((tx) =>
    tx.addAudit(auditLine(deps, act, 'dispute.read', about.id, {}, { what, task_id: about.taskId })),
  )
}
