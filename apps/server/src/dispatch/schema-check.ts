import { limits } from '@ergon/contract'
import { MarketError, type ErrorDetails } from '@ergon/core'
import { Compile } from 'typebox/compile'
import type { TObject } from 'typebox'
import { firstFault, type Fault } from './first-fault.ts'
import { unknownFields } from './unknown-fields.ts'

export type SchemaCheck = (input: Readonly<Record<string, unknown>>) => void

/**
 * Compiles a strict check of an operation's input. Nothing is coerced or removed. The check stops at the first rule
 * that is broken, sizes first, so that no body makes its refusal dear (decision 0090). The check throws UNKNOWN_FIELD,
 * INVALID_BOUNTY (where `namesBounty`) or VALIDATION_FAILED, each naming field, constraint and what was received.
 */
export function compileSchemaCheck(schema: TObject, namesBounty: boolean): SchemaCheck {
  const validator = Compile(schema)
  return (input) => {
    if (!validator.Check(input)) throw refusal(firstFault(schema, input), namesBounty)
  }
}

function refusal(fault: Fault | null, namesBounty: boolean): MarketError {
  if (fault?.unknown !== undefined) return unknownFields({ ...fault, unknown: fault.unknown })
  const { field, rule, found } = fault ?? {
    field: '',
    rule: { constraint: 'the schema of the operation' },
    found: undefined,
  }
  const missing = fault?.missing ?? []
  const details: ErrorDetails = {
    field,
    ...rule,
    received: shown(found),
    ...(missing.length === 0 ? {} : { missing }),
  }
  if (namesBounty && field === 'bounty_usd' && typeof found === 'number') {
    const bound = rule.max === undefined ? {} : { max: rule.max }
    return new MarketError(
      'INVALID_BOUNTY',
      {
        constraint: rule.max === undefined ? 'minimum' : 'maximum',
        field,
        min: limits.bountyMinUsd,
        received: found,
        ...bound,
      },
      { message: `bounty_usd: ${rule.constraint}, received ${inWords(found)}.` },
    )
  }
  const others = missing.length > 1 ? ` Also missing: ${missing.slice(1).join(', ')}.` : ''
  return new MarketError('VALIDATION_FAILED', details, {
    message: `${field === '' ? 'The request' : field}: ${rule.constraint}, received ${inWords(found)}.${others}`,
  })
}

/** A text is quoted: a "1" that should be a number, and a text with nothing in it, are seen as what they are. */
function inWords(value: unknown): string {
  const said = shown(value)
  return said === value && typeof said === 'string' ? JSON.stringify(said) : String(said)
}

/** Long values by their length: an error body repeats no secrets and no novels. */
function shown(value: unknown): string | number | boolean | null {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return value.length > 40 ? `${String(value.length)} characters` : value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return Array.isArray(value) ? `${String(value.length)} items` : 'an object'
}
