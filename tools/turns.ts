import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { judgingFiles } from './reference/conformance-report.ts'

/** Every long test has its turn once in so many days (decision 0245). */
export const turns = 4

/** Browsers, whole constellations, storms: what takes longer than some ten seconds. */
export const longGlob = '{packages,apps,bench,simulation,tools}/**/*.long.test.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Every file of long tests of this checkout. */
export function longFiles(): readonly string[] {
  return globSync(longGlob, { cwd: root, exclude: (path) => path.includes('node_modules') }).toSorted()
}

/**
 * The long tests of one day, counted from 1970-01-01: those that judge for the report of conformance, which is compared
 * whole, and of the others each whose turn it is. A turn follows from the name, so that a new file moves no other.
 */
export function inTurn(
  files: readonly string[],
  day: number,
  always: readonly string[] = judgingFiles(),
): readonly string[] {
  return files.filter((file) => always.includes(file) || turnOf(file) === day % turns)
}

/** By this letter what takes longest is dealt out evenly today: 17 to 21 minutes, one file after the other. */
const deal = 'b'
const turnOf = (file: string): number => createHash('sha256').update(`${deal}${file}`).digest().readUInt32BE() % turns

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000)
