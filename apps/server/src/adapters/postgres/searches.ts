import type { Party } from '@ergon/contract'
import type { SavedFilter, SavedSearch, SearchStore, SearchTx } from '@ergon/core'
import type { Pool } from 'pg'
import { fewKeys } from './few-keys.ts'
import { forgetRows } from './forget-rows.ts'
import { availableWhere } from './task-where.ts'
import { tellWallet } from './tell-wallet.ts'
import type { TransactionLine } from './transaction-line.ts'

type Row = {
  wallet: string
  slot: number
  name: string
  filter: SavedFilter
  party: Party
  saved_at: Date
  ends_at: Date
  told_at: Date | null
  seen: string
  due_at: Date
}
type DueRow = Row & { is_banned: boolean }

/** Tasks that one look goes through at the most, of whatever kind they are. */
const lookedAt = 1_000
const ended = { table: 'saved_searches', where: 'ends_at <= $2', order: 'ends_at' }
const columns = 'wallet, slot, name, filter, party, saved_at, ends_at, told_at, seen, due_at'

/** Saved searches in PostgreSQL. */
export function createSearches(pool: Pool): SearchStore {
  return {
    async searches(wallet) {
      const { rows } = await pool.query<Row>({
        name: 'searches-of',
        text: `select ${columns} from saved_searches where wallet = $1 order by slot`,
        values: [wallet],
      })
      return rows.map(toSearch)
    },
    async putSearch(search) {
      const { wallet, slot, name, filter, party, savedAt, endsAt, seen, dueAt } = search
      const { rows } = await pool.query<Row>({
        name: 'search-put',
        text: `insert into saved_searches (wallet, slot, name, filter, party, saved_at, ends_at, seen, due_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
          on conflict (wallet, slot) do update set name = excluded.name, filter = excluded.filter,
            party = excluded.party, saved_at = excluded.saved_at, ends_at = excluded.ends_at,
            due_at = greatest(excluded.due_at, saved_searches.due_at) returning ${columns}`,
        values: [wallet, slot, name, JSON.stringify(filter), party, savedAt, endsAt, seen, dueAt],
      })
      const [row] = rows
      if (row === undefined) throw new Error('an insert that returns its row returned none')
      return toSearch(row)
    },
    async removeSearch(wallet, slot) {
      const { rowCount } = await pool.query({
        name: 'search-remove',
        text: 'delete from saved_searches where wallet = $1 and slot = $2',
        values: [wallet, slot],
      })
      return rowCount === 1
    },
    ...looks(pool),
  }
}

function looks(pool: Pool): Pick<SearchStore, 'leaseSearches' | 'newTasks' | 'restSearches' | 'forgetSearches'> {
  return {
    async leaseSearches(now, leaseUntil, limit) {
      const { rows } = await pool.query<DueRow>({
        name: 'searches-lease',
        text: `with leased as materialized (
            select wallet, slot from saved_searches where due_at <= $1 order by due_at limit $3 for update skip locked)
          update saved_searches s set due_at = $2 from ${fewKeys('leased', ['wallet', 'slot'])} due
          where s.wallet = due.wallet and s.slot = due.slot
          returning s.wallet, s.slot, s.name, s.filter, s.saved_at, s.ends_at, s.told_at, s.seen, s.due_at,
            coalesce((select w.party from workers w where w.wallet = s.wallet), s.party) as party,
            exists (select 1 from bans b where b.wallet = s.wallet) as is_banned`,
        values: [now, leaseUntil, limit],
      })
      return rows.map((row) => ({ ...toSearch(row), isBanned: row.is_banned, heldUntil: row.due_at }))
    },
    async newTasks(filter, { after, until, wallet }, most, now) {
      const { text: where, values: given } = await availableWhere(pool, filter, now)
      const values = [...given]
      const at = (value: unknown): string => `$${String(values.push(value))}`
      const [behind, end, own] = [at(after), at(until), at(wallet)]
      const { rows } = await pool.query<{ upto: string; ids: string[] }>({
        text: `with bound as materialized (
            select coalesce((select id from tasks where id > ${behind} and id < ${end} order by id
              offset ${String(lookedAt - 1)} limit 1), ${end}::uuid) as upto)
          select upto, array(select t.id from tasks t
            where t.id > ${behind} and t.id < ${end} and t.id <= (select upto from bound) and ${where}
              and t.publisher_wallet <> ${own}
              and not exists (select 1 from blocks k
                where (k.blocker = ${own} and k.blocked = t.publisher_wallet)
                  or (k.blocked = ${own} and k.blocker = t.publisher_wallet))
            order by t.id limit ${String(most + 1)}) as ids from bound`,
        values,
      })
      return { taskIds: rows[0]?.ids ?? [], seen: rows[0]?.upto ?? until }
    },
    async restSearches(ends) {
      await pool.query({
        name: 'searches-rest',
        text: `update saved_searches s set seen = e.seen, due_at = e.due_at, told_at = e.told_at
          from unnest($1::text[], $2::smallint[], $3::timestamptz[], $4::uuid[], $5::timestamptz[], $6::timestamptz[])
            as e (wallet, slot, held_until, seen, due_at, told_at)
          where s.wallet = e.wallet and s.slot = e.slot and s.due_at = e.held_until`,
        values: [
          ends.map(({ wallet }) => wallet),
          ends.map(({ slot }) => slot),
          ends.map(({ heldUntil }) => heldUntil),
          ends.map(({ seen }) => seen),
          ends.map(({ dueAt }) => dueAt),
          ends.map(({ toldAt }) => toldAt),
        ],
      })
    },
    forgetSearches: (now, limit) => forgetRows(pool, ended, limit, [now]),
  }
}

export function createSearchTx(client: TransactionLine): SearchTx {
  return {
    async endLook({ wallet, slot, heldUntil }, { seen, dueAt, toldAt }) {
      const { rowCount } = await client.query(
        `update saved_searches set seen = $4, due_at = $5, told_at = $6
          where wallet = $1 and slot = $2 and due_at = $3`,
        [wallet, slot, heldUntil, seen, dueAt, toldAt],
      )
      return rowCount === 1
    },
    tellWallet: (wallet, event) => tellWallet(client, wallet, event),
  }
}

function toSearch(row: Row): SavedSearch {
  const { saved_at: savedAt, ends_at: endsAt, told_at: toldAt, due_at: dueAt, ...rest } = row
  return {
    wallet: rest.wallet,
    slot: rest.slot,
    name: rest.name,
    filter: rest.filter,
    party: rest.party,
    seen: rest.seen,
    ...{ savedAt, endsAt, toldAt, dueAt },
  }
}
