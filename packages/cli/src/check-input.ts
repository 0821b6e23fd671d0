import { operations, type OperationName } from '@ergon/contract'
import type { Input } from '@ergon/sdk'
import { Compile } from 'typebox/compile'
import { CliError } from './cli-error.ts'

/** Holds fields against the schema the service holds them against, before anything is sent. @throws CliError naming the field */
export function checkInput<N extends OperationName>(name: N, fields: Readonly<Record<string, unknown>>): Input<N> {
  const validator = Compile(operations[name].input)
  if (!validator.Check(fields)) {
    const faults = validator.Errors(fields).slice(0, 5).map(({ instancePath, message, params }) => `${instancePath.slice(1).replaceAll('/', '.') || 'the whole'} ${message}${namesIn(params)}`)
    throw new CliError('validation', 'VALIDATION_FAILED', faults.join('; '), 'Correct what is named; nothing was sent.')
  }
  // The schema that has just been met is the type.
  return fields as Input<N>
}

function namesIn(params: unknown): string {
  if (typeof params !== 'object' || params === null) return ''
  const lists = Object.values(params).filter((value): value is readonly unknown[] => Array.isArray(value))
  return lists.length === 0 ? '' : ` (${lists.flat().map(String).join(', ')})`
}
