import type { Output } from '@ergon/sdk'

type Known = {
  /** Whom the policy of the task names alone. */
  readonly named: string | null
  /** Whom the operator names; undefined while that is not known. */
  readonly arbiters: readonly string[] | undefined
  readonly dispute: Pick<Output<'disputes.get'>, 'publisher_wallet' | 'worker_wallet'>
}

/**
 * Who may decide a dispute that nobody has ruled on: the arbiter that its task names, any arbiter, or the operator
 * alone, who always may. An arbiter is never a side, and one whom the operator no longer names rules no more
 * (decision 0168).
 */
export function whoDecides({ named, arbiters, dispute }: Known): 'task' | 'any' | 'operator' {
  if (arbiters === undefined) return 'any'
  const sides = [dispute.publisher_wallet, dispute.worker_wallet].map((one) => one.toLowerCase())
  const others = arbiters.map((one) => one.toLowerCase()).filter((one) => !sides.includes(one))
  if (named !== null) return others.includes(named.toLowerCase()) ? 'task' : 'operator'
  return others.length > 0 ? 'any' : 'operator'
}
