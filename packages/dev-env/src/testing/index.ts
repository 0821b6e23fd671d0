export { createTestDatabase, testPostgres } from './test-database.ts'
export type { TestDatabase, TestDatabaseOptions } from './test-database.ts'
export { startNodeProxy } from './node-proxy.ts'
export type { NodeProxy, Refusing } from './node-proxy.ts'
