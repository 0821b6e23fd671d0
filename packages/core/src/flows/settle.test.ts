import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import type { Found, Rail, RailAnswer } from '../ports/rail.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { linesOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { authorize, capture, charge, giveBackOf, heldTask, placeOn, settlementOf } from '../testing/scripted-money.ts'
import { attempt, attemptInTime, refuseUsed, resume } from './settle.ts'

const now = scriptedNow
const after = (ms: number): Date => new Date(now.getTime() + ms)
const held = 10_000_000n

const payout = settlementOf('release', capture())
const refund = settlementOf('refund', giveBackOf())
const direct = settlementOf('payout', charge())
const lock = settlementOf('lock', authorize, { submissionId: null })
const landed = { txHash: '0xlanded', blockNumber: 9n, logIndex: 4 }
const absent: Found = { state: 'absent', capturable: held }

type Given = {
  readonly settlement?: Settlement
  readonly answer?: RailAnswer
  readonly found?: Found | 'unread'
  readonly script?: Script
  /** Of the newest block. */
  readonly chainTime?: Date
}

/** What a settlement comes to: by its facilitator's answer, and what the chain shows. */
function stage({ settlement = payout, answer, found = absent, script = {}, chainTime = now }: Given) {
  const one = placeOn(heldTask(), { lockSettlement: settlement, ...script })
  const sent: unknown[][] = []
  const unread = (): Promise<never> => Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))
  const rail = {
    ...one.chain.rail,
    send: (...of: unknown[]) => {
      sent.push(of)
      return Promise.resolve(answer ?? { outcome: 'unknown' })
    },
    find: () => (found === 'unread' ? unread() : Promise.resolve(found)),
    // Others moved it: what is left is read from the logs, which is a matter of its own.
    movements: unread,
    escrowState: unread,
    chainTime: () => Promise.resolve(chainTime),
  } as unknown as Rail
  return { ...one, deps: { ...one.deps, rails: () => rail } as typeof one.deps, sent, settlement }
}

/** How its claim ended; what else is written is held elsewhere. */
const claimOf = (one: ReturnType<typeof stage>): readonly string[] =>
  linesOf(one.asked).filter((line) => line.startsWith('endSettlement'))
const doubted = (more = ''): string =>
  `endSettlement settlement {status:in_doubt,dueAt:2026-11-21T12:00:00.500Z${more}} now`
const open = { state: 'open' } as const

describe('a settlement is sent', () => {
  test('with the deadline of its claim, or one that counts from now', async () => {
    const given = stage({ settlement: { ...payout, sentUntil: after(7_000) } })
    const none = stage({ settlement: { ...payout, sentUntil: null } })
    await attempt(given.deps, given.settlement)
    await attempt(none.deps, none.settlement)
    expect([...given.sent, ...none.sent]).toEqual([
      [payout.order, 1_000, after(7_000)],
      [payout.order, 1_000, after(30_000)],
    ])
  })
  test.each([
    [after(5_000), 1],
    [after(4_999), 0],
    [after(-1), 0],
    [null, 0],
  ])('beside another while a copy can still arrive: until %j, %d times', async (sentUntil, times) => {
    const one = stage({ settlement: { ...payout, sentUntil } })
    expect(await attemptInTime(one.deps, one.settlement)).toEqual(open)
    expect(one.sent).toHaveLength(times)
  })
  test('and where no answer came, unknown is never no', async () => {
    const one = stage({ answer: { outcome: 'unknown', txHash: '0xsent' } })
    expect(await attempt(one.deps, one.settlement)).toEqual(open)
    expect(claimOf(one)).toEqual([doubted(',txHash:0xsent')])
  })
  test.each<[string, Script]>([
    ['is gone', { lockSettlement: null }],
    ['ended', { lockSettlement: { ...payout, status: 'confirmed' } }],
    ['was tried again', { lockSettlement: { ...payout, attempts: 1 } }],
  ])('and one that %s meanwhile is left alone', async (_what, script) => {
    const one = stage({ script })
    expect(await attempt(one.deps, one.settlement)).toEqual(open)
    expect(claimOf(one)).toEqual([])
  })
})

