import type { DatabaseLine } from './session-settings.ts'

/** What a database and the role in it are, as far as money or events depend on it. */
export type DatabaseFacts = {
  readonly database: string
  readonly role: string
  readonly encoding: string
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  readonly fsync: boolean
  readonly fullPageWrites: boolean
  /** Whether triggers and foreign keys are left out, as for the copy of another database. */
  readonly isReplica: boolean
  /** Where tables are made; null: nowhere. */
  readonly schema: string | null
  readonly mayCreate: boolean
  /** Where the own tables are, if there are any. */
  readonly schemas: readonly string[]
  /** Other services whose tables are here. */
  readonly strangers: readonly Service[]
  /** How many connections this role may have at most. */
  readonly connections: number
  /** The order of texts is not the one that the indexes were built with. */
  readonly hasOtherOrder: boolean
}

/** The table by which the database of a service is known. */
const tables = { server: 'event_epoch', facilitator: 'account_leases', gateway: 'gateway_migrations' } as const
export type Service = keyof typeof tables

export async function readVersion(line: DatabaseLine): Promise<number> {
  const [row] = (await line.query("select current_setting('server_version_num')::int as version")).rows
  return (row as { readonly version: number }).version // the statement answers one row of this shape
}

/** Asks a database of PostgreSQL 15 at least. */
export async function readFacts(line: DatabaseLine, service: Service): Promise<DatabaseFacts> {
  const { rows } = await line.query(factsSql(service))
  return rows[0] as DatabaseFacts // the statement answers one row of this shape
}

// A missing limit is -1, and a role without one has what all share.
const least = (...limits: readonly string[]): string =>
  `least(${limits.map((limit) => `case when ${limit} < 0 then null else ${limit} end`).join(', ')}`

const isOn = (name: string): string => `current_setting('${name}') = 'on'`

const factsSql = (service: Service): string => `
  with known as (select c.relname::text as name, n.nspname::text as schema
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%')
  select d.datname as database, r.rolname as role, pg_encoding_to_char(d.encoding) as encoding,
    pg_is_in_recovery() as "isStandby", ${isOn('transaction_read_only')} as "isReadOnly",
    ${isOn('fsync')} as fsync, ${isOn('full_page_writes')} as "fullPageWrites",
    current_setting('session_replication_role') = 'replica' as "isReplica",
    current_schema()::text as schema,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
    array(select schema from known where name = '${tables[service]}') as schemas,
    array(select service from (values ${others(service)}) as other (service, name)
      where exists (select from known where known.name = other.name)) as strangers,
    case when r.rolsuper then current_setting('max_connections')::int
      else ${least('r.rolconnlimit', 'd.datconnlimit')},
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) end
      as connections,
    coalesce(d.datcollversion <> pg_database_collation_actual_version(d.oid), false) as "hasOtherOrder"
  from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`

const others = (service: Service): string =>
  Object.entries(tables)
    .filter(([name]) => name !== service)
    .map(([name, table]) => `('${name}', '${table}')`)
    .join(', ')
