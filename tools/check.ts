/**
 * `npm run check [name…]`: everything that can be wrong without running the product, one line a step.
 *
 * The last line is `N passed, N failed`, so that a continuous build can add the checks to the tests.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sentenceOf } from './test.ts'

// Whoever started this may have closed its end; there is nobody to tell then, and the exit code stays true.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

type Step = { readonly name: string; readonly command: string; readonly args: readonly string[] }

/** The longest first: they run two at a time, each whatever the others said. */
const steps: readonly Step[] = [
  // With types of every workspace at hand it holds more than a process has by default.
  {
    name: 'lint',
    command: 'node',
    args: ['--max-old-space-size=10240', 'node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0'],
  },
  { name: 'format', command: 'prettier', args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'types', command: 'tsc', args: ['--build'] },
  {
    name: 'imports',
    command: 'depcruise',
    args: ['--config', '.dependency-cruiser.cjs', 'packages', 'apps', 'bench', 'simulation', 'tools'],
  },
  { name: 'unused', command: 'knip', args: [] },
  { name: 'reference', command: 'node', args: ['tools/reference.ts', '--check'] },
  { name: 'hygiene', command: 'node', args: ['tools/hygiene.ts'] },
  { name: 'lock', command: 'node', args: ['tools/complete-lockfile.ts', '--check'] },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const timeoutMs = 20 * 60_000
const longestOutput = 200
const atOnce = 2

function run(step: Step): Promise<{ readonly ok: boolean; readonly output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ readonly ok: boolean; readonly output: string }>()
  const command = step.command === 'node' ? process.execPath : `${root}node_modules/.bin/${step.command}`
  const child = spawn(command, step.args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString('utf8')
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.on('error', (error) => resolve({ ok: false, output: error.message }))
  child.on('close', (code) => resolve({ ok: code === 0, output }))
  return promise
}

/** One broken type can make a thousand complaints; the first ones name it. */
function shortened(output: string): string {
  const lines = output.trimEnd().split('\n')
  return lines.length <= longestOutput
    ? lines.join('\n')
    : [...lines.slice(0, longestOutput), `… and ${lines.length - longestOutput} lines more`].join('\n')
}

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => steps.every((step) => step.name !== name))
  if (unknown !== undefined)
    throw new Error(`no check is called ${unknown}; there are ${steps.map((step) => step.name).join(', ')}`)
  const waiting = steps.filter(({ name }) => names.length === 0 || names.includes(name))
  const results: boolean[] = []
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) results.push(await report(step))
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const failed = results.filter((isGood) => !isGood).length
  process.exitCode = failed > 0 ? 1 : 0
  process.stdout.write(`${sentenceOf({ passed: results.length - failed, failed, skipped: 0 })}\n`)
}

/** Runs a step and prints its line; true when it found nothing. */
async function report(step: Step): Promise<boolean> {
  const startedAt = performance.now()
  const { ok, output } = await run(step)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${step.name.padEnd(10)}${seconds.padStart(6)} s\n`)
  if (!ok) process.stdout.write(`${shortened(output)}\n`)
  return ok
}

if (import.meta.main) await main(process.argv.slice(2))
