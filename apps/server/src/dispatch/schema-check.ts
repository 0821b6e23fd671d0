import { limits } from '@ergon/contract'
import { cutText, MarketError, type ErrorDetails } from '@ergon/core'
import { Compile } from 'typebox/compile'
import type { TObject } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'

export type SchemaCheck = (input: Readonly<Record<string, unknown>>) => void

/**
 * Compiles a strict check of an operation's input. Nothing is coerced or removed.
 * The check throws UNKNOWN_FIELD, INVALID_BOUNTY (where `namesBounty`) or VALIDATION_FAILED, each naming field, constraint and what was received.
 */
export function compileSchemaCheck(schema: TObject, namesBounty: boolean): SchemaCheck {
  const validator = Compile(schema)
  return (input) => {
    if (!validator.Check(input)) throw refusal(validator.Errors(input), input, namesBounty)
  }
}

function refusal(errors: readonly TLocalizedValidationError[], input: Readonly<Record<string, unknown>>, namesBounty: boolean): MarketError {
  const unknown = errors.filter((error) => error.keyword === 'additionalProperties').flatMap((error) => error.params.additionalProperties.map((name) => dotted(`${error.instancePath}/${name}`)))
  if (unknown.length > 0) {
    const fields = unknown.slice(0, 20).map((name) => cutText(name, 100))
    return new MarketError('UNKNOWN_FIELD', { fields }, { message: `The request carries fields that this operation does not know: ${fields.join(', ')}.` })
  }
  // `boolean` errors only repeat an unknown property; unions say less than their parts.
  const error = errors.find((one) => one.keyword !== 'boolean' && one.keyword !== 'anyOf') ?? errors[0]
  const field = error === undefined ? '' : fieldOf(error)
  const found = error === undefined ? undefined : valueAt(input, field)
  const rule = error === undefined ? { constraint: 'the schema of the operation' } : ruleOf(error)
  const details: ErrorDetails = { field, ...rule, received: shown(found) }
  if (namesBounty && field === 'bounty_usd' && found !== undefined && typeof found === 'number') {
    return new MarketError('INVALID_BOUNTY', { ...details, min: limits.bountyMinUsd }, { message: `bounty_usd: ${rule.constraint}, received ${shown(found)}.` })
  }
  return new MarketError('VALIDATION_FAILED', details, { message: `${field === '' ? 'The request' : field}: ${rule.constraint}, received ${shown(found)}.` })
}

function fieldOf(error: TLocalizedValidationError): string {
  const path = dotted(error.instancePath)
  if (error.keyword !== 'required') return path
  const missing = error.params.requiredProperties[0] ?? ''
  return path === '' ? missing : `${path}.${missing}`
}

function dotted(pointer: string): string {
  return cutText(pointer.slice(1).replaceAll('/', '.'), 200)
}

function valueAt(input: unknown, path: string): unknown {
  let value = input
  for (const part of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    // An object that has the key.
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** The rule that was broken, in words, and its bound where it has one. */
function ruleOf(error: TLocalizedValidationError): { readonly constraint: string; readonly min?: number; readonly max?: number } {
  switch (error.keyword) {
    case 'required': return { constraint: 'is required' }
    case 'minLength': return { constraint: `at least ${String(error.params.limit)} characters`, min: error.params.limit }
    case 'maxLength': return { constraint: `at most ${String(error.params.limit)} characters`, max: error.params.limit }
    case 'minItems': return { constraint: `at least ${String(error.params.limit)} items`, min: error.params.limit }
    case 'maxItems': return { constraint: `at most ${String(error.params.limit)} items`, max: error.params.limit }
    case 'minimum': return { constraint: `at least ${String(error.params.limit)}`, min: Number(error.params.limit) }
    case 'maximum': return { constraint: `at most ${String(error.params.limit)}`, max: Number(error.params.limit) }
    case 'enum': return { constraint: `one of ${error.params.allowedValues.map(String).join(', ')}` }
    case 'pattern': return { constraint: `must match ${String(error.params.pattern)}` }
    case 'format': return { constraint: `must be a ${error.params.format}` }
    case 'uniqueItems': return { constraint: 'items must differ' }
    case 'type': return { constraint: `must be of type ${String(error.params.type)}` }
    default: return { constraint: error.message }
  }
}

/** Long values by their length: an error body repeats no secrets and no novels. */
function shown(value: unknown): string | number | boolean | null {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return value.length > 40 ? `${String(value.length)} characters` : value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return Array.isArray(value) ? `${String(value.length)} items` : 'an object'
}
