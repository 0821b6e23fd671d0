import { readStormOptions, stormUsage } from '../storm/options.ts'
import { runStorm } from '../storm/storm.ts'
import type { StormReport } from '../storm/report.ts'

/** Ends with 0 when nothing was lost, doubled, left out of the books or left in doubt. */
async function main(words: readonly string[]): Promise<number> {
  const options = readStormOptions(words)
  if (options.help) {
    console.log(stormUsage)
    return 0
  }
  const begun = performance.now()
  const report = await runStorm(options, (line) => {
    console.error(`  ${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}`)
  })
  if (options.json) console.log(JSON.stringify(report))
  else tell(report)
  return report.ok ? 0 : 1
}

function tell({ findings, points, ...figures }: StormReport): void {
  for (const finding of findings) console.log(`  ${finding}`)
  console.log(
    `  ${String(points.answer_lost)} of ${String(points.seen)} writes and calls lost an answer${points.never.length === 0 ? '' : `; never: ${points.never.join(', ')}`}`,
  )
  console.log(`  ${JSON.stringify(figures)}`)
  console.log(figures.ok ? '  Every cent is where it belongs.' : '  The storm found something.')
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
