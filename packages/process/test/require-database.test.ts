import { expect, test } from 'vitest'
import { requireDatabase } from '../src/index.ts'

/** A database of a version that no test has at hand, as far as it is asked; and how often what was lent came back. */
function ofVersion(version: number) {
  let lent = 0
  const connect = () => {
    lent += 1
    const pid = lent
    return Promise.resolve({
      query: (text: string) => Promise.resolve({ rows: [text.includes('pid') ? { pid } : { version }] }),
      release: () => {
        lent -= 1
      },
    })
  }
  return { connect, lent: () => lent }
}

test('a PostgreSQL older than the guide says is refused before it is asked for what it does not know', async () => {
  const pool = ofVersion(140_012)
  const started = requireDatabase(pool, {
    ...{ service: 'server', connections: 1, limitMs: 0, onDoubt: () => undefined },
    refuse: (text) => new Error(text),
  })
  await expect(started).rejects.toThrow('the database is PostgreSQL 14: PostgreSQL 15 or newer is needed')
  expect(pool.lent()).toBe(0)
})
