import process from 'node:process'
import { createFacilitator } from './app.ts'
import { decideConfig } from './config/config.ts'
import { readEnv } from './config/env.ts'
import { refuseInProduction } from './config/production.ts'
import { readSecrets } from './config/secrets.ts'
import { StartupError } from './errors.ts'

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
  await using facilitator = await createFacilitator(config, secrets)
  const url = await facilitator.listen()
  process.stdout.write(`facilitator listening on ${url}\n`)
  const failure = await Promise.race([stopRequested, facilitator.failed])
  if (failure instanceof Error) throw failure
} catch (error) {
  process.stderr.write(
    error instanceof StartupError
      ? `facilitator: ${error.message}\n`
      : `facilitator: ${String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exitCode = 1
}
process.exit()
