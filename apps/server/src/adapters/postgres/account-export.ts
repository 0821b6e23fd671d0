import type { AccountStore } from '@ergon/core'
import type { Pool } from 'pg'
import { accountSections, type AccountSection } from './account-sections.ts'

const pageRows = 200

/** Rows of one wallet as PostgreSQL writes them in JSON: numbers are never read on the way. */
export function createAccountExport(pool: Pool): Pick<AccountStore, 'exportSections' | 'exportProfile' | 'exportPage'> {
  const sections = new Map(accountSections.map((one) => [one.name, one]))
  return {
    exportSections: accountSections.map(({ name }) => name),
    async exportProfile(wallet) {
      const { rows } = await pool.query<{ row: string }>({
        name: 'account-profile',
        text: 'select to_jsonb(x)::text as row from workers x where x.wallet = $1',
        values: [wallet],
      })
      return rows[0]?.row ?? null
    },
    async exportPage(name, { wallet, executorId }, after) {
      const section = sections.get(name)
      if (section === undefined) throw new Error(`an account has no part ${name}`)
      const { rows } = await pool.query<{ row: string; place: string }>({
        name: `account-${name}`,
        text: pageText(section),
        values: [wallet, executorId, after],
      })
      const shown = rows.slice(0, pageRows)
      return { rows: shown.map(({ row }) => row), next: rows.length > pageRows ? (shown.at(-1)?.place ?? null) : null }
    },
  }
}

/** Both parameters are named in every part, so that PostgreSQL knows their types. */
function pageText({ table, where, key, keyType, without }: AccountSection): string {
  return `select (to_jsonb(x) - '{${without.join(',')}}'::text[])::text as row, ${key}::text as place from ${table} x
    where ($1::text is not null or $2::uuid is not null) and (${where})
      and ($3::text is null or ${key} > $3::text::${keyType}) order by ${key} limit ${String(pageRows + 1)}`
}
