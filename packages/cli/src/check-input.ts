import { operations, type OperationName } from '@ergon/contract'
import type { Input } from '@ergon/sdk'
import { Compile } from 'typebox/compile'
import { CliError } from './cli-error.ts'

/**
 * Holds fields against the schema the service holds them against, before anything is sent. @throws CliError naming the
 * field
 */
export function checkInput<N extends OperationName>(name: N, fields: Readonly<Record<string, unknown>>): Input<N> {
  const validator = Compile(operations[name].input)
  if (!validator.Check(fields)) {
    const faults = new Set(
      validator
        .Errors(fields)
        .filter(({ keyword }) => keyword !== 'boolean')
        .slice(0, 8)
        .map((fault) => toldOf(fault)),
    )
    throw new CliError(
      'validation',
      'VALIDATION_FAILED',
      [...faults].join('; '),
      'Correct what is named; nothing was sent.',
    )
  }
  // The schema that has just been met is the type.
  return fields as Input<N>
}

type Fault = {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: unknown
}

/** A fault in the words of whoever wrote the field. */
function toldOf({ keyword, instancePath, message, params }: Fault): string {
  const field = instancePath.slice(1).replaceAll('/', '.')
  const names = namesIn(params)
  if (keyword === 'required')
    return names.map((name) => `${field === '' ? '' : `${field}.`}${name} is missing`).join('; ')
  if (keyword === 'additionalProperties')
    return `there is no field ${names.join(', ')}${field === '' ? '' : ` in ${field}`}`
  if (keyword === 'enum') return `${field} must be one of ${names.join(', ')}`
  if (keyword === 'pattern') return `${field} does not have the form it should`
  return `${field === '' ? 'the whole' : field} ${message}${names.length === 0 ? '' : ` (${names.join(', ')})`}`
}

function namesIn(params: unknown): readonly string[] {
  if (typeof params !== 'object' || params === null) return []
  return Object.values(params)
    .filter((value): value is readonly unknown[] => Array.isArray(value))
    .flat()
    .map(String)
}
