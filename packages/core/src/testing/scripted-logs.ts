import type { LogPlace } from '../escrow/movement.ts'
import { MarketError } from '../errors.ts'
import { followChains, type LostLocks } from '../flows/follow-chain.ts'
import type { ChainLogs, ChainWindow, Distribution, SeenMovement, SpentNonce } from '../ports/chain-logs.ts'
import type { Found } from '../ports/rail.ts'
import type { BookedMovement } from '../ports/store-follow.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { linesOf, scriptedNow, type Script } from './scripted-deps.ts'
import { claimed, type Lines } from './scripted-lines.ts'
import { authorize, charge, heldTask, moved, payment, placeOn, settlementOf } from './scripted-money.ts'

/** One round of following a chain, by what its node shows and what the store holds. */

const now = scriptedNow
const block = (number: bigint) => ({ number, at: now })
const following = (followed: bigint, first = 1n) => ({
  network: 'localnet',
  first,
  followed: block(followed),
  head: block(followed),
  readAt: now,
})
export const seen = (movement: Parameters<typeof moved>[0], change: Partial<SeenMovement> = {}): SeenMovement => ({
  ...moved(movement, payment.maxAmount, { logIndex: 1 }),
  operator: movement === 'authorized' || movement === 'charged' ? 'ours' : null,
  lock: null,
  ...change,
})
export const booked = (change: Partial<BookedMovement> = {}): BookedMovement => ({
  ...moved('captured', payment.maxAmount, { logIndex: 1 }),
  taskId: 'task',
  settlementId: 'settlement',
  missingSince: null,
  ...change,
})
export const distribution: Distribution = {
  network: 'localnet',
  txHash: '0xsweep',
  blockNumber: 7n,
  logIndex: 2,
  asset: payment.asset,
  atomic: 1_300_000n,
}
export const lock = settlementOf('lock', authorize, { submissionId: null })
export const known = (status: Settlement['status']) => ({ payment, lock: { ...lock, status } })
export const payout = settlementOf('payout', charge())
export const spent: SpentNonce = {
  txHash: '0xspent',
  blockNumber: 7n,
  logIndex: 3,
  token: 'token',
  payer: 'payer',
  nonce: 'nonce',
}

export type Given = {
  readonly head?: bigint
  readonly followed?: bigint | null
  readonly window?: Partial<ChainWindow> | null
  readonly windowTo?: (from: bigint, to: bigint) => bigint
  readonly script?: Script
  readonly found?: Found | null
  readonly movements?: readonly SeenMovement[] | null
  readonly sent?: readonly string[] | null
  readonly lostLocks?: LostLocks
  readonly networks?: readonly object[]
  /** The present place of a booked log. */
  readonly place?: LogPlace | 'unread' | null
}

const unread = (): Promise<never> => Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))

export async function followed(given: Given = {}) {
  const { head = 9n, window = {}, windowTo = (_from, to) => to, script = {}, found = { state: 'absent' } } = given
  const asked: unknown[][] = []
  const logs: ChainLogs = {
    depth: 4,
    head: () => (head < 0n ? unread() : Promise.resolve(block(head))),
    window(from, to, payers) {
      asked.push(['window', from, to, [...payers]])
      if (window === null) return unread()
      return Promise.resolve({
        through: block(windowTo(from, to)),
        movements: [],
        distributions: [],
        spent: [],
        ...window,
      })
    },
    sentByFacilitator: (hashes) => (given.sent === null ? unread() : Promise.resolve(new Set(given.sent ?? hashes))),
    placeOf: () => (given.place === 'unread' ? unread() : Promise.resolve(given.place ?? null)),
  }
  const last = given.followed === undefined ? 6n : given.followed
  const one = placeOn(heldTask(), {
    leaseFollowing: { following: last === null ? null : following(last) },
    watchedTransfers: [],
    bookedTransfers: [],
    bookedMovements: [],
    bookedDistributions: [],
    knownPayments: [],
    payersOwing: ['owing'],
    openSettlement: null,
    addDistribution: true,
    dropDistribution: true,
    lockTask: heldTask({ status: 'cancelled', escrowStatus: 'refunded' }),
    lockSettlement: { ...lock, status: 'refused' },
    ...script,
  })
  const rail = {
    ...one.chain.rail,
    logs,
    find: () => (found === null ? unread() : Promise.resolve(found)),
    movements: () => (given.movements === null ? unread() : Promise.resolve(given.movements ?? [])),
    send: () => Promise.resolve({ outcome: 'unknown' }),
  }
  const networks = given.networks ?? one.deps.networks
  const deps = { ...one.deps, rails: () => rail, networks } as unknown as typeof one.deps
  const behind = await followChains(deps, given.lostLocks)
  return { behind, asked, lines: linesOf(one.asked) }
}

const quiet = /^(leaseFollowing|watchedTransfers|bookedTransfers|bookedMovements|bookedDistributions|putFollowing)/
/** Without what is asked in every round. */
export async function written(given: Given): Promise<Lines> {
  const { lines } = await followed(given)
  return lines.filter((line) => !quiet.test(line))
}

/** No booked log is missing, in the words of `linesOf`. */
export const nothingUndone = 'reportFindings [undone:localnet] [] now'
/** What is held goes where it belongs: `kind` is the order's, and what belongs to that kind. */
export const strayClaimed = (id: number, kind: string, subject = 'hash'): string =>
  claimed(id, {
    purpose: 'stray',
    subject,
    submissionId: null,
    order:
      `key:stray:hash:#${String(id)},payment:hash,amount:10000000n USDC,issuedAt:1795262400,` +
      `after:{blockNumber:7n,logIndex:1},kind:${kind}`,
  })
