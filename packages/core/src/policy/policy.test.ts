import { describe, expect, test } from 'vitest'
import { askedUntil, boundHours, boundUntil, hourMs, marginMs, movedDeadline, readPolicy } from './policy.ts'

const now = new Date('2026-11-24T12:00:00Z')
const after = (hours: number): Date => new Date(now.getTime() + hours * hourMs)

describe('a policy (decision 0157)', () => {
  test('has 72 hours for a review, a week for a dispute, one revision, any number of applications, and releases', () => {
    expect(readPolicy({})).toEqual({
      reviewHours: 72,
      disputeHours: 168,
      onSilence: 'release',
      revisionsMost: 1,
      applicationsMost: null,
      startHours: null,
    })
  })

  test('binds the money for the review, two reviews a revision, the dispute and a day', () => {
    expect(boundHours(readPolicy({}))).toBe(72 + 2 * 72 + 168 + 24)
    expect(boundHours(readPolicy({ reviewHours: 10, disputeHours: 30, revisionsMost: 3 }))).toBe(10 + 60 + 30 + 24)
    expect(boundUntil({ policy: readPolicy({}), deadline: now })).toEqual(after(408))
    expect(boundUntil({ policy: null, deadline: now })).toBeNull()
  })

  test.each([
    [408, 480],
    [2_100, 2_160],
    [2_160, 2_160],
  ])('that binds it for %d h is asked for with room: %d h', (bound, asked) => {
    expect(askedUntil({ deadline: now, boundUntil: after(bound) })).toEqual(after(asked))
  })

  test.each([
    [{ reviewHours: 336, disputeHours: 720, revisionsMost: 1 }, 1_752],
    [{ reviewHours: 336, disputeHours: 456, revisionsMost: 2 }, 2_160],
  ])('may bind it for ninety days: %j', (input, hours) => {
    expect(boundHours(readPolicy(input))).toBe(hours)
  })

  test('that would bind it for longer is refused with the figure', () => {
    expect(() => readPolicy({ reviewHours: 336, disputeHours: 457, revisionsMost: 2 })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', details: expect.objectContaining({ received: '2161' }) }),
    )
  })
})

describe('a deadline', () => {
  const held = after(1_000).getTime() / 1_000
  test('moves to the end of what began, and never back', () => {
    expect(movedDeadline(after(1), now, 72, held)).toEqual(after(72))
    expect(movedDeadline(after(72), now, 72, held)).toBeNull()
    expect(movedDeadline(after(80), now, 72, held)).toBeNull()
  })

  test('stops twelve hours before the authorization ends', () => {
    expect(movedDeadline(after(1), now, 999, held)).toEqual(new Date(held * 1_000 - marginMs))
    expect(movedDeadline(after(990), now, 999, held)).toBeNull()
  })

  test('goes as far as it should where nothing is held', () => {
    expect(movedDeadline(after(1), now, 999, null)).toEqual(after(999))
  })
})
