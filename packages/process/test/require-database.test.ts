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

/** Breaks the line at this many of the first connections, at the question that says so. */
function breaking(times: number, at: string) {
  let [lent, left, broken] = [0, times, 0]
  const connect = () => {
    lent += 1
    const pid = lent
    return Promise.resolve({
      query: (text: string) => {
        if (text.includes(at) && left > 0) {
          left -= 1
          return Promise.reject(new Error('Connection terminated unexpectedly'))
        }
        return Promise.resolve({ rows: [text.includes('pid') ? { pid } : { version: 140_000 }] })
      },
      release: (isBroken?: boolean) => {
        lent -= 1
        if (isBroken === true) broken += 1
      },
    })
  }
  return { connect, seen: () => ({ lent, broken }) }
}

test.each(['pid', 'server_version'])('a line that is lost at the question %s is asked for again', async (at) => {
  const pool = breaking(2, at)
  const doubts: string[] = []
  const options = { service: 'server', connections: 1, onDoubt: (text: string) => doubts.push(text) } as const
  const refuse = (text: string) => new Error(text)
  await expect(requireDatabase(pool, { ...options, refuse, limitMs: 10_000 })).rejects.toThrow(/is PostgreSQL 14/)
  expect(doubts).toEqual(['the database does not answer yet; the start waits for it'])
  expect(pool.seen()).toEqual({ lent: 0, broken: 6 })
})

test('a line that is lost again and again is refused after the limit, with a sentence', async () => {
  const pool = breaking(Infinity, 'server_version')
  const started = requireDatabase(pool, {
    ...{ service: 'server', connections: 1, limitMs: 300, onDoubt: () => undefined },
    refuse: (text) => new Error(text),
  })
  await expect(started).rejects.toThrow(
    'the database of DATABASE_URL did not answer within 0.3 s: Connection terminated unexpectedly',
  )
})
