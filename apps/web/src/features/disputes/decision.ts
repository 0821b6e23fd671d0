import { disputeVerdicts, type DisputeVerdict } from '@ergon/contract'
import type { Input } from '@ergon/sdk'
import { faultsOf, type FieldFaults } from '../../lib/form.ts'
import { readShare } from './award.ts'

/** What the arbiter has typed so far. */
export type DecisionDraft = {
  readonly verdict: string
  readonly share: string
  readonly reason: string
  readonly actor: string
}
export const noDecision: DecisionDraft = { verdict: '', share: '', reason: '', actor: '' }

export const verdictOf = ({ verdict }: Pick<DecisionDraft, 'verdict'>): DisputeVerdict | undefined =>
  disputeVerdicts.find((one) => one === verdict)

/** The call that a draft comes to, or what is wrong with it. */
export function readDecision(
  disputeId: string,
  draft: DecisionDraft,
): { readonly input: Input<'disputes.resolve'> } | { readonly faults: FieldFaults } {
  const verdict = verdictOf(draft)
  const share = readShare(draft.share)
  const rest = {
    dispute_id: disputeId,
    reason: draft.reason.trim(),
    ...(draft.actor.trim() === '' ? {} : { actor: draft.actor.trim() }),
    ...(verdict === 'split' && share !== undefined ? { split_pct: share } : {}),
  }
  const faults = faultsOf('disputes.resolve', verdict === undefined ? rest : { ...rest, verdict })
  const unsaid: FieldFaults =
    verdict === 'split' && share === undefined ? { ...faults, split_pct: { rule: 'malformed' } } : faults
  return verdict === undefined || Object.keys(unsaid).length > 0 ? { faults: unsaid } : { input: { ...rest, verdict } }
}
