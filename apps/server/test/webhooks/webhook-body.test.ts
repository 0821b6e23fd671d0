import { expect, test } from 'vitest'
import { webhookBody } from '../../src/webhooks/webhook-body.ts'

const bodyOf = (data: Readonly<Record<string, unknown>>): string =>
  webhookBody({ id: 'e', type: 'submission.rejected', at: new Date(0), data })

test.each([
  ['plain', 'a'.repeat(50_000)],
  ['of two units a sign', '😀'.repeat(25_000)],
  ['of three bytes a sign', '中'.repeat(30_000)],
])('long text %s is cut below 20 kB and stays well-formed', (_, reason) => {
  const body = bodyOf({ reason, task_id: 't' })
  expect(Buffer.byteLength(body)).toBeLessThan(20_000)
  expect(body.isWellFormed()).toBe(true)
  const { data } = JSON.parse(body) as { data: { reason: string; task_id: string } }
  expect(data.reason.isWellFormed()).toBe(true)
  expect([data.task_id, data.reason.endsWith('…')]).toEqual(['t', true])
})

test('what no cut makes short enough still ends', () => {
  expect(JSON.parse(bodyOf({ reason: 'ab', list: Array.from({ length: 9_000 }, (_, index) => index) }))).toMatchObject({
    data: { reason: 'ab' },
  })
})
