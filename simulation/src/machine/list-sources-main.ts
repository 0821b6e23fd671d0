import { registerHooks } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Prints every file of ours that a simulation loads. */
const loaded: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:') && !url.includes('/node_modules/')) loaded.push(fileURLToPath(url))
    return nextLoad(url, context)
  },
})
await import('../run/market-world.ts')
process.stdout.write(`${JSON.stringify(loaded)}\n`)
