import { isCounted } from '../is-counted.ts'
import { demand } from '../limits.ts'
import { count } from '../prove.ts'
import type { Check } from './check.ts'

/** The limit of the wallet, or of the address (spec §8). @throws RATE_LIMITED */
export const rate: Check = (deps, passage) => {
  if (!isCounted(passage)) return
  passage.rate = count(deps, passage.request, passage.counted)
  demand(passage.rate, deps.now())
}
