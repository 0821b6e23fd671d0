import {
  coldStartFloor,
  type ListingFilter,
  type ListingMatch,
  type ListingStore,
  type ListingView,
  type PageRequest,
  type Ranked,
  type Slice,
} from '@ergon/core'
import type { ListingSort } from '@ergon/contract'
import type { Pool } from 'pg'
import { toListingView, type ListingViewRow } from './listing-rows.ts'
import { pageOf, sliceOfRows } from './page-of.ts'
import { readRowPlace, writeRowPlace, type MovingKey, type RowPlace } from './row-place.ts'

const besideListing = 'w.wallet as seller_wallet, w.display_name, w.picture, w.onchain_score, w.tasks_completed'
const fromListings = 'from listings l join workers w on w.id = l.seller_executor_id'
const select = `select l.*, ${besideListing} ${fromListings}`

/** The effective score as the domain computes it; a test holds the two together. */
const effective =
  'coalesce(w.onchain_score, case when w.tasks_completed = 0 then null else least(100, 50 + 10 * w.tasks_completed) end)'

type Sort = {
  /** What is sorted by before the id; both its value and its id may be asked behind. */
  readonly key: string
  readonly type: string
  readonly after: '<' | '>'
  /** Null for the id alone, which never changes. */
  readonly moving: MovingKey | null
}

/** Sort keys, each made unique by the id. Prices and scores change while one pages. */
const sorts: Readonly<Record<ListingSort, Sort>> = {
  recent: { key: 'l.id', type: 'uuid', after: '<', moving: null },
  reputation: {
    key: `coalesce(${effective}, -1)`,
    type: 'double precision',
    after: '<',
    moving: { mark: 'r', form: /^-?[0-9]{1,3}(\.[0-9]{1,20})?(e-[0-9]{1,2})?$/ },
  },
  price: {
    key: 'l.unit_price_micro_usd',
    type: 'bigint',
    after: '>',
    moving: { mark: 'p', form: /^[0-9]{1,18}$/ },
  },
}

/** Reads of listings with their sellers' scores. */
export function createListings(pool: Pool): ListingStore {
  return {
    async listing(id) {
      const { rows } = await pool.query<ListingViewRow>({
        name: 'listing',
        text: `${select} where l.id = $1`,
        values: [id],
      })
      return rows[0] === undefined ? null : toListingView(rows[0])
    },
    async listings(filter, sort, page) {
      const { text, values } = whereOf(filter)
      const count = pool.query<{ count: bigint }>(
        `select count(*) from listings l join workers w on w.id = l.seller_executor_id where ${text}`,
        [...values],
      )
      const [shown, total] = await Promise.all([readPage(pool, { text, values }, sort, page), count])
      const { moving } = sorts[sort]
      return pageOf(shown, Number(total.rows[0]?.count ?? 0n), page, toListingView, ({ id, key }) =>
        moving === null ? id : writeRowPlace(id, moving, key),
      )
    },
    matchingListings: (match, slice) => readMatching(pool, match, slice),
  }
}

/** The listings of a banned seller are found by nobody (decision 0057). */
const notBanned = 'w.wallet not in (select wallet from bans)'
const notHidden = 'l.id not in (select target_id from hidden)'

type Where = { readonly text: string; readonly values: readonly unknown[] }

function whereOf({ availability, category, skills, seller, minReputation, maxPrice }: ListingFilter): Where {
  const conditions: readonly (readonly [string, unknown])[] = [
    ['l.availability = ?', availability],
    ['l.category = ?', category],
    ['l.skills && ?::text[]', skills],
    [seller?.startsWith('0x') === true ? 'w.wallet = ?' : 'l.seller_executor_id = ?', seller],
    [`coalesce(${effective}, ${String(coldStartFloor)}) >= ?`, minReputation],
    ['l.unit_price_micro_usd <= ?', maxPrice === null ? null : maxPrice.atomic],
  ]
  const asked = conditions.filter(([, value]) => value !== null)
  const texts = asked.map(([text], index) => text.replace('?', `$${String(index + 1)}`))
  return { text: [notBanned, notHidden, ...texts].join(' and '), values: asked.map(([, value]) => value) }
}

type KeyedRow = ListingViewRow & { readonly key: string }

async function readPage(pool: Pool, where: Where, sort: ListingSort, page: PageRequest): Promise<readonly KeyedRow[]> {
  const { key, after, moving } = sorts[sort]
  const values = [...where.values]
  const place = page.cursor === null ? null : readRowPlace(page.cursor, moving)
  const from = place === null ? '' : ` and (${key}, l.id) ${after} ${placeText(sorts[sort], place, values)}`
  const limit = `$${String(values.push(page.limit + 1))}`
  const offset = `$${String(values.push(page.cursor === null ? page.offset : 0))}`
  const direction = after === '<' ? ' desc' : ''
  const { rows } = await pool.query<KeyedRow>(
    `select l.*, ${besideListing}, (${key})::text as key ${fromListings} where ${where.text}${from}
      order by ${key}${direction}, l.id${direction} limit ${limit} offset ${offset}`,
    values,
  )
  return rows
}

/** Where the reader has come to; it adds what the text names to the values. */
function placeText({ key, type }: Sort, place: RowPlace, values: unknown[]): string {
  if (place.key !== null)
    return `($${String(values.push(place.key))}::${type}, $${String(values.push(place.id))}::uuid)`
  return `(select ${key}, l.id ${fromListings} where l.id = $${String(values.push(place.id))})`
}

/** The gates of the task, asked of the sellers; best reputation first, then the lower price. */
async function readMatching(pool: Pool, match: ListingMatch, slice: Slice): Promise<Ranked<ListingView>> {
  const { category, maxPrice, network, minReputation, parties, exceptWallet } = match
  const asked = [category, maxPrice.atomic, network, minReputation, parties, exceptWallet]
  const [found, counted] = await Promise.all([
    pool.query<ListingViewRow>({
      name: 'listings-matching',
      text: `${select} where ${matching}
        order by coalesce(${effective}, -1) desc, l.unit_price_micro_usd, l.id desc limit $7 offset $8`,
      values: [...asked, slice.limit + 1, slice.offset],
    }),
    pool.query<{ count: bigint }>({
      name: 'listings-matching-total',
      text: `select count(*) from listings l join workers w on w.id = l.seller_executor_id where ${matching}`,
      values: asked,
    }),
  ])
  return sliceOfRows(found.rows, Number(counted.rows[0]?.count ?? 0n), slice, toListingView)
}

const matching = `${notBanned} and ${notHidden} and l.availability = 'active' and l.category = $1
    and l.unit_price_micro_usd <= $2 and $3 = any(l.accepted_networks)
    and coalesce(${effective}, ${String(coldStartFloor)}) >= $4 and w.party = any($5::text[]) and w.wallet <> $6`
