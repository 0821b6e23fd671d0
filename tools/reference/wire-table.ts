import type { ErrorEntry, Operation } from '@ergon/contract'

/**
 * The module that says how each operation travels and which refusals may pass by themselves, printed from the
 * definitions: a client that loads it instead of them carries no schema and no text.
 */
export function wireTable(operations: Readonly<Record<string, Operation>>, errors: Readonly<Record<string, ErrorEntry>>): string {
  const rows = Object.entries(operations).map(([name, { access, rest }]) => `  '${name}': ${literal({ access, rest })},`)
  const retryable = Object.entries(errors).map(([code, entry]) => `  ${code}: ${entry.retryable ? 1 : 0},`)
  return [
    '// Printed by `npm run docs` from the operations and the error catalogue: change those instead.',
    "import type { ErrorCode } from '../errors.ts'",
    "import type { OperationName } from '../operations/index.ts'",
    "import type { WireOperation } from './wire-operation.ts'",
    '',
    '/** Where each operation answers and who may call it. */',
    'export const wireOperations: Readonly<Record<OperationName, WireOperation>> = {', ...rows, '}',
    '',
    '/** 1 where the same call may succeed later without a change of its content. */',
    'export const retryableCodes: Readonly<Record<ErrorCode, 0 | 1>> = {', ...retryable, '}',
    '',
  ].join('\n')
}

/** A value as it is written in a source file. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) return `{ ${Object.entries(value).map(([key, member]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(member)}`).join(', ')} }`
  return typeof value === 'string' ? `'${value}'` : String(value)
}
