import { adminKey } from './admin-key.ts'
import { admission } from './admission.ts'
import { ban } from './ban.ts'
import { bearer } from './bearer.ts'
import { budget } from './budget.ts'
import { caller } from './caller.ts'
import type { Check } from './check.ts'
import { feature } from './feature.ts'
import { fields } from './fields.ts'
import { identity } from './identity.ts'
import { overload } from './overload.ts'
import { ownPage } from './own-page.ts'
import { proof } from './proof.ts'
import { rate } from './rate.ts'
import { session } from './session.ts'

/**
 * What every call passes, in this order (decisions 0004, 0092, 0107); the nonce is spent behind the last, just before
 * the handler runs. Forbidden keys and size are refused by the transport before, because they need no body.
 */
export const column = {
  feature,
  adminKey,
  proof,
  overload,
  rate,
  admission,
  bearer,
  ban,
  session,
  ownPage,
  caller,
  fields,
  identity,
  budget,
} as const satisfies Readonly<Record<string, Check>>

export type CheckName = keyof typeof column
