import { once } from 'node:events'
import { startConstellation } from '../constellation/constellation.ts'
import type { Constellation } from '../constellation/constellation.ts'
import { findRunning } from '../constellation/record.ts'
import { demoUsage, readDemoOptions } from '../demo/demo-options.ts'
import type { DemoOptions } from '../demo/demo-options.ts'
import { playChapters } from '../demo/chapters/play-all.ts'
import { runDemo, verdict } from '../demo/demo.ts'
import { createNarrator, type Narrator } from '../demo/narrator.ts'

// Whoever started this may have closed its end; there is nobody to tell then, and the exit code stays true.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** How a demo ended: its exit code, and with `--json` the line that is the last of all. */
type End = { readonly code: number; readonly lastLine?: string }

/** Ends with 0 when every figure read from the chain is as it should be. */
async function main(options: DemoOptions): Promise<End> {
  if (options.help) return { code: 0, lastLine: demoUsage }
  const running = findRunning(options.dataDir)
  if (running !== undefined && isFit(options, running)) return play(options, running)
  if (running !== undefined)
    console.error(
      `  What runs in ${running.dataDir} pays in mode ${running.paymentMode}; another is brought up for this demo.`,
    )
  return playAlone(options)
}

function isFit({ isMetered, paymentMode }: DemoOptions, running: ReturnType<Constellation['record']>): boolean {
  if (isMetered) return running.solana !== undefined
  return paymentMode === undefined || paymentMode === running.paymentMode
}

async function playAlone(options: DemoOptions): Promise<End> {
  console.error('  Starting PostgreSQL, the local chain, the facilitator and the server …')
  const abort = new AbortController()
  const stopAsked = Promise.race(
    (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal, { signal: abort.signal })),
  ).then(
    () => ({ code: 130 }),
    () => ({ code: 0 }),
  )
  const constellation: Constellation = await startConstellation({
    ephemeral: true,
    solana: options.isMetered,
    ...(options.paymentMode === undefined ? {} : { paymentMode: options.paymentMode }),
  })
  try {
    const played = play(options, constellation.record())
    // Whoever asks to stop gets it, whatever is still under way.
    played.catch(() => undefined)
    const end: End = await Promise.race([played, stopAsked])
    if (!options.keep) {
      console.error('  The chain was started for this demo and ends with it, and so does its RPC URL.')
      return end
    }
    if (end.lastLine !== undefined) console.log(end.lastLine)
    console.error(
      `  Left up until Ctrl-C: ${constellation.record().serverUrl ?? ''}, chain ${constellation.record().rpcUrl}`,
    )
    await Promise.race([stopAsked, constellation.broken])
    return { code: end.code }
  } finally {
    abort.abort()
    await constellation.stop()
  }
}

async function play(options: DemoOptions, record: ReturnType<Constellation['record']>): Promise<End> {
  const narrator = createNarrator(options.json ? process.stderr : process.stdout)
  if (options.isMetered) return playMeteredJob(options, record, narrator)
  const { report, faults } = await runDemo(record, options.bountyAtomic, narrator, options.via)
  const tell = options.json ? console.error : console.log
  tell(`  ${verdict(report, faults)}\n`)
  if (!options.all) return { code: report.ok ? 0 : 1, ...(options.json ? { lastLine: JSON.stringify(report) } : {}) }
  const chapters = await playChapters(record, options.bountyAtomic, narrator)
  for (const { name, faults: off } of chapters)
    tell(`  ${name}: ${off.length === 0 ? 'every figure agrees with the chain' : off.join('; ')}`)
  const ok = report.ok && chapters.every((chapter) => chapter.ok)
  const scenes = chapters.map(({ name, ok: isOk }) => ({ name, ok: isOk }))
  return {
    code: ok ? 0 : 1,
    ...(options.json ? { lastLine: JSON.stringify({ ...report, ok, scenes, chapters }) } : {}),
  }
}

async function playMeteredJob(
  options: DemoOptions,
  record: ReturnType<Constellation['record']>,
  narrator: Narrator,
): Promise<End> {
  // The client of Solana is large, and the other demos do without it.
  const { meteredVerdict, runMeteredDemo } = await import('../demo/metered/metered-demo.ts')
  const { report, faults } = await runMeteredDemo(record, options.bountyAtomic, narrator)
  const tell = options.json ? console.error : console.log
  tell(`  ${meteredVerdict(report, faults)}\n`)
  return { code: report.ok ? 0 : 1, ...(options.json ? { lastLine: JSON.stringify(report) } : {}) }
}

/** A program that reads the last line learns of a failure there too. */
async function run(): Promise<End> {
  const words = process.argv.slice(2)
  try {
    return await main(readDemoOptions(words))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    console.error(`  ${message}`)
    return { code: 1, ...(words.includes('--json') ? { lastLine: JSON.stringify({ ok: false, error: message }) } : {}) }
  }
}

const { code, lastLine } = await run()
if (lastLine !== undefined) console.log(lastLine)
process.exitCode = code
