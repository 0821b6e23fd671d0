import type { ErrorEntry, Operation } from '@ergon/contract'

type Catalogues = {
  readonly operations: Readonly<Record<string, Operation>>
  readonly errors: Readonly<Record<string, ErrorEntry>>
  readonly events: Readonly<Record<string, { readonly room: string }>>
}

/**
 * The module that says how each operation travels, which refusals may pass by themselves and how rooms name each event,
 * printed from the definitions: a client that loads it instead of them carries no schema and no text.
 */
export function wireTable({ operations, errors, events }: Catalogues): string {
  const rows = Object.entries(operations).map(
    ([name, { access, readBeforeSigning, sameWordsAnew, rest }]) =>
      `  '${name}': ${literal({ access: wireAccess(access), readBeforeSigning, sameWordsAnew, rest })},`,
  )
  const codes = Object.entries(errors).map(
    ([code, entry]) => `  ${code}: [${entry.status}, ${entry.retryable ? 1 : 0}],`,
  )
  const rooms = Object.entries(events).map(([name, { room }]) => `  '${name}': '${room}',`)
  return [
    '// Printed by `npm run docs` from the operations, the errors and the events: change those instead.',
    "import type { ErrorCode } from '../errors.ts'",
    "import type { EventName } from '../events.ts'",
    "import type { OperationName } from '../operations/index.ts'",
    "import type { WireOperation } from './wire-operation.ts'",
    '',
    '/** Where each operation answers and who signs for it. */',
    'export const wireOperations: Readonly<Record<OperationName, WireOperation>> = {',
    ...rows,
    '}',
    '',
    '/** The status of each code, and 1 where the same call may succeed later without a change of its content. */',
    'export const wireErrors: Readonly<Record<ErrorCode, readonly [status: number, retryable: 0 | 1]>> = {',
    ...codes,
    '}',
    '',
    '/** How rooms name each event (spec §6). */',
    'export const roomNames: Readonly<Record<EventName, string>> = {',
    ...rooms,
    '}',
    '',
  ].join('\n')
}

/** Every page of the app loads the table: what no client reads stays out of it. */
function wireAccess(access: Operation['access']): object {
  return { by: access.by, admin: access.by === 'wallet' ? access.admin : undefined }
}

/** A value as it is written in a source file. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(member)}`)
      .join(', ')} }`
  return typeof value === 'string' ? `'${value}'` : String(value)
}
