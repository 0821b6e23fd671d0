import type { Hex } from '@ergon/protocols'
import { CliError, usageError } from '../cli-error.ts'
import { demand, type Statement } from './statement.ts'
import { decimalOf } from './terms.ts'

/** What the bridge may sign for; millionths of a token, each token counted as a dollar. */
export type SigningLimits = { readonly perTask: bigint; readonly perDay: bigint }
/** As a profile keeps them. */
export type WrittenLimits = { readonly per_task_usd: string; readonly per_day_usd: string }

/** One line of the record: what was agreed at publishing, or what was signed. */
export type Entry = {
  /** Unix seconds. */
  readonly at: number
  readonly act: Statement['act'] | 'agreed'
  readonly task: string
  /** Decimal, in millionths. */
  readonly amount: string
  /** What of it counts against the limits. */
  readonly counted: string
  readonly token: string | null
  readonly network: string | null
  readonly to: string | null
  readonly payment: Hex | null
}

/** Any 24 hours, so that midnight doubles nothing. */
const daySec = 86_400

/** @throws CliError where a limit is no amount, or a task may cost more than a day */
export function readLimits({ per_task_usd, per_day_usd }: WrittenLimits): SigningLimits {
  const limits = { perTask: amountOf('per task', per_task_usd), perDay: amountOf('per day', per_day_usd) }
  if (limits.perTask > limits.perDay) throw usageError('the limit per task is above the limit per day')
  return limits
}

function amountOf(which: string, text: unknown): bigint {
  const [, whole, part = ''] = /^([0-9]{1,6})(?:\.([0-9]{1,6}))?$/.exec(typeof text === 'string' ? text : '') ?? []
  const amount = whole === undefined ? 0n : BigInt(whole + part.padEnd(6, '0'))
  if (amount === 0n)
    throw new CliError('usage', 'USAGE', `the limit ${which} is no amount`, 'Say dollars: --per-task 5 --per-day 20.')
  return amount
}

/**
 * The line that signing this adds to the record. To pay out what was locked through the record is no new spending;
 * whatever else was signed counts, used or not. @throws NotSigned past a limit, or where another amount was agreed
 */
export function entryFor(
  statement: Statement,
  entries: readonly Entry[],
  { perTask, perDay }: SigningLimits,
  now: number,
): Entry {
  const { act, task, amount, token, network, to, payment } = statement
  requireAgreed(statement, entries)
  const counted = isCounted(statement, entries) ? amount : 0n
  const { ofTask, ofDay } = spent(entries, task, now)
  demand(ofTask + counted <= perTask, past('task', ofTask, counted, perTask))
  demand(ofDay + counted <= perDay, past('day', ofDay, counted, perDay))
  return { at: now, act, task, amount: String(amount), counted: String(counted), token, network, to, payment }
}

/** What pays out money whose lock was counted spends nothing more. */
export const isCounted = (statement: Statement, entries: readonly Entry[]): boolean =>
  !(paysOut.has(statement.act) && wasLocked(statement, entries))

const paysOut: ReadonlySet<Statement['act']> = new Set(['release', 'standing', 'settlement'])

const past = (per: string, spent: bigint, more: bigint, most: bigint): string =>
  `${decimalOf(more)} more would be past the limit per ${per}: ${decimalOf(spent)} of ${decimalOf(most)} are signed for`

/** What the record counts for a task, and for the last 24 hours; a clock that was set back forgets nothing. */
export function spent(
  entries: readonly Entry[],
  task: string,
  now: number,
): { readonly ofTask: bigint; readonly ofDay: bigint } {
  const sum = (those: readonly Entry[]): bigint => those.reduce((all, { counted }) => all + BigInt(counted), 0n)
  return {
    ofTask: sum(entries.filter((entry) => entry.task === task)),
    ofDay: sum(entries.filter(({ at }) => at > now - daySec)),
  }
}

/** Whether this record holds the signature that locked a payment, with as much as is paid out of it. */
export function wasLocked(
  { payment, amount }: Pick<Statement, 'payment' | 'amount'>,
  entries: readonly Entry[],
): boolean {
  return (
    payment !== null &&
    entries.some((entry) => entry.act === 'lock' && entry.payment === payment && BigInt(entry.amount) >= amount)
  )
}

/** What a tool published through this bridge is locked as it was published. */
function requireAgreed({ act, task, amount, token, network }: Statement, entries: readonly Entry[]): void {
  const agreed = entries.findLast((entry) => entry.act === 'agreed' && entry.task === task)
  if (act !== 'lock' || agreed === undefined) return
  demand(BigInt(agreed.amount) === amount, `the task was published with ${decimalOf(BigInt(agreed.amount))}`)
  demand(agreed.token === null || agreed.token === token, `the task was published in ${String(agreed.token)}`)
  demand(agreed.network === null || agreed.network === network, `the task was published on ${String(agreed.network)}`)
}
