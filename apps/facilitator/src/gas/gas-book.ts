import { createSharedRuns } from '@ergon/process'
import type { Pool, PoolClient } from 'pg'
import { Unavailable } from '../errors.ts'
import { ask } from '../store/ask.ts'
import { forgetRows } from '../store/forget-rows.ts'

/** A share of a day's gas that a write counts against. */
export type GasCount = {
  readonly key: string
  readonly most: number
  /** What of the wish counts here, where that is not all of it. */
  readonly gas?: number
}
export type GasWish = { readonly counts: readonly GasCount[]; readonly gas: number }
/** The day in UTC by the clock of the store, which all processes share, and when it ends, as an instant. */
export type GasDay = { readonly endsAt: Date; readonly secondsLeft: number }

/**
 * How much gas was spent today, by whom it is counted against. As with `IntentStore`, a method that throws has answered
 * nothing.
 */
export type GasBook = {
  /**
   * Adds each wish to all of its counts, or to none when one would pass its limit; in order, `spent` says by which it
   * was refused.
   */
  take(wishes: readonly GasWish[]): Promise<{ readonly spent: readonly (string | undefined)[]; readonly day: GasDay }>
  today(key: string): Promise<{ readonly gas: number; readonly day: GasDay }>
  /** Forgets so many counts at the most of days that are over; answers how many. */
  purge(limit: number): Promise<number>
}

const utcDay = "(now() at time zone 'utc')::date"
/** Midnight of UTC to come. */
const dayColumns = `(${utcDay} + 1)::timestamp at time zone 'utc' as ends_at,
    ceil(extract(epoch from (${utcDay} + 1)::timestamp at time zone 'utc' - now()))::float8 as seconds_left`

const pastDays = { table: 'gas_spent', where: `day < ${utcDay}`, order: 'day, key' }

type DayRow = { readonly ends_at: Date; readonly seconds_left: number }
type CountRow = DayRow & { readonly key: string; readonly gas: string }

const dayOf = (row: DayRow): GasDay => ({ endsAt: row.ends_at, secondsLeft: Math.max(1, row.seconds_left) })

type Taken = { readonly spent: readonly (string | undefined)[]; readonly day: GasDay }

const [mostTogether, mostWaiting] = [200, 1_000]

/**
 * In PostgreSQL, so that a restart does not begin the day anew. The count of the whole day is one row, which a
 * transaction holds until the disk has taken it: whoever asks meanwhile shares the next transaction, and holds no
 * connection (decision 0269).
 */
export function createGasBook(pool: Pool): GasBook {
  const takeTogether = async (asked: readonly (readonly GasWish[])[]): Promise<readonly Taken[]> => {
    const { spent, day } = await takeAll(pool, asked.flat())
    const left = [...spent]
    return asked.map(({ length }) => ({ spent: left.splice(0, length), day }))
  }
  return {
    take: createSharedRuns(takeTogether, {
      most: mostTogether,
      mostWaiting,
      patienceMs: null,
      refuse: () => notCounted(),
    }),
    async today(key) {
      const [row] = await ask<CountRow>(
        pool,
        'gas-spent',
        `select $1::text as key, coalesce((select gas from gas_spent where day = ${utcDay} and key = $1), 0) as gas,
            ${dayColumns}`,
        [key],
      )
      if (row === undefined) throw new Error('a question without an answer')
      return { gas: Number(row.gas), day: dayOf(row) }
    },
    purge: (limit) => forgetRows(pool, 'gas-forget', pastDays, limit),
  }
}

async function takeAll(pool: Pool, wishes: readonly GasWish[]): Promise<Taken> {
  const client = await pool.connect().catch(unavailable)
  try {
    const [, { counted, day }] = await Promise.all([client.query('begin'), holdCounts(client, wishes)])
    const { spent, added } = shareOut(wishes, counted)
    const isAnySpent = spent.some((key) => key !== undefined)
    await Promise.all([
      addGas(client, added),
      ...(isAnySpent ? [forgetEmpty(client, [...counted.keys()])] : []),
      client.query('commit'),
    ])
    client.release()
    return { spent, day }
  } catch (cause) {
    // Those behind it wait for nothing else to be said over a line that may be silent.
    client.release(true)
    return unavailable(cause)
  }
}

/**
 * The rows of all counts, held until the end of the transaction and always in one order. It goes out together with the
 * begin: without one it makes rows that count nothing, and nothing is added.
 */
async function holdCounts(
  client: PoolClient,
  wishes: readonly GasWish[],
): Promise<{ readonly counted: Map<string, number>; readonly day: GasDay }> {
  const keys = [...new Set(wishes.flatMap(({ counts }) => counts.map(({ key }) => key)))].toSorted()
  const { rows } = await client.query<CountRow>({
    name: 'gas-hold',
    text: `insert into gas_spent as g (day, key, gas) select ${utcDay}, key, 0 from unnest($1::text[]) key
      on conflict (day, key) do update set gas = g.gas returning key, gas, ${dayColumns}`,
    values: [keys],
  })
  const [first] = rows
  if (first === undefined) throw new Error('a wish is counted against something')
  return {
    counted: new Map(rows.map(({ key, gas }) => [key, Number(gas)])),
    day: dayOf(first),
  }
}

function addGas(client: PoolClient, added: ReadonlyMap<string, number>): Promise<unknown> {
  return client.query({
    name: 'gas-add',
    text: `update gas_spent g set gas = g.gas + a.gas from unnest($1::text[], $2::bigint[]) a (key, gas)
      where g.day = ${utcDay} and g.key = a.key`,
    values: [[...added.keys()], [...added.values()]],
  })
}

/** Who was refused leaves no row. */
function forgetEmpty(client: PoolClient, keys: readonly string[]): Promise<unknown> {
  return client.query({
    name: 'gas-forget-empty',
    text: `delete from gas_spent where day = ${utcDay} and key = any($1) and gas = 0`,
    values: [keys],
  })
}

/** Who gets what, first come, first served; `counted` grows by what was added. */
export function shareOut(
  wishes: readonly GasWish[],
  counted: Map<string, number>,
): { readonly spent: readonly (string | undefined)[]; readonly added: ReadonlyMap<string, number> } {
  const added = new Map<string, number>()
  const spent = wishes.map(({ counts, gas }) => {
    const full = counts.find(({ key, most, gas: part = gas }) => (counted.get(key) ?? 0) + part > most)
    if (full !== undefined) return full.key
    for (const { key, gas: part = gas } of counts) {
      counted.set(key, (counted.get(key) ?? 0) + part)
      added.set(key, (added.get(key) ?? 0) + part)
    }
    return undefined
  })
  return { spent, added }
}

function unavailable(cause: unknown): never {
  throw notCounted(cause)
}

function notCounted(cause?: unknown): Unavailable {
  // Counting comes before sending.
  return new Unavailable('store_unavailable', 'the settlement store does not answer', {
    status: 503,
    details: { broadcast: false },
    cause,
  })
}
