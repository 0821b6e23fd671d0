import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// What was compiled once is read from disk by this process and by the services it starts: a third of the wait.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../../../.cache/compiled', import.meta.url))
enableCompileCache(process.env['NODE_COMPILE_CACHE'])
await import('./run-start.ts')
