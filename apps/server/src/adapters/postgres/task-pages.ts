import { limits, type Party } from '@ergon/contract'
import { parseUsd, publicStatuses, type Page, type PageRequest, type Store, type TaskView } from '@ergon/core'
import type { Pool } from 'pg'
import { toTaskView, type TaskViewRow } from './rows.ts'
import { taskViewColumns, taskViewJoins } from './task-view-columns.ts'
import { pageOf } from './page-of.ts'

type AvailableFilter = Parameters<Store['availableTasks']>[0]
type Box = AvailableFilter['box']
type Order = NonNullable<AvailableFilter['order']>
type Condition = { readonly text: string; readonly value: unknown }
type Where = { readonly key: string; readonly text: string; readonly values: readonly unknown[] }

/** Totals of public lists may be this old (decision 0007). */
const totalAgeMs = 2_000
const totalsKept = 500

/**
 * How rows follow one another, and which come after a row whose id the cursor is. Ids are UUIDv7, so their order is the
 * order of publishing and one column is the key of the newest first.
 */
const orders: Readonly<Record<Order, { readonly by: string; readonly after: (cursor: string) => string }>> = {
  newest: { by: 't.id desc', after: (cursor) => `t.id < ${cursor}` },
  bounty: {
    by: 't.bounty_atomic desc, t.id desc',
    after: (cursor) => `(t.bounty_atomic, t.id) < (select c.bounty_atomic, c.id from tasks c where c.id = ${cursor})`,
  },
  deadline: {
    by: 't.deadline, t.id',
    after: (cursor) => `(t.deadline, t.id) > (select c.deadline, c.id from tasks c where c.id = ${cursor})`,
  },
}

/** Pages of tasks. */
export function createTaskPages(pool: Pool): Pick<Store, 'tasks' | 'availableTasks'> {
  const totals = createTotals(pool)
  return {
    async tasks(filter, page) {
      const conditions: Condition[] = []
      const isPublic = publicStatuses.some((status) => status === filter.status)
      const isOpen = filter.status === 'published'
      if (!filter.anyStatus)
        conditions.push(
          { text: notBanned, value: undefined },
          { text: notHidden, value: undefined },
          { text: isOpen ? notOrderedOpen : notOrdered, value: undefined },
          { text: notStream, value: undefined },
        )
      if (!filter.anyStatus && !isPublic) conditions.push({ text: 'public', value: undefined })
      // Said in the text: statements are planned without their values, and the open tasks have indexes of their own.
      if (isOpen) conditions.push({ text: open, value: undefined })
      else if (filter.status !== null) conditions.push({ text: 't.status = ?', value: filter.status })
      if (filter.category !== null) conditions.push({ text: 't.category = ?', value: filter.category })
      if (filter.network !== null) conditions.push({ text: 't.network = ?', value: filter.network })
      if (filter.byPeople === true) conditions.push({ text: "t.publisher_type = 'human'", value: undefined })
      if (filter.publisher !== null) conditions.push({ text: 't.publisher_wallet = ?', value: filter.publisher })
      conditions.push(...takenBy(filter.takenBy), ...(await withWords(pool, filter.words)))
      return readPage(pool, totals, whereOf(conditions), page, 'newest', filter.anyStatus ? `, ${applicants}` : '')
    },
    async availableTasks(filter, page, now) {
      return readPage(pool, totals, await availableWhere(pool, filter, now), page, filter.order ?? 'newest')
    },
  }
}

/** What can be taken now and passes a filter; of tasks `t`. */
export async function availableWhere(pool: Pool, filter: AvailableFilter, now: Date): Promise<Where> {
  const conditions: Condition[] = [
    { text: open, value: undefined },
    { text: 't.deadline > ?', value: now },
    { text: notBanned, value: undefined },
    { text: notHidden, value: undefined },
    { text: notOrderedOpen, value: undefined },
    { text: notStream, value: undefined },
  ]
  if (filter.category !== null) conditions.push({ text: 't.category = ?', value: filter.category })
  if (filter.network !== null) conditions.push({ text: 't.network = ?', value: filter.network })
  if (filter.target !== null) conditions.push({ text: "t.target in ('any', ?)", value: filter.target })
  conditions.push(...takenBy(filter.takenBy))
  if (filter.minBountyUsd !== null)
    conditions.push({ text: 't.bounty_atomic >= ?', value: atomicOf(filter.minBountyUsd) })
  if (filter.maxBountyUsd !== null)
    conditions.push({ text: 't.bounty_atomic <= ?', value: atomicOf(filter.maxBountyUsd) })
  conditions.push(...inBox(filter.box), ...(await withWords(pool, filter.words)))
  return whereOf(conditions)
}

