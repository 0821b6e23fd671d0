export { startPostgres } from './postgres/postgres.ts'
export type { Postgres, PostgresOptions } from './postgres/postgres.ts'
export { freePort } from './ports.ts'
