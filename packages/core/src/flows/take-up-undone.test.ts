import { describe, expect, test } from 'vitest'
import type { Movement, MovementKind } from '../escrow/movement.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { booked, known, lock } from '../testing/scripted-logs.ts'
import { heldTask, moved, payment, placeOn } from '../testing/scripted-money.ts'
import { takeUpUndone } from './take-up-undone.ts'

/** A booked log whose block was undone for good, and what the chain still shows of its payment. */

const ten = payment.maxAmount
const locked = moved('authorized', ten, { logIndex: 1 })
const paidOut = (atomic: bigint): Movement => moved('captured', atomic, { logIndex: 2 })

type Given = {
  readonly kind: MovementKind
  readonly atomic?: bigint
  readonly settlementId?: string | null
  readonly left?: readonly Movement[]
  readonly isApproved?: boolean
  readonly task?: Partial<Task>
  readonly script?: Script
}

async function taken({ kind, atomic = ten, settlementId = 'settlement', isApproved = false, ...given }: Given) {
  const task = heldTask({ status: 'completed', escrowStatus: 'released', ...given.task })
  const { place, asked } = placeOn(task, {
    claimSettlement: true,
    lockSettlement: { ...lock, status: 'confirmed' },
    ...given.script,
  })
  const movement = booked({ kind, atomic, settlementId, txHash: '0xundone' })
  const undone = { movement, known: known('confirmed'), left: given.left ?? [locked], isApproved }
  const next = await takeUpUndone(place, undone)
  return { next, lines: linesOf(asked), settlement: next === null || next === 'later' ? null : next }
}
/** What is claimed, for whom, and of how much. */
const claimOf = (settlement: Settlement | null): readonly unknown[] => {
  if (settlement === null) return []
  const { order, purpose, subject } = settlement
  return [purpose, subject, order.kind, 'amount' in order ? order.amount.atomic : null]
}
const stray = (kind: 'capture' | 'void', atomic: bigint) => ['stray', 'hash:0xundone', kind, atomic]

describe('what the escrow still holds goes where it was to go', () => {
  test.each<[string, Given, readonly unknown[]]>([
    ['a payout: to the worker', { kind: 'captured' }, stray('capture', ten)],
    ['a payout of a part: that part', { kind: 'captured', atomic: 4_000_000n }, stray('capture', 4_000_000n)],
    [
      'a payout, of which less is left: what is left',
      { kind: 'captured', left: [locked, paidOut(7_000_000n)] },
      stray('capture', 3_000_000n),
    ],
    ['a refund: to the payer', { kind: 'voided' }, stray('void', ten)],
    ['a reclaim: to the payer', { kind: 'reclaimed' }, stray('void', ten)],
    [
      'a refund of more than is left: what is left',
      { kind: 'voided', left: [locked, paidOut(7_000_000n)] },
      stray('void', 3_000_000n),
    ],
    ['a lock that another took the place of: to the payer', { kind: 'authorized' }, stray('void', ten)],
    [
      'the same, of work that was approved: to the worker',
      { kind: 'authorized', isApproved: true },
      stray('capture', ten),
    ],
  ])('%s', async (_what, given, claim) => {
    const { settlement } = await taken(given)
    expect(claimOf(settlement)).toEqual(claim)
  })
  test.each<[string, Given, 'later' | null]>([
    ['nothing, where nothing is held', { kind: 'captured', left: [locked, paidOut(ten)] }, null],
    ['nothing of what was paid at once', { kind: 'charged' }, null],
    ['nothing of what came back out of a pocket', { kind: 'refunded' }, null],
    ['a refund after the payout that was undone as well', { kind: 'voided', atomic: ten - 1n }, 'later'],
    ['a reclaim after the payout that was undone as well', { kind: 'reclaimed', atomic: ten - 1n }, 'later'],
    ['what is being settled, after that', { kind: 'captured', script: { claimSettlement: false } }, 'later'],
  ])('%s', async (_what, given, next) => {
    const done = await taken(given)
    expect(done.next).toBe(next)
  })

  const alive = { status: 'verifying', escrowStatus: 'authorized' } as const
  test.each<[string, Given, boolean]>([
    ['what others had moved, of a task that lives by the payment', { kind: 'captured', settlementId: null }, false],
    ['a lock of a task that lives by the payment', { kind: 'authorized' }, false],
    ['what we had moved, all the same', { kind: 'captured' }, true],
  ])('%s', async (_what, given, isClaimed) => {
    expect((await taken({ ...given, task: alive })).settlement !== null).toBe(isClaimed)
  })
  test('what others had moved, of a task that is over', async () => {
    expect(claimOf((await taken({ kind: 'captured', settlementId: null })).settlement)).toEqual(stray('capture', ten))
  })
})

describe('a lock that was undone is given up', () => {
  const gone: Given = { kind: 'authorized', left: [] }
  const refused =
    'endSettlement settlement {status:refused,code:LOCK_REVERTED,watchUntil:2026-11-21T12:06:00.000Z,dueAt:now} now'
  const looked: Lines = ['lockSettlement settlement']

  test('its signature is watched, and the task has no escrow', async () => {
    const { next, lines } = await taken({ ...gone, task: { escrowStatus: 'authorized' } })
    expect(next).toBe(null)
    expect(lines).toEqual([...looked, refused, 'escrowPayment task', 'changeTask task {escrowStatus:refunded} now'])
  })
  test.each<[string, Given, Lines]>([
    ['once', { ...gone, script: { lockSettlement: { ...lock, status: 'refused' } } }, []],
    ['where it is known', { ...gone, script: { lockSettlement: null } }, []],
    ['and no task that is settled otherwise is touched', gone, [refused]],
    [
      'and no task that another payment is held for',
      { ...gone, task: { escrowStatus: 'authorized' }, script: { escrowPayment: { ...payment, hash: 'other' } } },
      [refused],
    ],
    [
      'and no task that nothing is held for',
      { ...gone, task: { escrowStatus: 'authorized' }, script: { escrowPayment: null } },
      [refused],
    ],
  ])('%s', async (_what, given, written) => {
    const { lines } = await taken(given)
    expect(lines).toEqual([...looked, ...written, 'escrowPayment task'])
  })
})
