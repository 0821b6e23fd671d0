import type { Party } from '@ergon/contract'
import { parseUsd, publicStatuses, type Store } from '@ergon/core'
import type { Pool } from 'pg'

export type AvailableFilter = Parameters<Store['availableTasks']>[0]
export type TaskFilter = Parameters<Store['tasks']>[0]
type Box = AvailableFilter['box']

/** A question mark is where the value goes, however often; the type is that of the value. */
type Condition = { readonly text: string; readonly value?: unknown; readonly type?: ValueType }
type ValueType = 'text' | 'timestamptz' | 'bigint' | 'float8[]' | 'tsquery'

/** What rows of tasks `t` have to be: the condition with `$1` and on for its values, and how it is said otherwise. */
export type Where = {
  readonly text: string
  readonly values: readonly unknown[]
  /** The same, each value where `at` says it is; `index` counts from 0. */
  readonly saying: (at: (index: number, type: ValueType) => string) => string
}

/** What a list of tasks holds. */
export async function listedWhere(pool: Pool, filter: TaskFilter): Promise<Where> {
  const conditions: Condition[] = []
  const isPublic = publicStatuses.some((status) => status === filter.status)
  const isOpen = filter.status === 'published'
  if (!filter.anyStatus)
    conditions.push(
      { text: notBanned },
      { text: notHidden },
      { text: isOpen ? notOrderedOpen : notOrdered },
      { text: notStream },
    )
  if (!filter.anyStatus && !isPublic) conditions.push({ text: publicCondition })
  // Said in the text: statements are planned without their values, and the open tasks have indexes of their own.
  if (isOpen) conditions.push({ text: open })
  else if (filter.status !== null) conditions.push({ text: 't.status = ?', value: filter.status, type: 'text' })
  if (filter.category !== null) conditions.push({ text: 't.category = ?', value: filter.category, type: 'text' })
  if (filter.network !== null) conditions.push({ text: 't.network = ?', value: filter.network, type: 'text' })
  if (filter.byPeople === true) conditions.push({ text: "t.publisher_type = 'human'" })
  if (filter.publisher !== null)
    conditions.push({ text: 't.publisher_wallet = ?', value: filter.publisher, type: 'text' })
  conditions.push(...takenBy(filter.takenBy), ...(await withWords(pool, filter.words)))
  return whereOf(conditions)
}

/** What can be taken now and passes a filter; of tasks `t`. */
export async function availableWhere(pool: Pool, filter: AvailableFilter, now: Date): Promise<Where> {
  const conditions: Condition[] = [
    { text: open },
    { text: 't.deadline > ?', value: now, type: 'timestamptz' },
    { text: notBanned },
    { text: notHidden },
    { text: notOrderedOpen },
    { text: notStream },
  ]
  if (filter.category !== null) conditions.push({ text: 't.category = ?', value: filter.category, type: 'text' })
  if (filter.network !== null) conditions.push({ text: 't.network = ?', value: filter.network, type: 'text' })
  if (filter.target !== null) conditions.push({ text: "t.target in ('any', ?)", value: filter.target, type: 'text' })
  conditions.push(...takenBy(filter.takenBy))
  if (filter.minBountyUsd !== null)
    conditions.push({ text: 't.bounty_atomic >= ?', value: atomicOf(filter.minBountyUsd), type: 'bigint' })
  if (filter.maxBountyUsd !== null)
    conditions.push({ text: 't.bounty_atomic <= ?', value: atomicOf(filter.maxBountyUsd), type: 'bigint' })
  conditions.push(...inBox(filter.box), ...(await withWords(pool, filter.words)))
  return whereOf(conditions)
}

/** What an executor of a party may take (spec §1.3). */
const takenBy = (party: Party | null | undefined): readonly Condition[] =>
  party === undefined || party === null ? [] : [{ text: "t.target in ('any', ?)", value: party, type: 'text' }]

/** The query is made before it is planned with, so that the plan knows how rare its words are. */
async function withWords(pool: Pool, words: AvailableFilter['words']): Promise<readonly Condition[]> {
  if (words === undefined || words === null) return []
  const { rows } = await pool.query<{ query: string }>({
    name: 'search-query',
    text: 'select search_query($1)::text as query',
    values: [words],
  })
  return [
    {
      text: `t.id in (select s.task_id from task_search s where s.words @@ ?::tsquery)`,
      value: rows[0]?.query,
      type: 'tsquery',
    },
  ]
}

/** Each value is a pair; the public area is compared, never the place. */
function inBox(box: Box): readonly Condition[] {
  if (box === undefined || box === null) return []
  const { west, south, east, north } = box
  const word = west <= east ? 'and' : 'or'
  return [
    {
      text: 't.area_lat >= (?::float8[])[1] and t.area_lat <= (?::float8[])[2]',
      value: `{${String(south)},${String(north)}}`,
      type: 'float8[]',
    },
    {
      text: `(t.area_lng >= (?::float8[])[1] ${word} t.area_lng <= (?::float8[])[2])`,
      value: `{${String(west)},${String(east)}}`,
      type: 'float8[]',
    },
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
const publicCondition = `t.status in (${publicStatuses.map((status) => `'${status}'`).join(', ')})`

function whereOf(conditions: readonly Condition[]): Where {
  const valued = conditions.filter(({ type }) => type !== undefined)
  const saying: Where['saying'] = (at) =>
    conditions
      .map((one) => (one.type === undefined ? one.text : one.text.replaceAll('?', at(valued.indexOf(one), one.type))))
      .join(' and ') || 'true'
  return { text: saying((index) => `$${String(index + 1)}`), values: valued.map(({ value }) => value), saying }
}

/** Planned each time anew: words differ more than any other filter. */
export const isSearch = ({ text }: Where): boolean => text.includes('task_search')
