import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../src/adapters/postgres/', import.meta.url)
const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
const textOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
/** Each text between backticks. */
const statements = sources.flatMap((name) =>
  [...textOf(name).matchAll(/`([^`]*)`/g)].map(([, text = '']) => ({ name, text: text.replaceAll(/\s+/g, ' ') })),
)

test('what is taken up to a limit is named as a list: of a join a tenth of the table is expected (decision 0318)', () => {
  expect(statements.length).toBeGreaterThan(300)
  const joined = /(?:\bin \( ?select|\bfrom \( ?select)[^;]{0,600}?limit \$\d[^)]{0,20}for update/
  expect(statements.filter(({ text }) => joined.test(text)).map(({ name, text }) => `${name}: ${text}`)).toEqual([])
})

test('what is due is asked by now(): what changes within a statement bounds no index (decision 0318)', () => {
  const scanning = /due_at <=? clock_timestamp\(\)/
  const found = statements.filter(({ text }) => scanning.test(text) && !text.includes('where id = $1'))
  expect(found.map(({ name, text }) => `${name}: ${text}`)).toEqual([])
})
