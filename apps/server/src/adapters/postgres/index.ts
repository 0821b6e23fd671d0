export { createPool, databaseAnswers } from './pool.ts'
export { createNonceStore } from './nonce-store.ts'
export { createPostgresStore } from './store.ts'
export { migrate } from './migrate.ts'
