import { takesSession } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { isCounted } from '../is-counted.ts'
import { personBehind } from '../person-behind.ts'
import type { Check } from './check.ts'

/**
 * Whose limit it counts against; when the process is late, whoever has none of their own waits. People with a session
 * have the limit of their wallet on public reads too, and stay nobody there. @throws SERVICE_BUSY
 */
export const overload: Check = async (deps, passage) => {
  if (!isCounted(passage)) return
  const { plan, principal, request } = passage
  // A read that needs no session does not fail with the store of sessions; where one is taken, it was asked already.
  passage.counted =
    principal ?? (takesSession(plan.operation.access) ? null : await personBehind(deps, request).catch(() => null))
  if (passage.counted === null && deps.isOverloaded()) throw new MarketError('SERVICE_BUSY')
}
