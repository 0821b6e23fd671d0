import { describe, expect, test } from 'vitest'
import type { Movement } from '../escrow/movement.ts'
import { MarketError } from '../errors.ts'
import type { Rail } from '../ports/rail.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { linesOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { logged, refused, type Lines } from '../testing/scripted-lines.ts'
import {
  authorize,
  capture,
  dispute,
  giveBackOf,
  heldTask,
  moved,
  placeOn,
  settlementOf,
} from '../testing/scripted-money.ts'
import { settleRest } from './settle-rest.ts'

type Case = {
  readonly settlement: Settlement
  readonly movements: readonly Movement[] | 'unread'
  readonly capturable: bigint
  readonly current?: Partial<Settlement> | null
  readonly past?: { readonly blockNumber: bigint; readonly logIndex: number }
  readonly script?: Script
}

async function rest({ settlement, movements, capturable, current = {}, past, script = {} }: Case) {
  const read = (): Promise<readonly Movement[]> =>
    movements === 'unread' ? Promise.reject(new MarketError('CHAIN_UNAVAILABLE')) : Promise.resolve(movements)
  const lockSettlement = current === null ? null : { ...settlement, ...current }
  const one = placeOn(heldTask(), { lockTask: heldTask({ status: 'disputed' }), lockSettlement, ...script })
  const woken: string[] = []
  const deps = {
    ...one.deps,
    rails: () => ({ ...one.chain.rail, movements: read }) as Rail,
    wakeup: { settlements: () => woken.push('settlements'), verifications: () => undefined },
  }
  const left = await settleRest(deps, settlement, capturable, past)
  const lines = linesOf(one.asked).filter((line) => /^(endSettlement|changeTask|addMovement|changeDispute)/.test(line))
  return { left: linesOf([['left', left]])[0], lines, woken: woken.length }
}

const locked = moved('authorized', 10_000_000n, { logIndex: 1 })
const paidPart = moved('captured', 4_000_000n, { logIndex: 2 })
const backPart = moved('voided', 4_000_000n, { logIndex: 2 })
const signed = { signer: 'payer', deadline: 1, nonce: '0x01', signature: '0x' }
const refund = settlementOf('refund', giveBackOf())
const award = settlementOf('award', capture(6_000_000n))
const decided = { lockDisputeOf: dispute() }

const logSeen = (kind: string, atomic: bigint, logIndex: number): string =>
  logged(kind, atomic, { at: { txHash: `0x${kind}`, blockNumber: 7n, logIndex }, settlementId: null })
/** The order for what is left, after the last log that was read. */
const orderAnew = (atomic: bigint, kind: string): string =>
  `{key:key~1,payment:hash,amount:${String(atomic)}n USDC,issuedAt:1795262400,${kind},` +
  'after:{blockNumber:7n,logIndex:2}}'
const claimedAnew = (atomic: bigint, kind: string): string =>
  `endSettlement settlement {status:claimed,order:${orderAnew(atomic, kind)},sentUntil:2026-11-21T12:00:30.000Z} now`
const goesOn = (purpose: string, atomic: bigint, kind: string): string =>
  'left {again:{submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,' +
  `purpose:${purpose},subject:hash,order:${orderAnew(atomic, kind)},id:settlement,status:claimed,txHash:null,` +
  'attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now}}'

