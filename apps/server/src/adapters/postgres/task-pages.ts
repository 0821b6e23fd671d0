import type { Party } from '@ergon/contract'
import { parseUsd, publicStatuses, type Page, type PageRequest, type Store, type TaskView } from '@ergon/core'
import type { Pool } from 'pg'
import { taskViewColumns, taskViewJoins, toTaskView, type TaskViewRow } from './rows.ts'
import { pageOf } from './page-of.ts'

type Box = Parameters<Store['availableTasks']>[0]['box']
type Condition = { readonly text: string; readonly value: unknown }
type Where = { readonly key: string; readonly text: string; readonly values: readonly unknown[] }

/** Totals of public lists may be this old (decision 0007). */
const totalAgeMs = 2_000
const totalsKept = 500

/**
 * Pages of tasks, newest first. Ids are UUIDv7, so their order is the order of publishing and one column is the key.
 */
export function createTaskPages(pool: Pool): Pick<Store, 'tasks' | 'availableTasks'> {
  const totals = createTotals(pool)
  return {
    async tasks(filter, page) {
      const conditions: Condition[] = []
      const isPublic = publicStatuses.some((status) => status === filter.status)
      if (!filter.anyStatus)
        conditions.push(
          { text: notBanned, value: undefined },
          { text: notHidden, value: undefined },
          { text: notOrdered, value: undefined },
        )
      if (!filter.anyStatus && !isPublic) conditions.push({ text: 'public', value: undefined })
      if (filter.status !== null) conditions.push({ text: 't.status = ?', value: filter.status })
      if (filter.category !== null) conditions.push({ text: 't.category = ?', value: filter.category })
      if (filter.network !== null) conditions.push({ text: 't.network = ?', value: filter.network })
      if (filter.byPeople === true) conditions.push({ text: "t.publisher_type = 'human'", value: undefined })
      if (filter.publisher !== null) conditions.push({ text: 't.publisher_wallet = ?', value: filter.publisher })
      conditions.push(...takenBy(filter.takenBy))
      return readPage(pool, totals, whereOf(conditions), page, filter.anyStatus ? `, ${applicants}` : '')
    },
    async availableTasks(filter, page, now) {
      const conditions: Condition[] = [
        { text: "t.status = 'published'", value: undefined },
        { text: 't.deadline > ?', value: now },
        { text: notBanned, value: undefined },
        { text: notHidden, value: undefined },
        { text: notOrdered, value: undefined },
      ]
      if (filter.category !== null) conditions.push({ text: 't.category = ?', value: filter.category })
      if (filter.network !== null) conditions.push({ text: 't.network = ?', value: filter.network })
      if (filter.target !== null) conditions.push({ text: "t.target in ('any', ?)", value: filter.target })
      conditions.push(...takenBy(filter.takenBy))
      if (filter.minBountyUsd !== null)
        conditions.push({ text: 't.bounty_atomic >= ?', value: atomicOf(filter.minBountyUsd) })
      if (filter.maxBountyUsd !== null)
        conditions.push({ text: 't.bounty_atomic <= ?', value: atomicOf(filter.maxBountyUsd) })
      conditions.push(...inBox(filter.box))
      return readPage(pool, totals, whereOf(conditions), page)
    },
  }
}

/** What an executor of a party may take (spec §1.3). */
const takenBy = (party: Party | null | undefined): readonly Condition[] =>
  party === undefined || party === null ? [] : [{ text: "t.target in ('any', ?)", value: party }]

/** Each value is a pair; the public area is compared, never the place. */
function inBox(box: Box): readonly Condition[] {
  if (box === undefined || box === null) return []
  const { west, south, east, north } = box
  const word = west <= east ? 'and' : 'or'
  return [
    { text: 't.area_lat >= (?::float8[])[1] and t.area_lat <= (?::float8[])[2]', value: [south, north] },
    { text: `(t.area_lng >= (?::float8[])[1] ${word} t.area_lng <= (?::float8[])[2])`, value: [west, east] },
  ]
}

/** Every token of the network table has six decimals; a test walks the table. */
const atomicOf = (usd: string): bigint => parseUsd(usd, { symbol: 'USDC', network: 'any', decimals: 6 }).atomic

/** Asked as a hashed list, so that the order of the page still decides the plan (decision 0057). */
const notBanned = 't.publisher_wallet not in (select wallet from bans)'
/** In the same way (decision 0120). */
const notHidden = 't.id not in (select target_id from hidden)'
/** An order is in no public feed until its seller was assigned, or its buyer opened it (spec §1.7). */
const notOrdered = "(t.status <> 'published' or t.ordered_from is null)"
/** Who waits to be chosen, as `applications` counts them. */
const applicants = `(select count(*)::int from applications a join workers u on u.id = a.executor_id
      where a.task_id = t.id and a.status = 'pending' and u.wallet not in (select wallet from bans)) as applicants`
const publicCondition = `t.status in (${publicStatuses.map((status) => `'${status}'`).join(', ')})`

function whereOf(conditions: readonly Condition[]): Where {
  const values: unknown[] = []
  const texts = conditions.map(({ text, value }) => {
    if (text === 'public') return publicCondition
    if (!text.includes('?')) return text
    values.push(value)
    return text.replaceAll('?', `$${String(values.length)}`)
  })
  const text = texts.length === 0 ? 'true' : texts.join(' and ')
  return { key: text, text, values }
}

type Totals = (where: Where) => Promise<number>

function createTotals(pool: Pool): Totals {
  const known = new Map<string, { readonly total: Promise<number>; readonly until: number }>()
  return (where) => {
    const key = `${where.text}|${where.values.map((value) => (value instanceof Date ? 'now' : String(value))).join('|')}`
    const now = performance.now()
    const kept = known.get(key)
    if (kept !== undefined && kept.until > now) return kept.total
    const total = pool
      .query<{ count: bigint }>(`select count(*) from tasks t where ${where.text}`, [...where.values])
      .then(({ rows }) => Number(rows[0]?.count ?? 0n))
    if (known.size >= totalsKept) known.clear()
    known.set(key, { total, until: now + totalAgeMs })
    total.catch(() => known.delete(key))
    return total
  }
}

async function readPage(
  pool: Pool,
  totals: Totals,
  where: Where,
  page: PageRequest,
  more = '',
): Promise<Page<TaskView>> {
  const { limit, offset, cursor } = page
  const values = [...where.values]
  const after = cursor === null ? '' : ` and t.id < $${String(values.push(cursor))}`
  const limitAt = `$${String(values.push(limit + 1))}`
  const offsetAt = cursor === null && offset > 0 ? ` offset $${String(values.push(offset))}` : ''
  const text = `select ${taskViewColumns}${more} from tasks t ${taskViewJoins} where ${where.text}${after}
    order by t.id desc limit ${limitAt}${offsetAt}`
  const [{ rows }, total] = await Promise.all([
    pool.query<TaskViewRow>({ name: nameOf(text), text, values }),
    totals(where),
  ])
  return pageOf(rows, total, page, toTaskView)
}

const names = new Map<string, string>()

/** Prepared statements need a name a text; the texts are few: one for each set of filters. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `tasks-page-${String(names.size)}`
  names.set(text, name)
  return name
}
