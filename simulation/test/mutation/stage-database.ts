import type { Amount, Store } from '@ergon/core'
import { statements } from './stage-statements.ts'
import { allRows } from '../../src/store/engine/table.ts'
import { createMemoryDatabase, createMemoryStore, type MemoryDatabase } from '../../src/store/index.ts'

type Rows = { readonly rows: readonly object[]; readonly rowCount: number }
/** The same names as apps/server/test/market/stage-database.ts has. */
type StageDatabase = {
  readonly store: Store
  readonly pool: { query(text: string, values?: readonly unknown[]): Promise<Rows>; end(): Promise<void> }
  readonly databaseUrl: string
  drop(): Promise<void>
}

/**
 * What a stage keeps its market in while mutants are tried: the store of the simulation, which one suite holds equal to
 * ours on PostgreSQL. It knows the few statements of `statements`; a test that asks another one fails here, and tries
 * mutants on PostgreSQL.
 */
export function openStageDatabase(): Promise<StageDatabase> {
  const disk = createMemoryDatabase()
  const store = createMemoryStore({
    disk,
    connection: 'stage',
    identityNetwork: 'localnet',
    point: () => undefined,
    commit: () => 'commit',
  })
  const addresses = new Map<string, string>()
  return Promise.resolve({
    store: {
      ...store,
      payoutAddress: (id) => Promise.resolve(addresses.get(id) ?? null),
      putPayoutAddress: (id, address) => {
        addresses.set(id, address)
        return Promise.resolve()
      },
      accruedFees: () => Promise.resolve(accrued(disk)),
      auditLines: (subject, { limit, offset }) => {
        const all = allRows(
          undefined,
          disk.disk.tables.auditLog,
          (line) => subject === null || line.subject === subject,
        )
        const rows = all.toReversed().slice(offset, offset + limit)
        const hasMore = all.length > offset + limit
        return Promise.resolve({ rows, total: all.length, offset, hasMore, nextCursor: null })
      },
    },
    pool: {
      async query(text, values = []) {
        const answer = typeof text === 'string' ? statements[text.replaceAll(/\s+/g, ' ').trim()] : undefined
        if (answer === undefined) throw new Error(`not in memory: ${text}`)
        const rows = await answer(disk, values)
        return { rows, rowCount: rows.length }
      },
      end: () => Promise.resolve(),
    },
    databaseUrl: 'memory:',
    drop: () => Promise.resolve(),
  })
}

/** What the stage's one token has brought in for us and was not swept yet. */
function accrued({ rows }: MemoryDatabase): readonly Amount[] {
  const own = rows.ledger().filter(({ account }) => account === 'operator')
  const tokens = Map.groupBy(own, ({ network, token }) => `${network} ${token}`)
  return [...tokens.values()].flatMap((lines): Amount[] => {
    const atomic = lines.reduce((sum, line) => sum + line.atomic, 0n)
    const [first] = lines
    if (first === undefined || atomic <= 0n) return []
    return [{ atomic, asset: { network: first.network, symbol: first.token, decimals: 6 } }]
  })
}
