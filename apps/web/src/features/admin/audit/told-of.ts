import { disputeVerdicts } from '@ergon/contract'
import type { AuditLine } from './changes-of.ts'

type Value = AuditLine['before'][string] | undefined
export type Told =
  | { readonly says: 'config' | 'force' | 'forceRefund'; readonly from: Value; readonly to: Value }
  | { readonly says: 'elapse'; readonly hours: number }
  | { readonly says: 'split'; readonly payerPct: number }
  | { readonly says: 'release' | 'refund' | 'sweep' | 'ban' | 'unban' }

/** Which sentence tells what a line changed; undefined where the name of the act says all of it. */
export function toldOf({ action, before, after }: Pick<AuditLine, 'action' | 'before' | 'after'>): Told | undefined {
  switch (action) {
    case 'config.set':
      return { says: 'config', from: before['value'], to: after['value'] }
    case 'task.force':
      return {
        says: after['refund'] === true ? 'forceRefund' : 'force',
        from: before['status'],
        to: after['status'],
      }
    case 'task.elapse':
      return typeof after['hours'] === 'number' ? { says: 'elapse', hours: after['hours'] } : undefined
    case 'dispute.resolve':
      return verdictOf(after)
    case 'fees.sweep':
      return { says: 'sweep' }
    case 'wallet.ban':
      return { says: 'ban' }
    case 'wallet.unban':
      return { says: 'unban' }
    case 'report.decide':
    case 'dispute.read':
      return undefined
  }
}

/** A split names the share of whoever paid. */
function verdictOf(after: AuditLine['after']): Told | undefined {
  const verdict = disputeVerdicts.find((one) => one === after['verdict'])
  if (verdict !== 'split') return verdict === undefined ? undefined : { says: verdict }
  return typeof after['split_pct'] === 'number' ? { says: 'split', payerPct: after['split_pct'] } : undefined
}
