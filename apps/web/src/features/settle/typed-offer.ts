import type { Input } from '@ergon/sdk'
import { faultsOf, type FieldFaults } from '../../lib/form.ts'
import { dollarsTyped } from '../../lib/number-typed.ts'

/** The offer that a typed share comes to, or what is wrong with it. */
export function typedOffer(
  taskId: string,
  share: string,
  locale: string,
): { readonly offer: Input<'offers.challenge'> } | { readonly faults: FieldFaults } {
  const amount = dollarsTyped(share, locale)
  const given = { task_id: taskId, ...(amount === undefined ? {} : { worker_amount_usd: amount }) }
  const faults = faultsOf('offers.challenge', given)
  // `faultsOf` held the fields against the schema of the operation.
  return Object.keys(faults).length > 0 ? { faults } : { offer: given as Input<'offers.challenge'> }
}
