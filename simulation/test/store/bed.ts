import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@ergon/core'
import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Pool } from 'pg'
import { createPool, createPostgresStore, keepNoLeases, serverSchema } from '@ergon/server/testing'
import { createMemoryDatabase, createMemoryStore, type MemoryDatabase } from '../../src/store/index.ts'
import { memoryRows, postgresRows, type Rows } from './final-rows.ts'

/** A database with several processes on it: ours in memory, or PostgreSQL. */
export type Bed = AsyncDisposable & {
  readonly kind: 'memory' | 'postgres'
  readonly stores: readonly Store[]
  /** Which processes wait for a lock; waits itself until each of `busy` has answered or does. */
  blocked(busy: () => readonly number[]): Promise<readonly number[]>
  /** Cuts the lines of a process. */
  cut(process: number): void
  /** Waits until no older transaction of the database server holds back the stream. */
  caughtUp(): Promise<void>
  rows(): Promise<Rows>
  /** As after the migrations. */
  clear(): Promise<void>
}

export const kinds = ['memory', 'postgres'] as const
export const identityNetwork = 'localnet'

export function openBed(kind: Bed['kind'], processes: number): Promise<Bed> {
  return kind === 'memory' ? Promise.resolve(openMemory(processes)) : openPostgres(processes)
}

export function openMemory(processes: number): Bed & { readonly disk: MemoryDatabase } {
  const disk = createMemoryDatabase()
  const stores = Array.from({ length: processes }, (_, at) =>
    createMemoryStore({
      disk,
      connection: String(at),
      identityNetwork,
      point: () => Promise.resolve(),
      commit: () => 'commit',
    }),
  )
  return {
    kind: 'memory',
    disk,
    stores,
    async blocked(busy) {
      // Nothing there takes time: what has not answered by the next turn waits.
      await turn()
      return busy()
    },
    cut: (process) => disk.dropConnections(String(process)),
    caughtUp: () => Promise.resolve(),
    rows: () => Promise.resolve(memoryRows(disk)),
    clear: () => Promise.reject(new Error('open another one')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

async function openPostgres(processes: number): Promise<Bed> {
  const database = await createTestDatabase(serverSchema)
  const watch = createPool(database.url, { size: 1 })
  // Whoever closes a circle is refused, as in memory: those who waited before have looked for one already.
  await watch.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''10ms''', current_database()); end $$`,
  )
  const lines = Array.from({ length: processes }, () => new Set<() => void>())
  const pools = lines.map((sockets, at) => openPool(database.url, at, sockets))
  for (const pool of pools) keepNoLeases(pool)
  return {
    kind: 'postgres',
    stores: pools.map((pool) => createPostgresStore(pool, { identityNetwork })),
    blocked: (busy) => waiting(watch, busy),
    cut: (process) => {
      for (const destroy of lines[process] ?? []) destroy()
    },
    caughtUp: () => caughtUp(watch),
    rows: () => postgresRows(watch),
    clear: async () => {
      await watch.query(emptied)
    },
    async [Symbol.asyncDispose]() {
      // A test that failed may have left transactions that nobody ends.
      for (const sockets of lines) for (const destroy of sockets) destroy()
      // Whoever still holds a connection of such a transaction never gives it back.
      await Promise.race([Promise.all(pools.map((pool) => pool.end())), pause(1_000)])
      await watch.end()
      await database.drop()
    },
  }
}

/** Without the triggers that keep the ledger and the audit log as they are. */
const emptied = `set session_replication_role = replica;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
      execute format('delete from %I', name);
    end loop;
  end $$;
  insert into admin_version default values; insert into money_audit default values;
  insert into event_epoch (epoch) values (0);
  set session_replication_role = origin`

function openPool(url: string, process: number, sockets: Set<() => void>): Pool {
  const named = new URL(url)
  named.searchParams.set('application_name', `p${String(process)}`)
  const pool = createPool(named.href, { size: 3, onError: () => undefined })
  pool.on('connect', (client) => {
    // The driver's types do not tell of the socket.
    const { connection } = client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
    sockets.add(() => connection.stream.destroy())
  })
  return pool
}

/** A lock that is not granted is waited for, also in the moment before its holder lets go. */
async function waiting(watch: Pool, busy: () => readonly number[]): Promise<readonly number[]> {
  await turn()
  for (const deadline = Date.now() + 20_000; ;) {
    if (busy().length === 0) return []
    const { rows } = await watch.query<{ name: string }>(
      `select distinct a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`,
    )
    const names = new Set(rows.map(({ name }) => name))
    if (busy().every((process) => names.has(`p${String(process)}`))) {
      // Long enough for the deadlock detector to have looked at those who wait by now.
      if (busy().length > 0) await pause(25)
      return busy()
    }
    if (Date.now() > deadline) throw new Error('a statement neither answers nor waits for a lock')
    await pause(1)
  }
}

async function caughtUp(watch: Pool): Promise<void> {
  const {
    rows: [mark],
  } = await watch.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  for (const deadline = Date.now() + 30_000; ;) {
    const {
      rows: [seen],
    } = await watch.query<{ xid: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as xid')
    if (BigInt(seen?.xid ?? 0) > BigInt(mark?.xid ?? 0)) return
    if (Date.now() > deadline) throw new Error('an older transaction is still running')
    await pause(10)
  }
}
