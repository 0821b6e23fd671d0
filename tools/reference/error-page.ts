import { code, page, table } from './table.ts'

export type ErrorRow = {
  readonly status: number
  readonly retryable: boolean
  readonly message: string
  readonly recovery: string
}

/** Every code an answer may carry, by status, and the request that brings it about. */
export function errorPage(
  catalogue: Readonly<Record<string, ErrorRow>>,
  producers: Readonly<Record<string, string>>,
): string {
  const rows = Object.entries(catalogue)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([name, row]) => [
      code(name),
      String(row.status),
      row.retryable ? 'yes' : 'no',
      row.message,
      row.recovery,
      producers[name] ?? '',
    ])
  return page(
    'Errors',
    'packages/contract/src/errors.ts',
    'Every error body carries `error`, `code`, `message`, `request_id`, and `detail` with `code`, `retryable`, `message` and `recovery`.',
    'The last column is the request with which apps/server/test/errors brings each code about on a running service.',
    table(['Code', 'Status', 'Retryable', 'Message', 'What to do', 'Produced by'], rows),
  )
}
