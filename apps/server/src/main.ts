import process from 'node:process'
import { runProcess, type Running } from '@ergon/process'
import { createApp } from './app.ts'
import { ConfigError } from './config/config-error.ts'
import { copyEvidence } from './copy-evidence.ts'
import { decideConfig, type Config } from './config/config.ts'
import { readEnv } from './config/env.ts'
import { readSecrets, type Secrets } from './config/secrets.ts'
import { reportLines, restoreCheck } from './restore-check.ts'
import { rotateKeys } from './rotate-keys.ts'

const usage = `node apps/server/src/main.ts [COMMAND]
  without one        serves until it is told to stop
  restore-check      after a restore, before servers start: books what the chains know and the database lost
  rotate-oauth-keys  makes the next key of OAuth tokens
  copy-evidence      copies what SVC_DATA_DIR has into the bucket of SVC_S3_ENDPOINT
All settings come from the environment: docs/reference/settings.md`

const commands: ReadonlyMap<string, (config: Config, secrets: Secrets, running: Running) => Promise<void>> = new Map([
  ['serve', serve],
  ['restore-check', checkRestore],
  ['rotate-oauth-keys', rotateOAuthKeys],
  ['copy-evidence', copyAllEvidence],
])

await runProcess({ name: 'server', plain: ConfigError, leftTo: ' and is left to the leases' }, async (running) => {
  const [command = 'serve'] = process.argv.slice(2)
  const work = commands.get(command)
  if (command === '--help' || command === 'help') process.stdout.write(`${usage}\n`)
  else if (work === undefined)
    throw new ConfigError(
      `there is no command ${command}; there are restore-check, rotate-oauth-keys and copy-evidence`,
    )
  else {
    const raw = readEnv(process.env)
    const config = decideConfig(raw)
    await work(config, readSecrets(raw, config), running)
  }
})

async function serve(config: Config, secrets: Secrets, { stopRequested, end }: Running): Promise<void> {
  // Told to stop while it waits for its database, it has nothing to end.
  const app = await Promise.race([createApp(config, secrets), stopRequested])
  if ('told' in app) return
  process.stdout.write(`server listening on ${await app.listen()}\n`)
  await stopRequested
  await end(app)
}

async function rotateOAuthKeys(config: Config): Promise<void> {
  const signsFrom = await rotateKeys(config, new Date())
  process.stdout.write(`the next key of OAuth tokens is shown now and signs from ${signsFrom.toISOString()}\n`)
}

async function copyAllEvidence(config: Config, secrets: Secrets): Promise<void> {
  const { copied, there, missing } = await copyEvidence(config, secrets)
  process.stdout.write(`copied ${String(copied)} files, and ${String(there)} were there\n`)
  for (const key of missing) process.stdout.write(`missing ${key}\n`)
  if (missing.length > 0) process.exitCode = 1
}

async function checkRestore(config: Config, secrets: Secrets, { stopRequested }: Running): Promise<void> {
  // What is booked is booked: a check that was stopped is begun again.
  const report = await Promise.race([restoreCheck(config, secrets, { told: tell }), stopRequested])
  if ('told' in report) {
    tell('stopped before everything was read: run it again before a server starts')
    process.exitCode = 130
    return
  }
  process.stdout.write(`${reportLines(report).join('\n')}\n`)
  if (report.findings.length > 0 || report.unread.length > 0) process.exitCode = 1
}

function tell(line: string): void {
  process.stderr.write(`restore-check: ${line}\n`)
}