describe('others moved part of a payment', () => {
  test.each<[string, Case, string, Lines, number]>([
    [
      'a refund goes on with what is left',
      { settlement: refund, movements: [locked, paidPart], capturable: 6_000_000n },
      goesOn('refund', 6_000_000n, 'kind:void'),
      [logSeen('authorized', 10_000_000n, 1), logSeen('captured', 4_000_000n, 2), claimedAnew(6_000_000n, 'kind:void')],
      0,
    ],
    [
      'a stray goes on with what is left',
      { settlement: settlementOf('stray', capture()), movements: [locked, backPart], capturable: 6_000_000n },
      goesOn('stray', 6_000_000n, 'kind:capture,order:null'),
      [
        logSeen('authorized', 10_000_000n, 1),
        logSeen('voided', 4_000_000n, 2),
        claimedAnew(6_000_000n, 'kind:capture,order:null'),
      ],
      0,
    ],
    [
      'an order that its payer signed is for what was there, so it is signed anew',
      {
        settlement: settlementOf('release', { ...capture(), order: signed }),
        movements: [locked, paidPart],
        capturable: 6_000_000n,
      },
      'left {ending:{state:refused,refusal:{code:LIFECYCLE_ORDER_INVALID,' +
        'details:{reason:part of the bounty was released on chain},' +
        'message:Part of the bounty was released on chain past this service. ' +
        'Read the lifecycle challenge again and sign it: its amount is what is left.}}}',
      [
        logSeen('authorized', 10_000_000n, 1),
        logSeen('captured', 4_000_000n, 2),
        refused('LIFECYCLE_ORDER_INVALID'),
        'changeTask task {escrowStatus:authorized} now',
      ],
      0,
    ],
    [
      'an award goes on with what the worker lacks of it',
      {
        settlement: settlementOf('award', capture()),
        movements: [locked, paidPart],
        capturable: 6_000_000n,
        script: decided,
      },
      goesOn('award', 2_000_000n, 'kind:capture,order:null'),
      [
        logSeen('authorized', 10_000_000n, 1),
        logSeen('captured', 4_000_000n, 2),
        claimedAnew(2_000_000n, 'kind:capture,order:null'),
      ],
      0,
    ],
    [
      'an award that the worker has already leaves the rest to the remainder',
      {
        settlement: settlementOf('award', capture()),
        movements: [locked, moved('captured', 7_000_000n, { logIndex: 2 })],
        capturable: 3_000_000n,
        script: decided,
      },
      'left {ending:{state:open}}',
      [
        logSeen('authorized', 10_000_000n, 1),
        logSeen('captured', 7_000_000n, 2),
        refused('ESCROW_NOT_RELEASABLE'),
        'changeTask task {escrowStatus:refunding} now',
      ],
      1,
    ],
    [
      'nothing is left',
      { settlement: refund, movements: [locked, moved('reclaimed', 10_000_000n, { logIndex: 2 })], capturable: 0n },
      'left {ending:{state:elsewhere,txHash:0xreclaimed}}',
      [
        logSeen('authorized', 10_000_000n, 1),
        logSeen('reclaimed', 10_000_000n, 2),
        'changeTask task {escrowStatus:refunded} now',
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
      0,
    ],
    [
      'nothing is left, and its lock was undone',
      { settlement: refund, movements: [], capturable: 0n },
      'left {ending:{state:elsewhere,txHash:null}}',
      ['changeTask task {escrowStatus:refunded} now', refused('ESCROW_NOT_REFUNDABLE')],
      0,
    ],
  ])('%s', async (_what, given, left, lines, woken) => {
    const done = await rest(given)
    expect(done.left).toEqual(left)
    expect(done.lines).toEqual(lines)
    expect(done.woken).toBe(woken)
  })

  test.each<[string, Case]>([
    ['cannot be read', { settlement: refund, movements: 'unread', capturable: 0n }],
    ['shows nothing while the state does', { settlement: refund, movements: [], capturable: 1n }],
    [
      'shows nothing while the books do',
      { settlement: refund, movements: [], capturable: 0n, script: { movements: [locked] } },
    ],
    ['shows more than the state', { settlement: refund, movements: [locked, paidPart], capturable: 5_999_999n }],
    ['shows the refund as it was ordered', { settlement: refund, movements: [locked], capturable: 10_000_000n }],
    ['shows enough for the order', { settlement: award, movements: [locked, paidPart], capturable: 6_000_000n }],
    [
      'shows less than is booked',
      {
        settlement: refund,
        movements: [locked, paidPart],
        capturable: 6_000_000n,
        script: { movements: [moved('refunded')] },
      },
    ],
  ])('a node that %s says nothing', async (_what, given) => {
    const done = await rest(given)
    expect([done.left, done.lines]).toEqual(['left unreadable', []])
  })

  test.each<[string, Case]>([
    [
      'has taken it up',
      { settlement: refund, movements: [locked, paidPart], capturable: 6_000_000n, current: { attempts: 1 } },
    ],
    [
      'has ended it',
      { settlement: refund, movements: [locked, paidPart], capturable: 6_000_000n, current: { status: 'confirmed' } },
    ],
    ['removed it', { settlement: refund, movements: [locked, paidPart], capturable: 6_000_000n, current: null }],
    [
      'removed its task',
      { settlement: refund, movements: [locked, paidPart], capturable: 6_000_000n, script: { lockTask: null } },
    ],
    [
      'is asked for a lock, which has no rest',
      { settlement: settlementOf('lock', authorize), movements: [locked], capturable: 1n },
    ],
  ])('another process %s', async (_what, given) => {
    const done = await rest(given)
    expect([done.left, done.lines]).toEqual(['left taken up', []])
  })
})

describe('the order is on chain after all', () => {
  const own = moved('voided', 10_000_000n, { logIndex: 3, txHash: '0xown' })
  const past = { blockNumber: 7n, logIndex: 3 }
  const landed = { txHash: '0xown', blockNumber: 7n, logIndex: 3 }
  test.each<[string, Case, unknown]>([
    ['a refund', { settlement: refund, movements: [locked, own], capturable: 0n }, { landed }],
    [
      'a release, with the share that was kept',
      {
        settlement: settlementOf('release', capture(4_000_000n)),
        movements: [locked, { ...paidPart, txHash: '0xown', logIndex: 3 }],
        capturable: 6_000_000n,
      },
      { landed: { ...landed, feeBps: 1_300 } },
    ],
    [
      'but not one that another settlement brought about',
      { settlement: refund, movements: [locked, own], capturable: 0n, past },
      null,
    ],
    [
      'but not one that was known when it was ordered',
      {
        settlement: settlementOf('refund', { ...giveBackOf(), after: past }),
        movements: [locked, own],
        capturable: 0n,
      },
      null,
    ],
    [
      'but not one of another amount',
      { settlement: settlementOf('refund', giveBackOf(9_000_000n)), movements: [locked, own], capturable: 0n },
      null,
    ],
    [
      'but not one of another kind',
      { settlement: settlementOf('release', capture()), movements: [locked, own], capturable: 0n },
      null,
    ],
  ])('%s', async (_what, given, left) => {
    const done = await rest(given)
    if (left === null) expect(done.left).toMatch(/^left \{ending:/)
    else expect(done.left).toBe(linesOf([['left', left]])[0])
  })
})

test('what is sent for the rest may travel as long as any order', async () => {
  const done = await rest({ settlement: refund, movements: [locked, paidPart], capturable: 6_000_000n })
  expect(done.left).toContain(new Date(scriptedNow.getTime() + 30_000).toISOString())
})