/** What an executor of a party may take (spec §1.3). */
const takenBy = (party: Party | null | undefined): readonly Condition[] =>
  party === undefined || party === null ? [] : [{ text: "t.target in ('any', ?)", value: party }]

/** The query is made before it is planned with, so that the plan knows how rare its words are. */
async function withWords(pool: Pool, words: AvailableFilter['words']): Promise<readonly Condition[]> {
  if (words === undefined || words === null) return []
  const { rows } = await pool.query<{ query: string }>({
    name: 'search-query',
    text: 'select search_query($1)::text as query',
    values: [words],
  })
  return [{ text: `t.id in (select s.task_id from task_search s where s.words @@ ?::tsquery)`, value: rows[0]?.query }]
}

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
const open = "t.status = 'published'"
/** An order is in no public feed until its seller was assigned, or its buyer opened it (spec §1.7). */
const notOrdered = "(t.status <> 'published' or t.ordered_from is null)"
/** The same of open tasks, in the words of the index that counts them (decision 0254). */
const notOrderedOpen = 't.ordered_from is null'
/** A session is between two, and no task that anybody could have taken (decision 0204). */
const notStream = "t.evidence_required <> '{}'"
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

/** Planned each time anew: words differ more than any other filter. */
const isSearch = ({ text }: Where): boolean => text.includes('task_search')

type Totals = (where: Where) => Promise<number>

type Known = { readonly total: Promise<number>; readonly at: number; tookMs: number; isCountedAnew: boolean }

/** The next count ends in time when it takes no longer than so many of the last. */
const patience = 4

/**
 * Before the end of its age a total is counted anew beside those who are still told the last: nobody waits for it. The
 * longer the last count took the earlier, and not before half of the age (decision 0254).
 */
function createTotals(pool: Pool): Totals {
  const known = new Map<string, Known>()
  const count = async (where: Where): Promise<number> => {
    const counted = isSearch(where)
      ? `select count(*) from (select 1 from tasks t where ${where.text} limit ${String(limits.searchCounted)}) found`
      : `select count(*) from tasks t where ${where.text}`
    const { rows } = await pool.query<{ count: bigint }>(counted, [...where.values])
    return Number(rows[0]?.count ?? 0n)
  }
  const keep = (key: string, total: Promise<number>, at: number): void => {
    if (known.size >= totalsKept) known.clear()
    const entry: Known = { total, at, tookMs: 0, isCountedAnew: false }
    known.set(key, entry)
    total.then(
      () => {
        entry.tookMs = performance.now() - at
      },
      () => undefined,
    )
  }
  return (where) => {
    const key = `${where.text}|${where.values.map((value) => (value instanceof Date ? 'now' : String(value))).join('|')}`
    const now = performance.now()
    const kept = known.get(key)
    if (kept === undefined || now - kept.at >= totalAgeMs) {
      const total = count(where)
      keep(key, total, now)
      total.catch(() => known.delete(key))
      return total
    }
    if (now - kept.at >= Math.max(totalAgeMs / 2, totalAgeMs - patience * kept.tookMs) && !kept.isCountedAnew) {
      kept.isCountedAnew = true
      // Whoever asks after the end of its age hears of what was wrong.
      const total = count(where)
      total.then(
        () => {
          keep(key, total, now)
        },
        () => undefined,
      )
    }
    return kept.total
  }
}

async function readPage(
  pool: Pool,
  totals: Totals,
  where: Where,
  page: PageRequest,
  order: Order,
  more = '',
): Promise<Page<TaskView>> {
  const { limit, offset, cursor } = page
  const values = [...where.values]
  const after = cursor === null ? '' : ` and ${orders[order].after(`$${String(values.push(cursor))}`)}`
  const limitAt = `$${String(values.push(limit + 1))}`
  const offsetAt = cursor === null && offset > 0 ? ` offset $${String(values.push(offset))}` : ''
  const text = `select ${taskViewColumns}${more} from tasks t ${taskViewJoins} where ${where.text}${after}
    order by ${orders[order].by} limit ${limitAt}${offsetAt}`
  const [{ rows }, total] = await Promise.all([
    pool.query<TaskViewRow>(isSearch(where) ? { text, values } : { name: nameOf(text), text, values }),
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
