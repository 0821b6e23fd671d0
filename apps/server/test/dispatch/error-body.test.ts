import { MarketError } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import { errorAnswer } from '../../src/dispatch/error-body.ts'
import { ReplayedRefusal } from '../../src/dispatch/replayed-refusal.ts'

describe('an error on the wire', () => {
  const headersOf = (error: unknown): unknown => errorAnswer(error, 'r').headers
  test.each<[string, unknown, object]>([
    [
      'over a limit',
      new MarketError('RATE_LIMITED', { reset_at: '2026-11-21T12:00:00.500Z', retry_after_sec: 7 }),
      { 'retry-after': '7', 'x-ratelimit-reset': '1795262401' },
    ],
    [
      'over a limit without an end',
      new MarketError('RATE_LIMITED'),
      { 'retry-after': '60', 'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/) as string },
    ],
    ['a cap that no time lifts', new MarketError('LISTING_CAP_REACHED'), {}],
    ['another signature is asked for', new MarketError('LIFECYCLE_ORDER_REQUIRED'), {}],
    ['busy', new MarketError('SERVICE_BUSY'), { 'retry-after': '2' }],
    ['busy for a while', new MarketError('SERVICE_BUSY', { retry_after_sec: 5 }), { 'retry-after': '5' }],
    ['a key under way', new MarketError('IDEMPOTENCY_IN_FLIGHT'), { 'retry-after': '2' }],
    ['a conflict that passes', new MarketError('APPROVAL_IN_FLIGHT'), { 'retry-after': '10' }],
    ['a conflict that stays', new MarketError('already_applied'), {}],
    ['a settlement that failed', new MarketError('SETTLEMENT_FAILED'), {}],
    [
      'a refusal of before',
      new ReplayedRefusal({ code: 'TASK_NOT_FOUND', message: null, details: {} }),
      { 'idempotent-replayed': 'true' },
    ],
  ])('%s', (_what, error, headers) => {
    expect(headersOf(error)).toEqual(headers)
  })

  test('has its details twice, and none where there are none', () => {
    expect(errorAnswer(new MarketError('TASK_NOT_FOUND', { task_id: 't' }), 'r').body).toMatchObject({
      code: 'TASK_NOT_FOUND',
      details: { task_id: 't' },
      request_id: 'r',
      detail: { task_id: 't', code: 'TASK_NOT_FOUND', retryable: false, ref: 'r' },
    })
    expect('details' in errorAnswer(new MarketError('TASK_NOT_FOUND'), 'r').body).toBe(false)
    expect(errorAnswer(new Error('secret'), 'r').body).toMatchObject({
      code: 'INTERNAL',
      message: expect.not.stringContaining('secret') as string,
    })
    expect(errorAnswer(new MarketError('TASK_NOT_FOUND', {}, { message: 'Own words.' }), 'r').body).toMatchObject({
      message: 'Own words.',
      detail: { message: 'Own words.' },
    })
  })

  test('a remembered code that the catalogue forgot is INTERNAL, and a message is kept', () => {
    expect(errorAnswer(new ReplayedRefusal({ code: 'GONE_CODE', message: null, details: {} }), 'r').code).toBe(
      'INTERNAL',
    )
    expect(errorAnswer(new ReplayedRefusal({ code: 'toString', message: null, details: {} }), 'r').code).toBe(
      'INTERNAL',
    )
    expect(
      errorAnswer(
        new ReplayedRefusal({ code: 'TASK_NOT_FOUND', message: 'As before.', details: { task_id: 't' } }),
        'r',
      ).body,
    ).toMatchObject({ message: 'As before.', details: { task_id: 't' } })
  })
})
