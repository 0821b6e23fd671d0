import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * The server judges what became of money by words of the facilitator, which it does not import: a word that was renamed
 * on one side would be judged as any other.
 */
const judging = [
  'adapters/rails/refusals.ts',
  'adapters/facilitator/facilitator-client.ts',
  'adapters/identity.ts',
  'adapters/ratings.ts',
  'adapters/signatures/take-back.ts',
].map((file) => `apps/server/src/${file}`)

/** Another facilitator of the protocol says it (facts §2). */
const ofOthers: ReadonlySet<string> = new Set(['idempotency_store_unavailable'])

const text = (file: string): string => readFileSync(file, 'utf8')

function wordsIn(source: string): readonly string[] {
  const compared = [...source.matchAll(/\bcode [!=]== '(\w+)'/g)]
  const rows = [...source.matchAll(/^ +(\w+): '[A-Z_]+',$/gm)]
  const sets = [...source.matchAll(/^const \w+Codes = new Set\(\[([^\]]*)\]\)/gm)].flatMap(([, inside = '']) => [
    ...inside.matchAll(/'(\w+)'/g),
  ])
  // Words in capitals are of our own catalogue.
  return [...compared, ...rows, ...sets].map(([, word = '']) => word).filter((word) => /[a-z]/.test(word))
}

test('every word by which the server judges the facilitator is one that the facilitator says', () => {
  const words = new Set(judging.flatMap((file) => wordsIn(text(file).replace(/^const otherwise[^}]*}/m, ''))))
  expect(words.size).toBeGreaterThan(20)
  const said = execFileSync('git', ['ls-files', '--', 'apps/facilitator/src/*.ts'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !file.includes('/testing/') && !file.endsWith('.test.ts'))
    .map(text)
    .join('\n')
  const isSaid = (word: string): boolean => new RegExp(`['"\`]${word}['"\`]|\\b${word}:`).test(said)
  expect([...words].filter((word) => !isSaid(word) && !ofOthers.has(word))).toEqual([])
})
