import process from 'node:process'
import { runProcess } from '@ergon/process'
import { createFacilitator } from './app.ts'
import { decideConfig } from './config/config.ts'
import { readEnv } from './config/env.ts'
import { refuseInProduction } from './config/production.ts'
import { readSecrets } from './config/secrets.ts'
import { StartupError } from './errors.ts'

const asProcess = { name: 'facilitator', plain: StartupError, leftTo: '; the next start goes on' }

await runProcess(asProcess, async ({ stopRequested, end }) => {
  const config = decideConfig(readEnv(process.env))
  const secrets = readSecrets(process.env, config.metrics)
  refuseInProduction(config, secrets, process.env)
  // Told to stop while it waits for its database or account, it has nothing to end.
  const facilitator = await Promise.race([createFacilitator(config, secrets), stopRequested])
  if ('told' in facilitator) return
  process.stdout.write(`facilitator listening on ${await facilitator.listen()}\n`)
  const failure = await Promise.race([stopRequested, facilitator.failed])
  await end(facilitator)
  if (failure instanceof Error) throw failure
})
