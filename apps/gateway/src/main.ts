import process from 'node:process'
import { createGateway } from './app.ts'
import { decideConfig, readSecrets } from './config/config.ts'
import { StartupError } from './errors.ts'

// Whoever started this may have closed its end; there is nobody to tell then.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const stopRequested = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'])
    process.once(signal, () => {
      resolve()
    })
})
/** Service managers kill a process that takes longer. */
const stopLimitMs = 20_000

try {
  const config = decideConfig(process.env)
  const gateway = await Promise.race([createGateway(config, readSecrets(process.env, config)), stopRequested])
  if (gateway !== undefined) {
    process.stdout.write(`gateway listening on ${await gateway.listen()}\n`)
    await stopRequested
    await Promise.race([gateway[Symbol.asyncDispose](), new Promise((resolve) => setTimeout(resolve, stopLimitMs))])
  }
} catch (error) {
  const text = error instanceof StartupError ? error.message : String(error instanceof Error ? error.stack : error)
  process.stderr.write(`gateway: ${text}\n`)
  process.exitCode = 1
}
process.exit()
