import process from 'node:process'
import { endsWithin, stopLimitMs } from './ends-within.ts'
import { createApp } from './app.ts'
import { ConfigError } from './config/config-error.ts'
import { decideConfig, type Config } from './config/config.ts'
import { readEnv } from './config/env.ts'
import { readSecrets, type Secrets } from './config/secrets.ts'
import { reportLines, restoreCheck } from './restore-check.ts'
import { rotateKeys } from './rotate-keys.ts'

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
  const secrets = readSecrets(raw, config)
  const command = process.argv[2]
  if (command === undefined) await serve(config, secrets)
  else if (command === 'restore-check') await checkRestore(config, secrets)
  else if (command === 'rotate-oauth-keys') await rotateOAuthKeys(config)
  else throw new ConfigError(`there is no command ${command}; there are restore-check and rotate-oauth-keys`)
} catch (error) {
  process.stderr.write(
    error instanceof ConfigError
      ? `server: ${error.message}\n`
      : `server: ${String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exitCode = 1
}
process.exit()

async function serve(config: Config, secrets: Secrets): Promise<void> {
  // Told to stop while it waits for its database, it has nothing to end.
  const app = await Promise.race([createApp(config, secrets), stopRequested])
  if (app === undefined) return
  await app.listen()
  process.stdout.write(`server listening on ${app.url}\n`)
  await stopRequested
  if (!(await endsWithin(stopLimitMs, app)))
    process.stderr.write(
      `server: what is under way did not end within ${String(stopLimitMs / 1_000)} s and is left to the leases\n`,
    )
}

async function rotateOAuthKeys(config: Config): Promise<void> {
  const signsFrom = await rotateKeys(config, new Date())
  process.stdout.write(`the next key of OAuth tokens is shown now and signs from ${signsFrom.toISOString()}\n`)
}

async function checkRestore(config: Config, secrets: Secrets): Promise<void> {
  const report = await restoreCheck(config, secrets)
  process.stdout.write(`${reportLines(report).join('\n')}\n`)
  if (report.findings.length > 0 || report.unread.length > 0) process.exitCode = 1
}
