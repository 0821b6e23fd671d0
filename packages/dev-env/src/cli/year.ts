import { readYearOptions, yearUsage } from '../year/options.ts'
import { linesOf } from '../year/report.ts'
import { runYear } from '../year/year.ts'

const begun = performance.now()
const narrate = (line: string): void => {
  console.error(`  ${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}`)
}

/** Ends with 0 when nothing was lost, doubled, left out of the books or left in doubt, and the audit agrees. */
async function main(words: readonly string[]): Promise<number> {
  const options = readYearOptions(words)
  if (options.help) {
    console.log(yearUsage)
    return 0
  }
  const report = await Promise.race([runYear({ ...options, narrate }), overAfter(options.seconds + graceSeconds)])
  for (const line of linesOf(report)) console.log(line)
  console.log(report.ok ? '  The year went well.' : '  The year found something.')
  if (options.json) console.log(JSON.stringify(report))
  return report.ok ? 0 : 1
}

/** The parts bound themselves; this is for whatever hangs all the same. */
const graceSeconds = 20

function overAfter(seconds: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => {
      reject(new Error(`the year was not over after ${String(seconds)} s`))
    }, seconds * 1_000).unref()
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        reject(new Error(`ended by ${signal}`))
      })
  })
}

const words = process.argv.slice(2)
try {
  process.exitCode = await main(words)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`  ${message}`)
  if (words.includes('--json')) console.log(JSON.stringify({ ok: false, error: message }))
  process.exitCode = 1
}
// What a fault left waiting ends with the program.
process.exit()
