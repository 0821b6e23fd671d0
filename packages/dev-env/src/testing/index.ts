export { createTestDatabase, testPostgres } from './test-database.ts'
export type { TestDatabase, TestDatabaseOptions } from './test-database.ts'
