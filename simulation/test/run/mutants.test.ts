import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replaceIn } from '../../src/machine/replace-sources.ts'
import { mutants } from '../../src/mutants/mutants.ts'

const root = new URL('../../../', import.meta.url)

test.each(mutants)('the planted bug $name quotes the sources as they are, each piece once', ({ replacements }) => {
  const planted = new Map<string, string>()
  for (const one of replacements) {
    const before = planted.get(one.file) ?? readFileSync(new URL(one.file, root), 'utf8')
    // Throws where the text is not there exactly once.
    const after = replaceIn(before, one)
    expect(after).not.toBe(before)
    planted.set(one.file, after)
  }
})

test('each planted bug has a name of its own', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})
