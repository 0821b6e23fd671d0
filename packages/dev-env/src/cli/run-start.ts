import { once } from 'node:events'
import { startConstellation } from '../constellation/constellation.ts'
import { logTail } from '../log-tail.ts'
import { readStartOptions, startUsage } from './start-options.ts'
import type { StartOptions } from './start-options.ts'
import { startScreen } from './start-screen.ts'

/** Ends with 0 when it was asked to stop, 1 when it could not start or a part died. */
async function main(): Promise<number> {
  const options = readStartOptions(process.argv.slice(2), process.env)
  if (options.help) {
    console.log(startUsage)
    return 0
  }
  return run(options)
}

async function run(options: StartOptions): Promise<number> {
  const isAskedToStop = Promise.race((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal)))
  if (!options.json)
    console.log(
      '  Starting PostgreSQL, the local chain, the local Solana ledger, the facilitator, the server and the app …',
    )
  // Whoever develops a receiver of webhooks runs it on this machine; the chain is local too.
  const constellation = await startConstellation({
    ...options,
    solana: true,
    env: { server: { SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true', SVC_OAUTH: 'true' } },
  })
  const record = constellation.record()
  // From the start of the process: what the person at the terminal waited for.
  const readySec = performance.now() / 1_000
  console.log(
    options.json
      ? JSON.stringify({ ready: true, ready_seconds: Number(readySec.toFixed(3)), ...record })
      : startScreen(record, readySec),
  )

  const broken = await Promise.race([isAskedToStop.then(() => undefined), constellation.broken])
  if (broken !== undefined) {
    console.error(`  The ${broken} ended by itself. The end of its log:\n${logTail(record.logs[broken] ?? '')}`)
  } else if (!options.json) {
    console.log('  Stopping …')
  }
  // Whoever asks twice does not want to wait: the parts die with this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  await constellation.stop()
  return broken === undefined ? 0 : 1
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(`  ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  },
)
