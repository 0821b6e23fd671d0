import type { FieldFaults } from '../../lib/field-faults.ts'

/** What a task is asked for, one screen each. */
export const steps = ['what', 'proof', 'money', 'check'] as const
export type PublishStep = (typeof steps)[number]

const fieldsOf: Readonly<Record<PublishStep, readonly string[]>> = {
  what: ['title', 'instructions', 'category'],
  proof: [
    'evidence_required',
    'evidence_optional',
    'location_hint',
    'lat',
    'lng',
    'radius_m',
    'target_executor_type',
    'min_reputation',
  ],
  money: ['bounty_usd', 'deadline_hours', 'payment_network', 'payment_streaming'],
  check: [],
}

/** The step an address names; the first where it names none. */
export const stepNamed = (name: string | undefined): PublishStep => steps.find((one) => one === name) ?? 'what'

/** Where a field is filled in; what no step asks for shows at the end. */
const stepOf = (field: string): PublishStep =>
  steps.find((step) => fieldsOf[step].some((one) => field === one || field.startsWith(`${one}.`))) ?? 'check'

/** Those of the faults that the steps up to and with this one can mend. */
export function faultsUpTo(step: PublishStep, faults: FieldFaults): FieldFaults {
  return Object.fromEntries(
    Object.entries(faults).filter(([field]) => steps.indexOf(stepOf(field)) <= steps.indexOf(step)),
  )
}

/** The first step that has something to mend. */
export function firstToMend(faults: FieldFaults): PublishStep | undefined {
  return steps.find((step) => Object.keys(faults).some((field) => stepOf(field) === step))
}
