export { createPool } from './pool.ts'
export { createNonceStore, type NonceStore } from './nonce-store.ts'
export { createPostgresStore } from './store.ts'
export { migrate } from './migrate.ts'