describe('where the facilitator is away', () => {
  const away = {
    code: 'SETTLEMENT_FAILED',
    message: 'The settlement could not be sent; the money is untouched. Retry with backoff.',
  }
  const unsent: RailAnswer = { outcome: 'unavailable', sent: false }

  test('a first attempt that was not carried out is given back', async () => {
    const one = stage({ answer: unsent })
    expect(await attempt(one.deps, one.settlement)).toEqual({ state: 'refused', refusal: away })
  })
  test.each<[string, Partial<Settlement>, boolean]>([
    ['a copy of it may be under way', {}, true],
    ['an earlier attempt may have landed', { attempts: 1 }, false],
    ['it has to land', { mustLand: true }, false],
  ])('it is tried again where %s', async (_why, change, sent) => {
    const settlement = { ...payout, ...change }
    const one = stage({ settlement, answer: { outcome: 'unavailable', sent } })
    expect(await attempt(one.deps, one.settlement)).toEqual(open)
    expect(claimOf(one)).toHaveLength(1)
  })
})

describe('a verdict gives the claim back only where nothing will come of any copy (decision 0082)', () => {
  const said = (final: boolean, at: Date | null = null): RailAnswer => ({
    outcome: 'refused',
    code: 'LOCK_REVERTED',
    final,
    at,
  })
  const until = payout.sentUntil?.getTime() ?? 0
  const late = new Date(until + 1)
  const dead: Found = { ...absent, isDead: true }
  const refused = ['refused', 'LOCK_REVERTED']
  const kept = ['open', undefined]

  test.each<[string, Given, readonly unknown[]]>([
    ['said for good', { answer: said(true) }, refused],
    ['said for now', { answer: said(false) }, kept],
    ['said after the last copy is past its deadline', { answer: said(false, late) }, refused],
    ['said at that deadline', { answer: said(false, new Date(until)) }, kept],
    [
      'said after it, of a copy without a deadline',
      { answer: said(false, late), settlement: { ...payout, sentUntil: null } },
      kept,
    ],
    ['said after it, of a refund', { answer: said(false, late), settlement: refund }, refused],
    [
      'said after it, of a direct payment: its nonce alone proves it',
      { answer: said(false, late), settlement: direct, found: { state: 'absent' } },
      kept,
    ],
    [
      'said for good, of a direct payment',
      { answer: said(true), settlement: direct, found: { state: 'absent' } },
      refused,
    ],
    ['said for now, of a signature that was used otherwise', { answer: said(false), found: dead }, refused],
    ['said for good, and the chain cannot be read', { answer: said(true), found: 'unread' }, kept],
    [
      'said for good, and part of it moved past us',
      { answer: said(true), found: { ...absent, capturable: held - 1n } },
      kept,
    ],
    ['said for good, and nothing is known to be held', { answer: said(true), found: { state: 'absent' } }, kept],
  ])('%s', async (_what, given, [state, code]) => {
    const one = stage(given)
    const ending = await attempt(one.deps, one.settlement)
    expect([ending.state, ending.state === 'refused' ? ending.refusal.code : undefined]).toEqual([state, code])
  })
  test('and is kept with the claim that waits', async () => {
    const one = stage({ answer: said(false) })
    await attempt(one.deps, one.settlement)
    expect(claimOf(one)).toEqual([doubted(',code:LOCK_REVERTED')])
  })
  test.each([
    [false, ''],
    [true, ',order:{key:key~1,payment:hash,amount:10000000n USDC,issuedAt:1795262400,kind:void}'],
  ])(
    'and what has to land is sent again, under a key of its own where it was said for good: %j',
    async (final, order) => {
      const one = stage({ answer: said(final), settlement: { ...refund, mustLand: true } })
      expect(await attempt(one.deps, one.settlement)).toEqual(open)
      expect(claimOf(one)).toEqual([doubted(`,refusal:LOCK_REVERTED${order}`)])
    },
  )
  test('and counts for nothing where the chain shows it', async () => {
    const found: Found = { state: 'landed', ...landed }
    const one = stage({
      settlement: lock,
      answer: said(true),
      found,
      script: { lockTask: heldTask({ status: 'assigning' }) },
    })
    expect(await attempt(one.deps, one.settlement)).toEqual({ state: 'confirmed', txHash: '0xlanded' })
  })
})

