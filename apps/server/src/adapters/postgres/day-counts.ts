import { createHash } from 'node:crypto'
import { dealtOut, isScarce, passedWhen } from '@ergon/core'
import type { Pool } from 'pg'
import { createTogether } from '../../surroundings/together.ts'
import { createCounting } from './counting-transaction.ts'
import { dayEnd, dayEndColumns, passedOf, utcDay, whenPassed, type DayEnd, type DayEndRow } from './utc-day.ts'
import type { TransactionLine } from './transaction-line.ts'

/** What is counted today, by whom it is counted against, how much of it, and the most there may be; 0 is no limit. */
export type DayCount = {
  readonly by: SpentBy
  readonly counted: string
  readonly amount: number
  readonly limit: number
  /** It is dealt out over the day: what newcomers share (decision 0317). */
  readonly isDealt?: true
  /** The limit while little is left of what is dealt out. */
  readonly few?: number
}
export type SpentBy = 'wallet' | 'address' | 'network' | 'newcomers' | 'all'
/** `reset` is when the day ends, or when more is dealt out before that. */
export type Spent = DayEnd & { readonly by: SpentBy; readonly limit: number }

/** Takes from all counts or from none; what has the same `once` takes nothing again on the same day. */
export type DayAsk = { readonly counts: readonly DayCount[]; readonly once?: string }
/** The count that is spent, the first in the order in which they were asked for, or null. */
export type TakeToday = (ask: DayAsk) => Promise<Spent | null>

/** Who was counted cannot be read from the table: addresses and wallets are not kept. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

const mostTogether = 200

/**
 * Counts what many ask for in one transaction. The count of the whole deployment is one row, which a transaction holds
 * until the disk has taken it: one for each who asks would make a queue, in which each holds a connection (decision
 * 0269).
 */
export function createDayCounts(pool: Pool): TakeToday {
  const count = createCounting(pool)
  const takeTogether = (asks: readonly DayAsk[]): Promise<readonly (Spent | null)[]> =>
    count('all', async (line) => {
      const added = sumOf(asks)
      const { used, end } = await addToday(line, added)
      const before = new Map([...added].map(([counted, amount]) => [counted, (used.get(counted) ?? 0) - amount]))
      const { spent, taken } = shareOut(asks, before, end === undefined ? 0 : passedOf(end))
      const back = [...added].flatMap(([counted, amount]) => {
        const left = amount - (taken.get(counted) ?? 0)
        return left > 0 ? [{ counted, left }] : []
      })
      if (taken.size > 0 && back.length > 0) await giveBack(line, back)
      return { keep: taken.size > 0, answer: spent.map((over) => (over === null ? null : spentOf(over, end))) }
    })
  return createTogether(takeTogether, { most: mostTogether })
}

/** One who asks, in a transaction that does something else as well and is undone when a count is spent. */
export async function countToday(line: TransactionLine, counts: readonly DayCount[]): Promise<Spent | null> {
  const added = sumOf([{ counts }])
  const { used, end } = await addToday(line, added)
  const before = new Map([...added].map(([counted, amount]) => [counted, (used.get(counted) ?? 0) - amount]))
  const [over = null] = shareOut([{ counts }], before, end === undefined ? 0 : passedOf(end)).spent
  return over === null ? null : spentOf(over, end)
}

const onceOf = ({ once }: DayAsk): readonly Pick<DayCount, 'counted' | 'amount'>[] =>
  once === undefined ? [] : [{ counted: once, amount: 1 }]

function sumOf(asks: readonly DayAsk[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>()
  for (const ask of asks)
    for (const { counted, amount } of [...onceOf(ask), ...ask.counts])
      sum.set(counted, (sum.get(counted) ?? 0) + amount)
  return sum
}

/** The count that refuses; `dueAt` is how much of the day has passed when more is dealt out. */
export type Over = { readonly count: DayCount; readonly dueAt: number }

/**
 * Who gets what, first come, first served, when so much of the day has `passed`: `spent` says by which count each was
 * refused, `taken` what those take who were not.
 */
export function shareOut(
  asks: readonly DayAsk[],
  before: ReadonlyMap<string, number>,
  passed: number,
): { readonly spent: readonly (Over | null)[]; readonly taken: ReadonlyMap<string, number> } {
  const taken = new Map<string, number>()
  const usedOf = (counted: string): number => (before.get(counted) ?? 0) + (taken.get(counted) ?? 0)
  const spent = asks.map((ask) => {
    if (ask.once !== undefined && usedOf(ask.once) > 0) return null
    const over = overOf(ask, usedOf, passed)
    if (over !== null) return over
    for (const { counted, amount } of [...onceOf(ask), ...ask.counts])
      taken.set(counted, (taken.get(counted) ?? 0) + amount)
    return null
  })
  return { spent, taken }
}

/** The first count with too little room. Little is left for addresses that had a few once half of what is dealt is. */
function overOf({ counts }: DayAsk, usedOf: (counted: string) => number, passed: number): Over | null {
  const share = counts.find(({ isDealt }) => isDealt === true)
  const usedOfShare = share === undefined ? 0 : usedOf(share.counted)
  const isTight = share !== undefined && isScarce(usedOfShare, dealtOut(share.limit, passed))
  const isOver = ({ counted, amount }: DayCount, most: number): boolean => usedOf(counted) + amount > most
  for (const count of counts) {
    const { limit, few, isDealt } = count
    if (limit === 0) continue
    if (isOver(count, limit)) return { count, dueAt: 1 }
    if (isDealt === true && isOver(count, dealtOut(limit, passed)))
      return { count, dueAt: passedWhen(limit, usedOfShare + count.amount) }
    if (isTight && few !== undefined && isOver(count, few))
      return { count, dueAt: passedWhen(share.limit, usedOfShare * 2 + 1) }
  }
  return null
}

/** Adds to all of them, always in one order, so that two never wait for one another. */
async function addToday(
  line: TransactionLine,
  added: ReadonlyMap<string, number>,
): Promise<{ readonly used: ReadonlyMap<string, number>; readonly end: DayEnd | undefined }> {
  const sorted = [...added.keys()].toSorted()
  const { rows } = await line.query<DayEndRow & { readonly counted: string; readonly used: number }>({
    name: 'count-today',
    text: `insert into registration_counts as c (day, counted, used)
      select ${utcDay}, counted, amount from unnest($1::text[], $2::integer[]) a (counted, amount)
      on conflict (day, counted) do update set used = c.used + excluded.used returning counted, used, ${dayEndColumns}`,
    values: [sorted, sorted.map((counted) => added.get(counted))],
  })
  const [first] = rows
  return {
    used: new Map(rows.map(({ counted, used }) => [counted, used])),
    end: first === undefined ? undefined : dayEnd(first),
  }
}

/** What nothing was taken of leaves no row. */
async function giveBack(
  line: TransactionLine,
  back: readonly { readonly counted: string; readonly left: number }[],
): Promise<void> {
  const counted = back.map((one) => one.counted)
  await line.tell(
    `update registration_counts c set used = c.used - a.amount
      from unnest($1::text[], $2::integer[]) a (counted, amount) where c.day = ${utcDay} and c.counted = a.counted`,
    [counted, back.map(({ left }) => left)],
  )
  await line.tell(`delete from registration_counts where day = ${utcDay} and counted = any($1) and used = 0`, [counted])
}

function spentOf({ count: { by, limit }, dueAt }: Over, end: DayEnd | undefined): Spent {
  if (end === undefined) throw new Error('what is spent was counted')
  return { by, limit, ...whenPassed(dueAt, end) }
}
