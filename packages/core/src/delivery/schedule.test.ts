import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  failingLimitMs,
  heldUntil,
  isDelivered,
  oneAttempt,
  pushSchedule,
  stepAfter,
  webhookSchedule,
  type EndpointAnswer,
} from './schedule.ts'

const at = new Date('2026-11-21T12:00:00Z')
const answered = (status: number, retryAfterMs: number | null = null): EndpointAnswer => ({ status, retryAfterMs })
const failures = fc.oneof(
  fc.constant(null),
  fc
    .integer({ min: 300, max: 599 })
    .filter((status) => status !== 410)
    .map((status) => answered(status)),
)

describe('what becomes of a delivery (decision 0069)', () => {
  test('the schedule is 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
    expect(webhookSchedule.map((ms) => ms / 1_000)).toEqual([
      0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
  })

  test('what its owner asked for is sent once', () => {
    expect(stepAfter(null, 1, oneAttempt, at, 0)).toEqual({ status: 'failed' })
  })

  test('who fails is asked for five days', () => {
    expect(failingLimitMs).toBe(432_000_000)
  })

  test('updates of a task are given up after 18 hours: 0, 5 s, 30 s, 2 min, 10 min, 1 h, 2 h, 5 h, 10 h', () => {
    expect(pushSchedule.map((ms) => ms / 1_000)).toEqual([0, 5, 30, 120, 600, 3_600, 7_200, 18_000, 36_000])
    expect(stepAfter(null, pushSchedule.length, pushSchedule, at, 0)).toEqual({ status: 'failed' })
  })

  test('2xx alone is a success, at whatever attempt', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.integer({ min: 1, max: 10 }), (status, attempt) => {
        const isSuccess = status >= 200 && status <= 299
        expect([
          isDelivered(answered(status)),
          stepAfter(answered(status), attempt, webhookSchedule, at, 0.5).status === 'delivered',
        ]).toEqual([isSuccess, isSuccess])
      }),
    )
  })

  test('a failure is repeated within a tenth of its delay, and the last one is the end', () => {
    fc.assert(
      fc.property(
        failures,
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (answer, attempt, chance) => {
          const step = stepAfter(answer, attempt, webhookSchedule, at, chance)
          if (attempt === 10) {
            expect(step).toEqual({ status: 'failed' })
            return
          }
          const delay = webhookSchedule[attempt] ?? 0
          const waited = step.status === 'pending' ? step.dueAt.getTime() - at.getTime() : -1
          expect(waited).toBeGreaterThanOrEqual(Math.round(delay * 0.9))
          expect(waited).toBeLessThanOrEqual(Math.round(delay * 1.1))
        },
      ),
    )
  })

  test('410 ends a delivery, and a delivery of one attempt ends with it', () => {
    expect(stepAfter(answered(410), 1, webhookSchedule, at, 0)).toEqual({ status: 'failed' })
    expect(stepAfter(answered(500), 1, oneAttempt, at, 0)).toEqual({ status: 'failed' })
  })

  test.each([
    [60_000, 60_000],
    [1_000, 4_500],
    [10 ** 12, 86_400_000],
  ])('Retry-After of %i ms after the first attempt waits %i ms', (asked, waits) => {
    expect(stepAfter(answered(503, asked), 1, webhookSchedule, at, 0)).toEqual({
      status: 'pending',
      dueAt: new Date(at.getTime() + waits),
    })
  })

  test.each([
    [429, 60_000, 60_000],
    [503, 10 ** 9, 3_600_000],
    [500, 60_000, null],
    [429, null, null],
  ])('an answer of %i with Retry-After %s holds the endpoint for %s', (status, asked, held) => {
    expect(heldUntil(answered(status, asked), at)).toEqual(held === null ? null : new Date(at.getTime() + held))
  })
})
