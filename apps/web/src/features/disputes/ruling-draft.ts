import type { Input } from '@ergon/sdk'
import { readCriteria } from '../../lib/criteria.ts'
import { faultsOf, type FieldFaults } from '../../lib/form.ts'
import { readShare } from './award.ts'
import { verdictOf } from './decision.ts'

/** What an arbiter has chosen and typed so far. */
export type RulingDraft = {
  readonly verdict: string
  readonly share: string
  readonly reason: string
  /** Of the conditions that the page lists. */
  readonly chosen: readonly string[]
  /** Another ground, in the arbiter's own words. */
  readonly own: string
}
export const noRuling: RulingDraft = { verdict: '', share: '', reason: '', chosen: [], own: '' }

/** What is ruled and by what; the wallet adds its signature. */
export type Said = Input<'disputes.rulingChallenge'>

/** The conditions a ruling may go by: those at issue first, then the others of the task. */
export function conditionsOf(atIssue: readonly string[], instructions: string): readonly string[] {
  return [...new Set([...atIssue, ...readCriteria(instructions).criteria])]
}

/** The ruling that a draft comes to, or what is wrong with it; what is listed no more does not count. */
export function readRuling(
  disputeId: string,
  draft: RulingDraft,
  listed: readonly string[],
): { readonly said: Said } | { readonly faults: FieldFaults } {
  const verdict = verdictOf(draft)
  const share = readShare(draft.share)
  const own = draft.own.replace(/\s+/g, ' ').trim()
  const rest = {
    dispute_id: disputeId,
    reason: draft.reason.trim(),
    criteria: [...listed.filter((one) => draft.chosen.includes(one)), ...(own === '' ? [] : [own])],
    ...(verdict === 'split' && share !== undefined ? { split_pct: share } : {}),
  }
  const faults = faultsOf('disputes.rulingChallenge', verdict === undefined ? rest : { ...rest, verdict })
  const unsaid: FieldFaults =
    verdict === 'split' && share === undefined ? { ...faults, split_pct: { rule: 'malformed' } } : faults
  return verdict === undefined || Object.keys(unsaid).length > 0 ? { faults: unsaid } : { said: { ...rest, verdict } }
}
