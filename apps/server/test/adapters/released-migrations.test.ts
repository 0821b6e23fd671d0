import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../src/adapters/postgres/migrations/', import.meta.url))

/** A database refuses a server whose text of a migration is another than the one it took, down to a comment. */
test('a released migration never changes: SHA256SUMS, as sha256sum writes it, gains lines alone', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(folder + name))
        .digest('hex')}  ${name}`,
  )
  expect(readFileSync(`${folder}SHA256SUMS`, 'utf8').trim().split('\n')).toEqual(sums.toSorted(byName))
})

const byName = (one: string, other: string): number => (one.slice(66) < other.slice(66) ? -1 : 1)
