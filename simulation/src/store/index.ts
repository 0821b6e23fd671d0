export { createMemoryDatabase, type MemoryDatabase } from './memory-database.ts'
export { createMemoryStore } from './memory-store.ts'
export type { Commit } from './engine/line.ts'