describe('a settlement that was left is taken up by what the chain shows', () => {
  const resumed = async (given: Given) => {
    const one = stage(given)
    return { one, ending: await resume(one.deps, one.settlement) }
  }
  const overdue = {
    ...payout,
    order: { ...payout.order, payment: { ...payout.order.payment, authorizationExpiry: now.getTime() / 1_000 - 1 } },
  }

  test.each<[string, Given]>([
    ['absent, while it can still be carried out', {}],
    ['absent, with more held than it takes', { found: { state: 'absent', capturable: held + 1n } }],
    ['absent, and what is held was not told', { found: { state: 'absent' } }],
    ['absent, a refund of all that is held', { settlement: refund }],
    ['absent, a lock', { settlement: lock, found: { state: 'absent' } }],
  ])('%s: it is sent again', async (_what, given) => {
    const { one, ending } = await resumed(given)
    expect([ending, one.sent.length]).toEqual([open, 1])
  })
  test.each<[string, Given]>([
    ['it cannot be read', { found: 'unread' }],
    ['less is held than it takes', { found: { state: 'absent', capturable: held - 1n } }],
    ['less is held than it gives back', { settlement: refund, found: { state: 'absent', capturable: held - 1n } }],
    ['more is held than it gives back', { settlement: refund, found: { state: 'absent', capturable: held + 1n } }],
  ])('and it waits where %s', async (_what, given) => {
    const { one, ending } = await resumed(given)
    expect([ending, one.sent, claimOf(one)]).toEqual([open, [], [doubted()]])
  })
  test('and it is confirmed where that shows it', async () => {
    const { ending } = await resumed({
      settlement: lock,
      found: { state: 'landed', ...landed },
      script: { lockTask: heldTask({ status: 'assigning' }) },
    })
    expect(ending).toEqual({ state: 'confirmed', txHash: '0xlanded' })
  })

  const usedOtherwise = {
    code: 'LOCK_REVERTED',
    message: 'The signature was used on chain for something else. Sign a new one.',
  }
  const expired = {
    code: 'AUTHORIZATION_EXPIRED',
    message: 'The authorization ran out before it was on chain; the money is untouched.',
  }
  test('and it is given back where its signature was used otherwise', async () => {
    const { one, ending } = await resumed({ settlement: lock, found: { state: 'absent', isDead: true } })
    expect([ending, one.sent]).toEqual([{ state: 'refused', refusal: usedOtherwise }, []])
  })
  test('and it is given back where the chain takes it no more', async () => {
    const { one, ending } = await resumed({ settlement: overdue })
    expect([ending, one.sent]).toEqual([{ state: 'refused', refusal: expired }, []])
  })
  test('but not while the chain is behind', async () => {
    const { one } = await resumed({ settlement: overdue, chainTime: after(-60_000) })
    expect(one.sent).toHaveLength(1)
  })
  test('a lock that was just seen used otherwise is given back without another look', async () => {
    const one = stage({ settlement: lock, found: 'unread' })
    expect(await refuseUsed(one.deps, one.settlement)).toEqual({ state: 'refused', refusal: usedOtherwise })
  })
  test('and is open where another took it up', async () => {
    const one = stage({ settlement: lock, script: { lockSettlement: { ...lock, attempts: 1 } } })
    expect(await refuseUsed(one.deps, one.settlement)).toEqual(open)
  })
})
