import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { parts } from './parts.ts'
import { reportTable, rounded, type Measured } from './report.ts'

const usage = `npm run bench -- [options]

  --only PART  measure this part alone; may be given again: ${parts.map(({ name }) => name).join(', ')}
  --json       end with one line of JSON
  --help       print this`

/** Runs the parts one after another and ends with 1 when one could not be measured; a missed target is a result. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const unknown = values.only?.find((name) => !parts.some((part) => part.name === name))
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}\n\n${usage}`)
  const machine = describeMachine()
  console.error(`  ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load_before} before`)
  let measured: Measured = {}
  let failed = 0
  for (const { name, measure } of parts.filter((part) => values.only?.includes(part.name) ?? true)) {
    console.error(`  measuring ${name} …`)
    try {
      measured = { ...measured, ...(await measure()) }
    } catch (error) {
      failed += 1
      console.error(
        `  ${name} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
    }
  }
  if (failed === 0 || Object.keys(measured).length > 0) {
    console.log(values.json ? JSON.stringify({ ...rounded(measured), machine }) : reportTable(measured))
  }
  return failed === 0 ? 0 : 1
}

// Whoever stops the bench has its processes stopped too: they end with this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(`  ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  },
)
