import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Every long test has its turn once in so many days (decision 0245). */
export const turns = 14

/** Browsers, whole constellations, storms: what takes longer than some ten seconds. */
export const longGlob = '{packages,apps,bench,simulation,tools}/**/*.long.test.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Every file of long tests of this checkout. */
export function longFiles(): readonly string[] {
  return globSync(longGlob, { cwd: root, exclude: (path) => path.includes('node_modules') }).toSorted()
}

/** The long tests of one day, counted from 1970-01-01. A turn follows from the name: a new file moves no other. */
export function inTurn(files: readonly string[], day: number): readonly string[] {
  return files.filter((file) => turnOf(file) === day % turns)
}

/** By these letters what takes longest is dealt out evenly today: 14 minutes at the most, one file after the other. */
const deal = 'fpa'
const turnOf = (file: string): number => createHash('sha256').update(`${deal}${file}`).digest().readUInt32BE() % turns

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000)
