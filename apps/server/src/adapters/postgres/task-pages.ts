import type { Page, PageRequest, Store, TaskView } from '@ergon/core'
import type { Pool } from 'pg'
import { createTogether } from '../../surroundings/together.ts'
import { pageOf } from './page-of.ts'
import { readingCells } from './row-cells.ts'
import { readRowPlace, writeRowPlace, type MovingKey, type RowPlace } from './row-place.ts'
import { toTaskView, type TaskViewRow } from './rows.ts'
import { createTotals } from './task-totals.ts'
import { taskViewColumns, taskViewJoins, taskViewNames } from './task-view-columns.ts'
import { availableWhere, isSearch, listedWhere, type AvailableFilter, type Where } from './task-where.ts'
import { troubleOf } from './trouble.ts'

type Order = NonNullable<AvailableFilter['order']>

type Ordered = {
  readonly by: string
  /** The rows behind the one of this id, or behind where it was. */
  readonly after: (id: string, key: string | null) => string
  readonly moving: (MovingKey & { readonly of: (row: TaskViewRow) => string }) | null
}

/**
 * How rows follow one another. Ids are UUIDv7, so their order is the order of publishing and one column is the key of
 * the newest first. A bounty stays what it is; a deadline may be put off while one pages.
 */
const orders: Readonly<Record<Order, Ordered>> = {
  newest: { by: 't.id desc', after: (id) => `t.id < ${id}`, moving: null },
  bounty: {
    by: 't.bounty_atomic desc, t.id desc',
    after: (id) => `(t.bounty_atomic, t.id) < (select c.bounty_atomic, c.id from tasks c where c.id = ${id})`,
    moving: null,
  },
  deadline: {
    by: 't.deadline, t.id',
    after: (id, key) =>
      key === null
        ? `(t.deadline, t.id) > (select c.deadline, c.id from tasks c where c.id = ${id})`
        : `(t.deadline, t.id) > (to_timestamp(${key}::double precision / 1000), ${id})`,
    moving: { mark: 'd', form: /^[0-9]{13}$/, of: ({ deadline }) => String(deadline.getTime()) },
  },
}

function placeIn(order: Order): ((row: TaskViewRow) => string) | undefined {
  const { moving } = orders[order]
  return moving === null ? undefined : (row) => writeRowPlace(row.id, moving, moving.of(row))
}

/** Who waits to be chosen, as `applications` counts them. */
const applicants = `(select count(*)::int from applications a join workers u on u.id = a.executor_id
      where a.task_id = t.id and a.status = 'pending' and u.wallet not in (select wallet from bans)) as applicants`

/** Pages of tasks. */
export function createTaskPages(pool: Pool): Pick<Store, 'tasks' | 'availableTasks'> {
  const totals = createTotals(pool)
  const rows = createRows(pool)
  const read = async (asked: Asked, page: PageRequest): Promise<Page<TaskView>> => {
    const [found, total] = await Promise.all([rows(asked, page), totals(asked.where)])
    return pageOf(found, total, page, toTaskView, placeIn(asked.order))
  }
  return {
    async tasks(filter, page) {
      const where = await listedWhere(pool, filter)
      return read({ where, order: 'newest', more: filter.anyStatus ? `, ${applicants}` : '' }, page)
    },
    async availableTasks(filter, page, now) {
      return read({ where: await availableWhere(pool, filter, now), order: filter.order ?? 'newest', more: '' }, page)
    },
  }
}

type Asked = { readonly where: Where; readonly order: Order; readonly more: string }
type Rows = (asked: Asked, page: PageRequest) => Promise<readonly TaskViewRow[]>

/** So many pages share a statement at the most: at a hundred rows each, what is read at once has an end. */
const mostTogether = 32

/**
 * The rows of a page and one more. Pages of one kind that are asked for while others are read share the next statement
 * (decision 0257). A search is planned with its words, and what skips rows takes as long as it skips: each goes alone.
 */
function createRows(pool: Pool): Rows {
  const kinds = new Map<string, Kind>()
  return async (asked, { limit, offset, cursor }) => {
    const place = cursor === null ? null : readRowPlace(cursor, orders[asked.order].moving)
    const after = place === null ? [] : [place.id, ...(place.key === null ? [] : [place.key])]
    const skipped = cursor === null && offset > 0 ? [offset] : []
    const values = [...asked.where.values, limit + 1, ...after, ...skipped]
    if (isSearch(asked.where) || skipped.length > 0) {
      const text = pageText(asked, place, (index) => `$${String(index + 1)}`)
      return (
        await pool.query<TaskViewRow>({
          text: `${text}${skipped.length > 0 ? ` offset $${String(values.length)}` : ''}`,
          values,
        })
      ).rows
    }
    const key = `${asked.order}${asked.more}${String(after.length)}${asked.where.text}`
    let kind = kinds.get(key)
    if (kind === undefined) {
      const name = `task-pages-${String(kinds.size)}`
      const text = pageText(asked, place, (index, type) => `a.v${String(index)}::${type}`)
      const limitPlace = asked.where.values.length
      kinds.set(key, (kind = createKind(pool, { name, text, valuesEach: values.length, limitPlace })))
    }
    return kind(values)
  }
}

const readRows = readingCells<TaskViewRow & { readonly asked: number }>(['asked', ...taskViewNames, 'applicants'])

type Kind = (values: readonly unknown[]) => Promise<readonly TaskViewRow[]>
type KindOf = {
  readonly name: string
  readonly text: string
  readonly valuesEach: number
  /** Which of the values says how many rows a page has at the most. */
  readonly limitPlace: number
}

function createKind(pool: Pool, { name, text, valuesEach, limitPlace }: KindOf): Kind {
  const columns = Array.from({ length: valuesEach }, (_, index) => String(index))
  const statement = `select a.n::int as asked, p.*
    from unnest(${columns.map((index) => `$${String(Number(index) + 1)}::text[]`).join(', ')})
      with ordinality a (${columns.map((index) => `v${index}`).join(', ')}, n) cross join lateral (${text}) p`
  return createTogether<readonly unknown[], readonly TaskViewRow[]>(
    async (asked, tell) => {
      const values = columns.map((_, index) => asked.map((one) => one[index]))
      const pages = asked.map((): TaskViewRow[] => [])
      await readRows(pool, { name, text: statement, values }, (row) => {
        const page = pages[row.asked - 1]
        page?.push(row)
        if (page === undefined || page.length < Number(asked[row.asked - 1]?.[limitPlace])) return
        // A page that is whole is answered while the next is read, and nothing of it is kept.
        tell(row.asked - 1, page)
        pages[row.asked - 1] = []
      })
      return pages
    },
    { most: mostTogether, isOfOne: (error) => troubleOf(error) === null },
  )
}

/** The page of rows as a statement of its own, its values in the order of `createRows`. */
function pageText(
  { where, order, more }: Asked,
  place: RowPlace | null,
  at: (index: number, type: string) => string,
): string {
  const first = where.values.length
  const key = place === null || place.key === null ? null : at(first + 2, 'text')
  const after = place === null ? '' : ` and ${orders[order].after(at(first + 1, 'uuid'), key)}`
  return `select ${taskViewColumns}${more} from tasks t ${taskViewJoins} where ${where.saying(at)}${after}
    order by ${orders[order].by} limit ${at(first, 'bigint')}`
}
