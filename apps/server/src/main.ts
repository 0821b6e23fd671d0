import process from 'node:process'
import { createApp } from './app.ts'
import { ConfigError } from './config/config-error.ts'
import { decideConfig } from './config/config.ts'
import { readEnv } from './config/env.ts'
import { readSecrets } from './config/secrets.ts'

// Whoever started this may have closed its end; there is nobody to tell then.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const stopRequested = new Promise<void>((resolve) => {
  process.once('SIGINT', () => {
    resolve()
  })
  process.once('SIGTERM', () => {
    resolve()
  })
  // A parent that dies takes its services with it.
  process.once('disconnect', () => {
    resolve()
  })
})

try {
  const raw = readEnv(process.env)
  const config = decideConfig(raw)
  await using app = await createApp(config, readSecrets(raw, config))
  await app.listen()
  process.stdout.write(`server listening on ${app.url}\n`)
  await stopRequested
} catch (error) {
  process.stderr.write(
    error instanceof ConfigError
      ? `server: ${error.message}\n`
      : `server: ${String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exitCode = 1
}
process.exit()
