import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { hourMs, readPolicy } from '../policy/policy.ts'
import { latestDeadline, requireExtension, type Extendable, type Extension } from './extension.ts'

const now = new Date('2026-11-26T12:00:00Z')
const after = (hours: number): Date => new Date(now.getTime() + hours * hourMs)
const task: Extendable = {
  id: 'task',
  status: 'accepted',
  escrowStatus: 'authorized',
  deadline: after(24),
  policy: null,
}
const open = { extensions: [], authorizationExpiry: null }
/** Extensions of so many hours, which ended at the deadline as it is. */
const extended = (...hours: readonly number[]): readonly Extension[] =>
  hours.map((one, index) => ({ id: String(index), taskId: 'task', was: after(24 - one), deadline: after(24), at: now }))

function refusal(
  changed: Partial<Extendable>,
  to: Date,
  bounds: Parameters<typeof requireExtension>[2] = open,
): unknown {
  try {
    requireExtension({ ...task, ...changed }, to, bounds, now)
    return null
  } catch (error) {
    return error instanceof MarketError ? error.code : error
  }
}

describe('a deadline is extended (decision 0237)', () => {
  test.each([
    ['draft', 'TASK_NOT_EDITABLE'],
    ['published', null],
    ['assigning', 'TASK_NOT_EDITABLE'],
    ['accepted', null],
    ['in_progress', null],
    ['submitted', 'TASK_NOT_EDITABLE'],
    ['verifying', 'TASK_NOT_EDITABLE'],
    ['disputed', 'TASK_NOT_EDITABLE'],
    ['completed', 'TASK_NOT_EDITABLE'],
    ['cancelled', 'TASK_NOT_EDITABLE'],
    ['expired', 'TASK_NOT_EDITABLE'],
  ] as const)('while it is %s: %s', (status, code) => {
    expect(refusal({ status }, after(25))).toBe(code)
    expect(latestDeadline({ ...task, status }, open, now) === null).toBe(code !== null)
  })

  test.each(['authorizing', 'refunding', 'releasing'] as const)('never while its money is %s', (escrowStatus) => {
    expect(refusal({ escrowStatus }, after(25))).toBe('TASK_NOT_EDITABLE')
    expect(latestDeadline({ ...task, escrowStatus }, open, now)).toBeNull()
  })

  test('never back, never where it is, and not once it has passed', () => {
    expect(refusal({}, after(23))).toBe('VALIDATION_FAILED')
    expect(refusal({}, after(24))).toBe('VALIDATION_FAILED')
    expect(refusal({}, new Date(after(24).getTime() + 1))).toBeNull()
    expect(refusal({ deadline: now }, after(1))).toBe('DEADLINE_PASSED')
    expect(latestDeadline({ ...task, deadline: now }, open, now)).toBeNull()
  })

  test('five times, and by 720 hours together', () => {
    const four = { ...open, extensions: extended(1, 1, 1, 1) }
    expect(refusal({}, after(25), four)).toBeNull()
    expect(refusal({}, after(25), { ...open, extensions: extended(1, 1, 1, 1, 1) })).toBe('TASK_NOT_EDITABLE')
    expect(latestDeadline(task, four, now)).toEqual(after(24 + 716))
    expect(refusal({}, after(24 + 716), four)).toBeNull()
    expect(refusal({}, new Date(after(24 + 716).getTime() + 1), four)).toBe('VALIDATION_FAILED')
    expect(latestDeadline(task, { ...open, extensions: extended(720) }, now)).toBeNull()
  })

  test.each([
    ['a day, without a policy', null, 24],
    ['the review, a revision, the dispute and a day', readPolicy({}), 408],
    ['what its policy says', readPolicy({ reviewHours: 10, disputeHours: 30, revisionsMost: 0 }), 64],
  ] as const)('so that the money that is locked outlives it by %s', (_, policy, hours) => {
    const bounds = { extensions: [], authorizationExpiry: after(24 + hours + 10).getTime() / 1_000 }
    expect(latestDeadline({ ...task, policy }, bounds, now)).toEqual(after(34))
    expect(refusal({ policy }, after(34), bounds)).toBeNull()
    expect(() => requireExtension({ ...task, policy }, after(35), bounds, now)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: {
          field: 'deadline',
          constraint: expect.stringContaining(`takes ${String(hours)} h`) as string,
          received: after(35).toISOString(),
          latest: after(34).toISOString(),
          authorization_expires_at: after(34 + hours).toISOString(),
          hours_after_deadline: hours,
        },
      }),
    )
  })
})
