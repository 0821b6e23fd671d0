import { takesSession } from '@ergon/contract'
import { personBehind } from '../person-behind.ts'
import { prove } from '../prove.ts'
import type { Check } from './check.ts'

/** Who sends it, by signature or session. @throws what a signature is refused with, RATE_LIMITED to whoever forges */
export const proof: Check = async (deps, passage) => {
  const { plan, request, isInner, isUnlimited } = passage
  if (isInner) return
  passage.principal = await prove(deps, request, isUnlimited, () =>
    takesSession(plan.operation.access) ? personBehind(deps, request) : Promise.resolve(null),
  )
}
