import { disabledFeatureOf } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import type { Check } from './check.ts'

/** What is switched off answers nobody. @throws FEATURE_DISABLED, or NOT_WIRED where the specification says 501 */
export const feature: Check = ({ gate }, { plan }) => {
  const { section } = plan.operation
  if (!gate.isOff(section)) return
  const off = disabledFeatureOf(section)
  throw off === undefined ? new MarketError('FEATURE_DISABLED') : new MarketError(off.code, {}, { message: off.says })
}
