import type { Log } from '../log.ts'
import type { Reply } from './exchange.ts'

/** What of an answer is told: who and what it is about, and how it ended. Nothing that anybody signed. */
const told = [
  'network',
  'payer',
  'transaction',
  'error',
  'errorReason',
  'errorCode',
  'invalidReason',
  'broadcast',
  'ref',
]
const longest = 300

type Asked = { readonly method: string; readonly path: string; readonly ms: number }

/** One line for each order and each check of one; what is only read is told where it is looked for. */
export function sayAnswer(log: Log, { method, path, ms }: Asked, { status, body }: Reply): void {
  const fields = Object.entries(body).filter(([name]) => told.includes(name))
  const line = { method, path, status, ms: Math.round(ms), ...Object.fromEntries(fields.map(short)) }
  if (method === 'POST') log.info?.(line, 'request')
  else log.debug?.(line, 'request')
}

const short = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  typeof value === 'string' ? value.slice(0, longest) : value,
]
