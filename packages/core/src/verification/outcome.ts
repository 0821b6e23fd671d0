import type { Check, CheckResult } from '../submissions/submission.ts'
import type { Reason } from './reasons.ts'

const outcome =
  (result: CheckResult) =>
  (name: string, { reason, code, figures }: Reason): Check => ({ name, result, reason, code, figures })

/** One result each, so that a check reads as what it says. */
export const passed = outcome('passed')
export const failed = outcome('failed')
export const inconclusive = outcome('inconclusive')
export const notApplicable = outcome('not_applicable')
export const notConfigured = outcome('not_configured')
export const error = outcome('error')
