import { expect, test } from 'vitest'
import type { Served } from '../../dispatch/dispatch.ts'
import { fitted, longestAnswer } from './fitted.ts'
import { fittingPage } from './fitting-page.ts'

type Page = { readonly rows: readonly object[]; readonly has_more: boolean }
const link = `https://files.example/${'s'.repeat(1_000)}`
const answered = (body: unknown, code: string | null = null): Served => ({
  status: code === null ? 200 : 429,
  body,
  headers: {},
  code,
  wallet: null,
  caller: null,
})

/** A list of 300 rows that cannot be cut, and what was asked of it. */
function list(sizeOf: (row: number) => number = () => 1): {
  readonly asked: Readonly<Record<string, unknown>>[]
  readonly read: (given: Readonly<Record<string, unknown>>) => Promise<Served>
} {
  const asked: Readonly<Record<string, unknown>>[] = []
  return {
    asked,
    read: (given) => {
      asked.push(given)
      const limit = Number(given['limit'])
      const rows = Array.from({ length: limit }, (_, row) => ({
        links: Array.from({ length: sizeOf(row) }, () => link),
      }))
      return Promise.resolve(answered({ rows, count: limit, has_more: limit < 300 } satisfies Page & { count: number }))
    },
  }
}

const sizeOf = ({ body }: Served): number => JSON.stringify(fitted(body as Page)).length // a record

test('a page that fits is read once', async () => {
  const { asked, read } = list()
  expect(await fittingPage({ limit: 50 }, read)).toMatchObject({ body: { count: 50 } })
  expect(asked).toEqual([{ limit: 50 }])
})

test.each([
  ['rows of one length', () => 1],
  ['rows of which the first are long', (row: number) => (row < 10 ? 12 : 0)],
  ['rows that are each too long', () => 100],
])('of %s as many are read as fit, or one', async (_what, rowSize) => {
  const { asked, read } = list(rowSize)
  const page = await fittingPage({ status: 'open', limit: 300 }, read)
  const { rows, has_more } = page.body as Page
  expect(has_more).toBe(true)
  expect(rows.length === 1 || sizeOf(page) <= longestAnswer).toBe(true)
  expect(asked.length).toBe(2)
  for (const given of asked) expect(given).toMatchObject({ status: 'open' })
})

test('what happened since now is not asked for again: it would be passed over', async () => {
  const { asked, read } = list()
  expect(await fittingPage({ limit: 300, cursor: 'now' }, read)).toMatchObject({ body: { count: 300 } })
  expect(asked).toHaveLength(1)
})

test('a refusal is the answer, and one of the second reading takes nothing away', async () => {
  const refused = answered({ code: 'RATE_LIMITED' }, 'RATE_LIMITED')
  expect(await fittingPage({ limit: 300 }, () => Promise.resolve(refused))).toBe(refused)
  const { read } = list()
  let reads = 0
  const page = await fittingPage({ limit: 300 }, (given) => {
    reads += 1
    return reads === 1 ? read(given) : Promise.resolve(refused)
  })
  expect(page).toMatchObject({ code: null, body: { count: 300 } })
})
