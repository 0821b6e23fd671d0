import { decimalPattern, operations, type OperationName } from '@ergon/contract'
import { Errors } from 'typebox/value'
import type { FaultRule, FieldFault, FieldFaults } from './field-faults.ts'

export { faultsSaid } from './field-faults.ts'
export type { FaultRule, FieldFault, FieldFaults } from './field-faults.ts'
export { useDraft } from './use-draft.ts'

const rules: Readonly<Record<string, readonly [rule: FaultRule, param: string | undefined]>> = {
  required: ['required', undefined],
  minLength: ['too_short', 'limit'],
  maxLength: ['too_long', 'limit'],
  minimum: ['too_small', 'limit'],
  exclusiveMinimum: ['too_small', 'limit'],
  maximum: ['too_large', 'limit'],
  exclusiveMaximum: ['too_large', 'limit'],
  maxItems: ['too_many', 'limit'],
  minItems: ['too_few', 'limit'],
  enum: ['not_listed', undefined],
  const: ['not_listed', undefined],
}

/**
 * Holds what was filled in against the schema of the operation, so that a limit is written once. Empty when all is
 * well. It brings every schema along: a screen that is come to first loads it when something is to be checked.
 */
export function faultsOf(name: OperationName, input: Readonly<Record<string, unknown>>): FieldFaults {
  const faults: Record<string, FieldFault> = {}
  for (const { keyword, instancePath, params } of Errors(operations[name].input, input)) {
    const told = params as Readonly<Record<string, unknown>>
    if (keyword === 'required') {
      for (const field of Array.isArray(told['requiredProperties']) ? told['requiredProperties'] : [])
        faults[`${dotted(instancePath)}${dotted(instancePath) === '' ? '' : '.'}${String(field)}`] ??= {
          rule: 'required',
        }
      continue
    }
    const field = dotted(instancePath)
    if (field === '') continue
    // A whole number is asked for as `integer`, and one with decimals is no text.
    if (keyword === 'type' && (told['type'] === 'number' || told['type'] === 'integer')) {
      faults[field] ??= { rule: 'no_number' }
      continue
    }
    // What shows nothing is as empty as nothing.
    if (keyword === '~refine') {
      faults[field] ??= { rule: 'required' }
      continue
    }
    if (keyword === 'pattern' && told['pattern'] === decimalPattern) {
      faults[field] ??= { rule: 'no_number' }
      continue
    }
    const [rule, param] = rules[keyword] ?? ['malformed', undefined]
    const limit = param === undefined ? undefined : told[param]
    faults[field] ??= { rule, ...(typeof limit === 'number' || typeof limit === 'string' ? { limit } : {}) }
  }
  for (const field of finerThanTold(name, input)) faults[field] ??= { rule: 'too_fine', limit: decimals }
  return faults
}

const decimals = 6

/** The amounts that the service would have to round: another one than was typed. */
function finerThanTold(name: OperationName, input: Readonly<Record<string, unknown>>): readonly string[] {
  const fields: unknown = Reflect.get(operations[name].input, 'properties')
  if (typeof fields !== 'object' || fields === null) return []
  return Object.entries(fields).flatMap(([field, schema]: [string, unknown]) => {
    const value = input[field]
    const isAmount = typeof schema === 'object' && schema !== null && 'x-decimal' in schema
    return isAmount && typeof value === 'number' && Number(value.toFixed(decimals)) !== value ? [field] : []
  })
}

const dotted = (pointer: string): string => pointer.slice(1).replaceAll('/', '.')
