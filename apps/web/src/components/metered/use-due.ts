import { useRead } from '../../lib/market.tsx'
import type { Split } from '../../lib/payout.ts'
import { useSplit } from '../../lib/use-split.ts'
import { useMeterTerms } from './use-meter-terms.ts'

type Task = Parameters<typeof useMeterTerms>[0] & { readonly bounty_usd: number }
export type Due = {
  readonly isMetered: boolean
  readonly totalUsd: number
  /** Undefined until the service has said its fee. */
  readonly split: Split | undefined
}

/**
 * What approving a task pays: its bounty, or of metered work what was accepted. Undefined while nobody knows which.
 */
export function useDue(task: Task): Due | undefined {
  const split = useSplit()
  const { terms, error } = useMeterTerms(task)
  // The terms of a meter never change, and its count does.
  const isMetered = terms !== null && terms !== undefined
  const { data: meter } = useRead('meters.get', { task_id: task.id }, { enabled: isMetered })
  if (terms === null || error !== null)
    return { isMetered: false, totalUsd: task.bounty_usd, split: split?.(task.bounty_usd) }
  if (meter === undefined) return undefined
  const { consumed_usd: totalUsd, worker_usd: payoutUsd, fee_usd: feeUsd } = meter
  return { isMetered: true, totalUsd, split: { payoutUsd, feeUsd } }
}
