/**
 * `npm run docs` prints the reference pages, and what else is derived from code; `--check` fails when something
 * committed says something else.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conformanceReport, staleFiles } from './reference/conformance-report.ts'
import { printedSources, referencePages } from './reference/pages.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const printed = [
  ...Object.entries(referencePages()).map(([name, text]) => [`docs/reference/${name}`, text] as const),
  ...Object.entries(printedSources()),
]
const drifted = printed.filter(([path, text]) => readIfThere(root + path) !== text)
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
if (process.argv.includes('--check')) {
  const stale = staleFiles(conformanceReport())
  process.exitCode = drifted.length + stale.length > 0 ? 1 : 0
  for (const [path] of drifted) process.stdout.write(`${path} differs from the code: run npm run docs and commit it\n`)
  for (const file of stale) process.stdout.write(`${file} was measured with another text: run npm run conformance\n`)
} else {
  for (const [path, text] of drifted) {
    mkdirSync(dirname(root + path), { recursive: true })
    writeFileSync(root + path, text)
    process.stdout.write(`${path}\n`)
  }
}
