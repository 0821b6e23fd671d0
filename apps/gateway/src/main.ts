import process from 'node:process'
import { runProcess } from '@ergon/process'
import { createGateway } from './app.ts'
import { decideConfig, readSecrets } from './config/config.ts'
import { StartupError } from './errors.ts'

const asProcess = { name: 'gateway', plain: StartupError, leftTo: '; the next start goes on' }

await runProcess(asProcess, async ({ stopRequested, end }) => {
  const config = decideConfig(process.env)
  const gateway = await Promise.race([createGateway(config, readSecrets(process.env, config)), stopRequested])
  if ('told' in gateway) return
  process.stdout.write(`gateway listening on ${await gateway.listen()}\n`)
  await stopRequested
  await end(gateway)
})
