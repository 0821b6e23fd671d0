import { ErgonError } from '@ergon/sdk'

/** What is wrong with one field: the rule that it breaks, and the figure of that rule. */
export type FieldFault = { readonly rule: FaultRule; readonly limit?: number | string }
export type FaultRule =
  | 'required'
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'too_large'
  | 'too_many'
  | 'too_few'
  | 'not_listed'
  | 'no_number'
  | 'too_fine'
  | 'malformed'
export type FieldFaults = Readonly<Record<string, FieldFault>>

/** The fields that a refusal of the service names (spec §7: what, which constraint). */
export function faultsSaid(error: unknown): FieldFaults {
  if (!(error instanceof ErgonError)) return {}
  const named = error.details['errors'] ?? error.details['fields']
  const list: readonly unknown[] = Array.isArray(named) ? named : [error.details]
  const faults: Record<string, FieldFault> = {}
  for (const one of list) {
    const field: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'field') : undefined
    if (typeof field === 'string' && field !== '') faults[field] ??= { rule: 'malformed' }
  }
  return faults
}
