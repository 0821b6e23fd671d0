import process from 'node:process'
import { endsWithin, stopLimitMs } from './ends-within.ts'
import { createFacilitator } from './app.ts'
import { decideConfig } from './config/config.ts'
import { readEnv } from './config/env.ts'
import { refuseInProduction } from './config/production.ts'
import { readSecrets } from './config/secrets.ts'
import { StartupError } from './errors.ts'

// Whoever started this may have closed its end; there is nobody to tell then.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const stopRequested = new Promise<string>((resolve) => {
  process.once('SIGINT', () => {
    resolve('SIGINT')
  })
  process.once('SIGTERM', () => {
    resolve('SIGTERM')
  })
  // A parent that dies takes its services with it.
  process.once('disconnect', () => {
    resolve('disconnect')
  })
})

try {
  const config = decideConfig(readEnv(process.env))
  const secrets = readSecrets(process.env)
  refuseInProduction(config, secrets, process.env)
  // Told to stop while it waits for its database or account, it has nothing to end.
  const facilitator = await Promise.race([createFacilitator(config, secrets), stopRequested])
  if (typeof facilitator !== 'string') {
    const url = await facilitator.listen()
    process.stdout.write(`facilitator listening on ${url}\n`)
    const failure = await Promise.race([stopRequested, facilitator.failed])
    if (!(await endsWithin(stopLimitMs, facilitator)))
      process.stderr.write(
        `facilitator: what is under way did not end within ${String(stopLimitMs / 1_000)} s; the next start goes on\n`,
      )
    if (failure instanceof Error) throw failure
  }
} catch (error) {
  process.stderr.write(
    error instanceof StartupError
      ? `facilitator: ${error.message}\n`
      : `facilitator: ${String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exitCode = 1
}
process.exit()
