import { once } from 'node:events'
import { startConstellation } from '../constellation/constellation.ts'
import type { Constellation } from '../constellation/constellation.ts'
import { findRunning } from '../constellation/record.ts'
import { demoUsage, readDemoOptions } from '../demo/demo-options.ts'
import type { DemoOptions } from '../demo/demo-options.ts'
import { runDemo, verdict } from '../demo/demo.ts'
import { createNarrator } from '../demo/narrator.ts'

/** Ends with 0 when every figure read from the chain is as it should be. */
async function main(): Promise<number> {
  const options = readDemoOptions(process.argv.slice(2))
  if (options.help) {
    console.log(demoUsage)
    return 0
  }
  const running = findRunning(options.dataDir)
  if (running !== undefined && (options.paymentMode === undefined || options.paymentMode === running.paymentMode)) return play(options, running)
  if (running !== undefined) console.error(`  What runs in ${running.dataDir} pays in mode ${running.paymentMode}; another is brought up for this demo.`)
  return playAlone(options)
}

async function playAlone(options: DemoOptions): Promise<number> {
  console.error('  Starting PostgreSQL, the local chain, the facilitator and the server …')
  const abort = new AbortController()
  const stopAsked = Promise.race((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal, { signal: abort.signal }))).then(() => 130, () => 0)
  const constellation: Constellation = await startConstellation({ ephemeral: true, ...(options.paymentMode === undefined ? {} : { paymentMode: options.paymentMode }) })
  try {
    const played = play(options, constellation.record())
    // Whoever asks to stop gets it, whatever is still under way.
    played.catch(() => undefined)
    const code = await Promise.race([played, stopAsked])
    if (!options.keep) {
      console.error('  The chain was started for this demo and ends with it, and so does its RPC URL.')
      return code
    }
    console.error(`  Left up until Ctrl-C: ${constellation.record().serverUrl ?? ''}, chain ${constellation.record().rpcUrl}`)
    await Promise.race([stopAsked, constellation.broken])
    return code
  } finally {
    abort.abort()
    await constellation.stop()
  }
}

async function play(options: DemoOptions, record: ReturnType<Constellation['record']>): Promise<number> {
  const { report, faults } = await runDemo(record, options.bountyAtomic, createNarrator(options.json ? process.stderr : process.stdout))
  const tell = options.json ? console.error : console.log
  tell(`  ${verdict(report, faults)}\n`)
  if (options.json) console.log(JSON.stringify(report))
  return report.ok ? 0 : 1
}

main().then(
  (code) => { process.exitCode = code },
  (error: unknown) => {
    console.error(`  ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  },
)
