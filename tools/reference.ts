/**
 * `npm run docs` prints the reference pages from code; `--check` fails when a committed page says something else.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { referencePages } from './reference/pages.ts'

const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url))

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const drifted = Object.entries(referencePages()).filter(([name, text]) => readIfThere(folder + name) !== text)
if (process.argv.includes('--check')) {
  process.exitCode = drifted.length > 0 ? 1 : 0
  for (const [name] of drifted) process.stdout.write(`docs/reference/${name} differs from the code: run npm run docs and commit it\n`)
} else {
  for (const [name, text] of drifted) {
    mkdirSync(dirname(folder + name), { recursive: true })
    writeFileSync(folder + name, text)
    process.stdout.write(`docs/reference/${name}\n`)
  }
}
