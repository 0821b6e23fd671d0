export { createMemoryDatabase, type DatabaseRows, type MemoryDatabase } from './memory-database.ts'
export { createMemoryStore, type StoreDeps } from './memory-store.ts'
export { DatabaseError } from './engine/errors.ts'
export type { Commit } from './engine/line.ts'
