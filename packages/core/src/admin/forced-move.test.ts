import { escrowStatuses, taskStatuses, type EscrowStatus, type TaskStatus } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { forcedMove, type ForcedMove } from './forced-move.ts'

const free: readonly EscrowStatus[] = ['none', 'pending_assignment', 'refunded']

/** Written by hand: what may be forced at all while nothing is held. */
const open: Readonly<Record<TaskStatus, Partial<Record<TaskStatus, ForcedMove>>>> = {
  draft: { published: 'move', cancelled: 'move' },
  published: { cancelled: 'move', expired: 'move' },
  assigning: {},
  accepted: { cancelled: 'move', expired: 'move' },
  in_progress: { cancelled: 'move', expired: 'move' },
  submitted: { expired: 'move' },
  verifying: { expired: 'move', disputed: 'dispute' },
  disputed: { expired: 'move' },
  completed: {},
  cancelled: {},
  expired: {},
}

const cases = taskStatuses.flatMap((status) => taskStatuses.map((to) => [status, to] as const))

describe('a forced status (decision 0057)', () => {
  test.each(cases)('from %s to %s goes as the table says, with money and without', (status, to) => {
    for (const escrowStatus of escrowStatuses) {
      const allowed = status === to ? 'unchanged' : (open[status][to] ?? 'refused')
      const needsRefund = allowed === 'move' && to !== 'published' && !free.includes(escrowStatus)
      const expected = needsRefund ? (escrowStatus === 'authorized' ? 'refund' : 'refused') : allowed
      expect(forcedMove({ status, escrowStatus }, to), escrowStatus).toBe(expected)
    }
  })

  test.each(taskStatuses.filter((status) => status !== 'accepted' && status !== 'completed'))(
    '%s never becomes accepted or completed by a word',
    (status) => {
      for (const escrowStatus of escrowStatuses)
        for (const to of ['accepted', 'completed'] as const)
          expect(forcedMove({ status, escrowStatus }, to)).toBe('refused')
    },
  )
})
