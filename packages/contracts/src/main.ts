#!/usr/bin/env node
import { deployOperator } from './deploy/deploy-operator.ts'
import { deployUsage, readDeployOptions } from './deploy/options.ts'

// Whoever started this may have closed its end; there is nobody to tell then, and the exit code stays true.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** The row goes to the standard output, so that it can be kept as a file; what happens goes to the other. */
async function main([command, ...args]: readonly string[]): Promise<void> {
  if (command !== 'deploy') {
    const isAsked = command === '--help' || command === undefined
    process[isAsked ? 'stdout' : 'stderr'].write(`${deployUsage}\n`)
    process.exitCode = isAsked ? 0 : 2
    return
  }
  const options = readDeployOptions(args)
  if (options === undefined) {
    process.stdout.write(`${deployUsage}\n`)
    return
  }
  const { row } = await deployOperator(options, (line) => process.stderr.write(`  ${line}\n`))
  const rows = `${JSON.stringify([row], null, 2)}\n`
  process.stdout.write(rows, (error) => {
    if (error) tellElsewhere(rows, error)
  })
}

/** What is deployed stays deployed: whoever lost the file can still read its addresses. */
function tellElsewhere(rows: string, { message }: Error): void {
  process.stderr.write(`ergon-contracts: the rows could not be written: ${message}\n${rows}`)
  process.exitCode = 1
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  // A library's error carries the whole call; its first line says what went wrong.
  process.stderr.write(
    `ergon-contracts: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}\n`,
  )
  process.exitCode = 1
}
