import type { OperationsClient } from '@ergon/sdk'
import { expect, test } from 'vitest'
import { lastPayment, paymentLog } from './payment-log.ts'

const { signal } = new AbortController()
const pageRows = 100

/** A log of so many entries, in the pages of the service; `told` is what its count is by now. */
function logOf(entries: number, told = entries) {
  const asked: number[] = []
  const all = Array.from({ length: entries }, (_, at) => ({ id: String(at) }))
  const events = ({ offset = 0 }: { readonly offset?: number }) => {
    asked.push(offset)
    const page = all.slice(offset, offset + pageRows)
    const has_more = offset + page.length < entries
    return Promise.resolve({ events: page, count: page.length, total: told, offset, has_more })
  }
  // What is asked of it is this one operation.
  return { market: { payments: { events } } as unknown as Pick<OperationsClient, 'payments'>, asked }
}

test.each([0, 1, 99, 100, 101, 250])('of a log of %i the last is told, and the whole is read once', async (entries) => {
  const { market } = logOf(entries)
  expect((await lastPayment(market, 'task', signal))?.id).toBe(entries === 0 ? undefined : String(entries - 1))
  expect((await paymentLog(market, 'task', signal)).map(({ id }) => Number(id))).toEqual([...Array(entries).keys()])
})

test('the last of many is two questions, and one more for what came since they were counted', async () => {
  const { market, asked } = logOf(1_250, 1_200)
  expect((await lastPayment(market, 'task', signal))?.id).toBe('1249')
  expect(asked).toEqual([0, 1_100, 1_200])
})
