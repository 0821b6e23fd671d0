import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { meetsReputation } from '../reputation/effective-score.ts'
import { aTask } from '../testing/factories.ts'
import { readBounty } from './bounty.ts'
import { canMove, isFinal, lifecycle, type Move } from './lifecycle.ts'
import { mayTake } from './party-gate.ts'
import { requireBuyer } from './sell-intent.ts'
import { visibility } from './visibility.ts'

// Object.keys of a typed record answers its own keys.
const moves = Object.keys(lifecycle) as readonly Move[]

describe('the lifecycle is part 3 of the specification', () => {
  test('row by row', () => {
    expect(lifecycle).toEqual({
      assign: { from: ['published'], to: 'accepted' },
      lock: { from: ['published'], to: 'assigning' },
      undoLock: { from: ['assigning'], to: 'published' },
      confirmLock: { from: ['assigning'], to: 'accepted' },
      submit: { from: ['accepted', 'in_progress'], to: 'submitted' },
      verify: { from: ['submitted'], to: 'verifying' },
      approve: { from: ['verifying', 'disputed'], to: 'completed' },
      reject: { from: ['verifying'], to: 'disputed' },
      requestChanges: { from: ['verifying'], to: 'in_progress' },
      cancel: { from: ['published', 'accepted'], to: 'cancelled' },
      expire: { from: ['published', 'accepted', 'in_progress', 'submitted', 'verifying', 'disputed'], to: 'expired' },
      dispute: { from: ['verifying'], to: 'disputed' },
      lapse: { from: ['verifying', 'in_progress'], to: 'disputed' },
      resolveRelease: { from: ['disputed'], to: 'completed' },
      resolveRefund: { from: ['disputed'], to: 'cancelled' },
      resolveSplit: { from: ['disputed'], to: 'completed' },
      settlePaid: { from: ['accepted', 'in_progress', 'submitted', 'verifying', 'disputed'], to: 'completed' },
      settleBack: { from: ['accepted', 'in_progress', 'submitted', 'verifying', 'disputed'], to: 'cancelled' },
      withdraw: { from: ['accepted', 'in_progress'], to: 'published' },
    })
  })

  test('no sequence of moves leaves a final state', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...moves), { maxLength: 40 }), (sequence) => {
        const trail = sequence.reduce<Parameters<typeof canMove>[0][]>(
          (statuses, move) =>
            canMove(statuses.at(-1) ?? 'draft', move) ? [...statuses, lifecycle[move].to] : statuses,
          ['published'],
        )
        const end = trail.findIndex(isFinal)
        return end === -1 || end === trail.length - 1
      }),
    )
  })

  test('an executor cannot make a task disappear from under a lock in flight: nothing but the lock moves it on', () => {
    expect(moves.filter((move) => canMove('assigning', move))).toEqual(['undoLock', 'confirmLock'])
  })
})

describe('an executor may take a task whose target is any or exactly its own party (spec §1.3)', () => {
  const table = (['any', 'human', 'agent', 'robot'] as const).flatMap((target) =>
    (['human', 'agent', 'robot'] as const).map(
      (party) => [target, party, target === 'any' || target === party] as const,
    ),
  )
  test.each(table)('target %s, party %s: %s', (target, party, allowed) => {
    expect(mayTake(target, party)).toBe(allowed)
  })
})

describe('bounties', () => {
  const bounds = { min: '0.01', escrowMax: '100', max: '10000' }
  const usdc = aTask().bounty.asset
  test.each([
    ['0.01', 'fase2'],
    ['100', 'fase2'],
    ['100', 'fase5'],
    ['100.01', 'fase1'],
    ['10000', 'fase1'],
  ] as const)('%s is accepted in %s', (text, mode) => {
    expect(readBounty(text, usdc, mode, bounds).atomic).toBeGreaterThan(0n)
  })
  test.each([
    ['0.009999', 'fase2', 'minimum'],
    ['100.000001', 'fase2', 'maximum'],
    ['100.01', 'fase5', 'maximum'],
    ['10000.01', 'fase1', 'maximum'],
    ['0.0100001', 'fase2', 'decimals'],
  ] as const)('%s is refused in %s: %s', (text, mode, constraint) => {
    expect(() => readBounty(text, usdc, mode, bounds)).toThrow(
      expect.objectContaining({
        code: 'INVALID_BOUNTY',
        details: expect.objectContaining({ field: 'bounty_usd', constraint }) as unknown,
      }),
    )
  })
})

describe('publishing a sell-intent task is refused, a purchase never (spec §1.7)', () => {
  const details = 'See the details below, they are long enough.'
  const refusal = expect.objectContaining({ code: 'sell_intent_rejected' }) as unknown
  test('what surely offers to sell is refused, in the title or where the instructions begin like it', () => {
    expect(() => requireBuyer({ title: 'I offer logo design', instructions: details }, false)).toThrow(refusal)
    const instructions = 'I offer professional logo design. Write me.'
    expect(() => requireBuyer({ title: 'Professional logo design', instructions }, false)).toThrow(refusal)
  })
  test('what only may be an offer passes, and so does what the publisher insists on', () => {
    requireBuyer({ title: 'My services page shows an error', instructions: details }, false)
    requireBuyer({ title: 'I offer logo design', instructions: details }, true)
    const instructions = 'I offer professional logo design. Write me.'
    requireBuyer({ title: 'Draw a logo', instructions }, false)
  })
})

describe('visibility', () => {
  const wallet = (address: string) => ({ kind: 'wallet', wallet: address, agentId: null, via: 'signature' }) as const
  const stranger = wallet('0x2222222222222222222222222222222222222222')
  const owner = wallet(aTask().publisherWallet)
  test.each(['expired', 'cancelled'] as const)(
    'an %s task answers 410 to non-participants; owner and participants read it',
    (status) => {
      const task = aTask({ status })
      expect(visibility(task, { kind: 'anonymous' }, false)).toBe('gone')
      expect(visibility(task, stranger, false)).toBe('gone')
      expect(visibility(task, stranger, true)).toBe('full')
      expect(visibility(task, owner, false)).toBe('full')
    },
  )
  test('a draft is visible to the signed owner alone', () => {
    const task = aTask({ status: 'draft' })
    expect([
      visibility(task, { kind: 'anonymous' }, false),
      visibility(task, stranger, false),
      visibility(task, owner, false),
    ]).toEqual(['hidden', 'hidden', 'full'])
  })
})

test.each([
  [0, null, true],
  [50, null, true],
  [51, null, false],
  [60, 60, true],
  [61, 60, false],
])('a floor of %s against a score of %s: %s', (floor, score, meets) => {
  expect(meetsReputation(floor, score)).toBe(meets)
})
