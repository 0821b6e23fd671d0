import { MarketError } from '@ergon/core'
import type { Check } from './check.ts'

/** What is switched off answers nobody. @throws FEATURE_DISABLED */
export const feature: Check = ({ gate }, { plan }) => {
  if (gate.isOff(plan.operation.section)) throw new MarketError('FEATURE_DISABLED')
}
