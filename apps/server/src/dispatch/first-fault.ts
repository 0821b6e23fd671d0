import { cutText } from '@ergon/core'
import { Guard } from 'typebox/guard'
import { Check } from 'typebox/value'
import { likelyNames } from './likely-names.ts'

/** The rule that was broken, in words, and its bound where it has one. */
type BrokenRule = { readonly constraint: string; readonly min?: number; readonly max?: number }

/** Where a value breaks its schema first; `unknown` names fields, at most twenty, that the schema does not have. */
export type Fault = {
  readonly field: string
  readonly rule: BrokenRule
  readonly found: unknown
  readonly unknown?: readonly string[]
  /** Beside `unknown`: the fields that were probably meant. */
  readonly meant?: readonly string[]
  /** Beside `unknown`, and where the first of them is the fault: fields that are required and not there. */
  readonly missing?: readonly string[]
}

/** The keywords of JSON Schema that operations use; `schema-check.test.ts` holds them to that. */
type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: Schema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | object
  /** A rule that JSON Schema has no word for; the only one is that a text shows something. */
  readonly '~refine'?: readonly { readonly check: (value: unknown) => boolean }[]
}

const namesShown = 20

/**
 * The first rule that a value breaks, or null. Kind and size come before content and content before what is inside, so
 * that a list too long is never read; nothing goes on after the first.
 */
export function firstFault(schema: object, value: unknown, field = ''): Fault | null {
  const rules = schema as Schema // every keyword is optional, and read by its name
  const fail = (constraint: string, bound: Omit<BrokenRule, 'constraint'> = {}): Fault => ({
    field: cutText(field, 200),
    rule: { constraint, ...bound },
    found: value,
  })
  if (rules.anyOf !== undefined) return ofUnion(rules.anyOf, value, field)
  if (rules.enum !== undefined && !rules.enum.includes(value))
    return fail(`one of ${rules.enum.map(String).join(', ')}`)
  if (rules.type !== undefined && !isOf(rules.type, value)) return fail(`must be of type ${rules.type}`)
  if (typeof value === 'string') return ofText(rules, value, fail)
  if (typeof value === 'number') return ofNumber(rules, value, fail)
  if (Array.isArray(value)) return ofList(rules, value, field, fail)
  // Neither text nor list, so what is left of objects are records.
  return typeof value === 'object' && value !== null
    ? ofRecord(rules, value as Readonly<Record<string, unknown>>, field, fail)
    : null
}

type Fail = (constraint: string, bound?: Omit<BrokenRule, 'constraint'>) => Fault

/** A union is nearly always a value or null: what is said is what the likeliest member says. */
function ofUnion(members: readonly Schema[], value: unknown, field: string): Fault | null {
  const faults = members.map((one) => firstFault(one, value, field))
  if (faults.includes(null)) return null
  const alike = members.findIndex((one) => one.type === undefined || isOf(one.type, value))
  return faults[alike < 0 ? 0 : alike] ?? null
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

/** Lengths are counted as the compiled check counts them; the pattern reads only what is short enough. */
function ofText(rules: Schema, value: string, fail: Fail): Fault | null {
  const { minLength, maxLength, pattern, format, '~refine': refinements = [] } = rules
  if (minLength !== undefined && !Guard.IsMinLength(value, minLength))
    return fail(`at least ${String(minLength)} characters`, { min: minLength })
  if (maxLength !== undefined && !Guard.IsMaxLength(value, maxLength))
    return fail(`at most ${String(maxLength)} characters`, { max: maxLength })
  if (format !== undefined && !Check({ type: 'string', format }, value)) return fail(`must be a ${format}`)
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return fail(`must match ${pattern}`)
  return refinements.some(({ check }) => !check(value)) ? fail('must show something') : null
}

function ofNumber({ minimum, maximum }: Schema, value: number, fail: Fail): Fault | null {
  if (minimum !== undefined && value < minimum) return fail(`at least ${String(minimum)}`, { min: minimum })
  return maximum !== undefined && value > maximum ? fail(`at most ${String(maximum)}`, { max: maximum }) : null
}

function ofList(
  { minItems, maxItems, uniqueItems, items }: Schema,
  value: readonly unknown[],
  field: string,
  fail: Fail,
): Fault | null {
  if (minItems !== undefined && value.length < minItems)
    return fail(`at least ${String(minItems)} items`, { min: minItems })
  if (maxItems !== undefined && value.length > maxItems)
    return fail(`at most ${String(maxItems)} items`, { max: maxItems })
  if (items !== undefined) {
    for (const [index, one] of value.entries()) {
      const fault = firstFault(items, one, inside(field, String(index)))
      if (fault !== null) return fault
    }
  }
  return uniqueItems === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length
    ? fail('items must differ')
    : null
}

function ofRecord(rules: Schema, value: Readonly<Record<string, unknown>>, field: string, fail: Fail): Fault | null {
  const { properties = {}, required = [], minProperties, maxProperties } = rules
  const patterns = Object.entries(rules.patternProperties ?? {}).map(
    ([pattern, schema]) => [new RegExp(pattern, 'u'), schema] as const,
  )
  const names = Object.keys(value)
  if (minProperties !== undefined && names.length < minProperties)
    return fail(`at least ${String(minProperties)} fields`, { min: minProperties })
  if (maxProperties !== undefined && names.length > maxProperties)
    return fail(`at most ${String(maxProperties)} fields`, { max: maxProperties })
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => inside(field, name))
  const unknown =
    rules.additionalProperties === false
      ? unknownOf(names, (name) => Object.hasOwn(properties, name) || patterns.some(([pattern]) => pattern.test(name)))
      : []
  if (unknown.length > 0)
    return {
      ...fail('fields of the schema'),
      unknown: unknown.map((name) => inside(field, name)),
      meant: likelyNames(unknown, Object.keys(properties)).map((name) => inside(field, name)),
      missing,
    }
  const [first] = missing
  if (first !== undefined) return { field: first, rule: { constraint: 'is required' }, found: undefined, missing }
  for (const [name, schema] of Object.entries(properties)) {
    const fault = Object.hasOwn(value, name) ? firstFault(schema, value[name], inside(field, name)) : null
    if (fault !== null) return fault
  }
  for (const [pattern, schema] of patterns) {
    for (const name of names) {
      const fault = pattern.test(name) ? firstFault(schema, value[name], inside(field, name)) : null
      if (fault !== null) return fault
    }
  }
  return null
}

function unknownOf(names: readonly string[], isKnown: (name: string) => boolean): readonly string[] {
  const unknown: string[] = []
  for (const name of names) {
    if (!isKnown(name)) unknown.push(name)
    if (unknown.length === namesShown) break
  }
  return unknown
}

const inside = (field: string, name: string): string => cutText(field === '' ? name : `${field}.${name}`, 200)
