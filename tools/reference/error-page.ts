import { code, page, table } from './table.ts'

export type ErrorRow = { readonly status: number; readonly retryable: boolean; readonly message: string; readonly recovery: string }

/** Every code an answer may carry, by status. */
export function errorPage(catalogue: Readonly<Record<string, ErrorRow>>): string {
  const rows = Object.entries(catalogue)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([name, row]) => [code(name), String(row.status), row.retryable ? 'yes' : 'no', row.message, row.recovery])
  return page(
    'Errors',
    'packages/contract/src/errors.ts',
    'Every error body carries `error`, `code`, `message`, `request_id`, and `detail` with `code`, `retryable`, `message` and `recovery`.',
    table(['Code', 'Status', 'Retryable', 'Message', 'What to do'], rows),
  )
}
