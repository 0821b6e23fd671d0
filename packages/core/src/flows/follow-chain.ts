import type { Finding } from '../audit/finding.ts'
import { sweepJournal } from '../ledger/journal.ts'
import type { ChainBlock, ChainLogs, ChainWindow, Distribution, SeenMovement } from '../ports/chain-logs.ts'
import type { BookedMovement, BookedTransfer, Following, KnownPayment } from '../ports/store-follow.ts'
import { networkOf } from '../settlements/order.ts'
import type { Task } from '../tasks/task.ts'
import { bookLostLock, type LostLock } from './book-lost-lock.ts'
import { bookLostTransfer } from './book-lost-transfer.ts'
import { bookMovement } from './book-movement.ts'
import { confirmSettlement } from './confirm.ts'
import type { MarketDeps } from './deps.ts'
import { onEach } from './each-network.ts'
import { readable } from './readable.ts'
import { attempt } from './settle.ts'
import { unbookLost } from './unbook-lost.ts'
import { takeStray } from './watch.ts'

const leaseMs = 6_000
/** Windows of one network in one round: a bound on what the node is asked and on how long the lease is needed. */
const windowsARound = 10
const maxWatched = 500

/** `book`: the database is older than the chain, as after a restore (decision 0115). */
export type LostLocks = 'report' | 'book'
type FollowDeps = MarketDeps & { readonly lostLocks: LostLocks }

/**
 * Reads what the chains themselves say happened, from the block where the last round stopped, and books, returns or
 * reports what no row of ours names (decision 0083). Answers how many networks have more to read.
 */
export function followChains(
  deps: MarketDeps,
  lostLocks: LostLocks = 'report',
  networks?: readonly string[],
): Promise<number> {
  // Channels have no logs to follow: their accounts are read one by one.
  const followed = deps.networks.filter(({ name, chainId }) => chainId !== null && (networks?.includes(name) ?? true))
  return onEach({ networks: followed }, undefined, async (network) =>
    (await followChain({ ...deps, lostLocks }, network)) ? 1 : 0,
  )
}

async function followChain(deps: FollowDeps, network: string): Promise<boolean> {
  const now = deps.clock.now()
  const lease = await deps.store.leaseFollowing(network, now, new Date(now.getTime() + leaseMs))
  if (lease === null) return false
  const { logs } = deps.rails(network)
  const head = await readable(() => logs.head())
  if (head === null) return false
  if (lease.following === null) {
    await deps.store.putFollowing({ network, first: head.number + 1n, followed: head, head, readAt: now }, now)
    return false
  }
  return readOn(deps, logs, { ...lease.following, head })
}

/** True when the round ended before the newest block. */
async function readOn(deps: FollowDeps, logs: ChainLogs, following: Following): Promise<boolean> {
  const { network, first, head, followed } = following
  // A node that is behind another one says nothing of what the other showed.
  if (head.number < followed.number) return false
  // The newest blocks are read again as long as they may be undone.
  let from = highest(first, followed.number + 1n - BigInt(logs.depth))
  for (let windows = 0; windows < windowsARound && from <= head.number; windows += 1) {
    const through = await readWindow(deps, logs, { network, from, head })
    if (through === null) return false
    const now = deps.clock.now()
    await deps.store.putFollowing({ ...following, followed: through, readAt: now }, new Date(now.getTime() + leaseMs))
    from = through.number + 1n
  }
  const isBehind = from <= head.number
  const now = deps.clock.now()
  await deps.store.putFollowing({ ...following, followed: isBehind ? followed : head, readAt: now }, now)
  return isBehind
}

type Reading = { readonly network: string; readonly from: bigint; readonly head: ChainBlock }

async function readWindow(
  deps: FollowDeps,
  logs: ChainLogs,
  { network, from, head }: Reading,
): Promise<ChainBlock | null> {
  const watched = await deps.store.watchedTransfers(network, maxWatched)
  const transfers = await deps.store.bookedTransfers(network, from, maxWatched)
  const to = reachOf(transfers, from, head.number)
  const charges = [...watched, ...transfers.map(({ settlement }) => settlement)]
  const signers = charges.flatMap(({ order }) => (order.kind === 'charge' ? [order.transfer.from] : []))
  const owing = deps.lostLocks === 'book' ? await deps.store.payersOwing(network, maxWatched) : []
  const payers = [...new Set([...signers, ...owing])]
  const window = await readable(() => logs.window(from, to, payers))
  if (window === null) return null
  const booked = await deps.store.bookedMovements(network, from, window.through.number)
  if (!(await unbookLost(deps, logs, { network, window, booked, transfers, head }))) return null
  if (
    !(await bookUnknown(
      deps,
      logs,
      window.movements.filter((one) => !isBooked(one, booked)),
      network,
    ))
  )
    return null
  await unbookDistributions(deps, window, await deps.store.bookedDistributions(network, from, window.through.number))
  for (const distribution of window.distributions) await bookDistribution(deps, distribution)
  for (const { payer, nonce } of window.spent) {
    const paid = watched.find(
      ({ order }) => order.kind === 'charge' && order.transfer.from === payer && order.transfer.nonce === nonce,
    )
    if (paid !== undefined && (await confirmFound(deps, paid)) === null) return null
  }
  return (await bookLostTransfers(deps, window, network)) ? window.through : null
}

/** Direct payments that a restored database lost; false when the chain could not be read on the way. */
async function bookLostTransfers(deps: FollowDeps, { spent }: ChainWindow, network: string): Promise<boolean> {
  if (deps.lostLocks !== 'book') return true
  for (const one of spent) {
    const lost = await bookLostTransfer(deps, one, network)
    if (lost.state === 'unread') return false
    if (lost.state !== 'unfit') continue
    const { nonce, txHash, payer } = one
    const scope = `unclaimed:${network}:${nonce}`
    const detail = `${payer} paid ${txHash} for this task, which is ${lost.task.status} and waits for no such payment`
    const finding = { kind: 'unclaimed', scope, subject: nonce, taskId: lost.task.id, settlementId: null } as const
    await deps.store.reportFindings(
      [scope],
      [{ ...finding, network, asset: null, atomic: null, detail }],
      deps.clock.now(),
    )
  }
  return true
}

/** As far as every booked direct payment is among those that were read; of one block not more are looked at. */
function reachOf(transfers: readonly BookedTransfer[], from: bigint, head: bigint): bigint {
  const blocks = transfers.flatMap(({ movement }) => (movement.missingSince === null ? [movement.blockNumber] : []))
  if (blocks.length < maxWatched) return head
  const last = blocks.reduce(highest) - 1n
  return last < head ? highest(from, last) : head
}

/** What was booked before logs were counted is known by its transaction. */
export function isBooked(seen: SeenMovement, booked: readonly BookedMovement[]): boolean {
  return booked.some(
    (one) =>
      one.txHash === seen.txHash &&
      (one.logIndex === seen.logIndex || (one.logIndex < 0 && one.hash === seen.hash && one.kind === seen.kind)),
  )
}

/** False when the chain could not be read on the way: the window is read again. */
async function bookUnknown(
  deps: FollowDeps,
  logs: ChainLogs,
  unknown: readonly SeenMovement[],
  network: string,
): Promise<boolean> {
  const hashes = [...new Set(unknown.map(({ hash }) => hash))]
  const known = hashes.length === 0 ? [] : await deps.store.knownPayments(network, hashes)
  for (const one of known) {
    if (
      !(await bookPayment(
        deps,
        one,
        unknown.filter(({ hash }) => hash === one.payment.hash),
      ))
    )
      return false
  }
  const strange = unknown.filter(({ hash }) => !known.some(({ payment }) => payment.hash === hash))
  return strange.length === 0 || takeStrange(deps, logs, strange)
}

/** Money of a payment of ours moved and no row names it. */
async function bookPayment(
  deps: MarketDeps,
  { payment, lock }: KnownPayment,
  seen: readonly SeenMovement[],
): Promise<boolean> {
  if (lock.status === 'refused') {
    const movements = await readable(() => deps.rails(payment.network).movements(payment))
    // A node that does not know yet what another one showed cannot tell what is left to give back.
    if (
      movements === null ||
      !seen.every((one) => movements.some((moved) => moved.txHash === one.txHash && moved.logIndex === one.logIndex))
    )
      return false
    const stray = await takeStray(deps, lock, movements)
    if (stray !== null) await attempt(deps, stray)
  }
  const open = await deps.store.openSettlement(lock.taskId)
  // What our own order did is confirmed with all that belongs to it.
  if (
    open !== null &&
    open.order.kind !== 'charge' &&
    open.order.payment.hash === payment.hash &&
    (await confirmFound(deps, open)) === null
  )
    return false
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(lock.taskId)
    if (task === null) return
    for (const movement of seen) await bookMovement({ deps, tx, task, now }, payment, movement, null)
  })
  return true
}

/** Null when the chain cannot be read. */
async function confirmFound(deps: MarketDeps, settlement: KnownPayment['lock']): Promise<boolean | null> {
  const { order } = settlement
  const found = await readable(() => deps.rails(networkOf(order)).find(order))
  if (found?.state === 'landed') await confirmSettlement(deps, settlement, found)
  return found === null ? null : found.state === 'landed'
}

/**
 * A sweep moves whatever there is. Mined again in another place it may have moved another amount, or nothing: the books
 * show what the chain shows now.
 */
async function unbookDistributions(
  deps: MarketDeps,
  window: ChainWindow,
  booked: readonly Distribution[],
): Promise<void> {
  const undone = booked.filter(
    (one) =>
      !window.distributions.some(
        ({ txHash, asset, atomic }) =>
          one.txHash === txHash && one.asset.symbol === asset.symbol && one.atomic === atomic,
      ),
  )
  for (const distribution of undone) {
    await deps.store.transaction(async (tx) => {
      if (!(await tx.dropDistribution(distribution))) return
      const { asset, atomic } = distribution
      const postings = sweepJournal(atomic).map((one) => ({ account: one.account, atomic: -one.atomic }))
      await tx.post({ id: deps.ids.next(), taskId: null, asset, at: deps.clock.now(), postings })
    })
  }
}

/** Fees are booked by the log that shows them, ours and others' alike. */
async function bookDistribution(deps: MarketDeps, distribution: Distribution): Promise<void> {
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    if (!(await tx.addDistribution(distribution))) return
    await tx.post({
      id: deps.ids.next(),
      taskId: null,
      asset: distribution.asset,
      at: now,
      postings: sweepJournal(distribution.atomic),
    })
  })
}

/**
 * A payment nobody here knows. Others may use the operator as well, and that is theirs. What our own facilitator sent
 * is for a person to see, until the money has left the escrow again. After a restore it is a lock that the database
 * lost, and is booked for its task where it fits one.
 */
async function takeStrange(deps: FollowDeps, logs: ChainLogs, strange: readonly SeenMovement[]): Promise<boolean> {
  const begun = strange.filter(({ operator }) => operator === 'ours')
  const over = strange.filter(({ kind }) => kind !== 'authorized' && kind !== 'charged')
  const sent =
    begun.length === 0
      ? new Set<string>()
      : await readable(() => logs.sentByFacilitator([...new Set(begun.map(({ txHash }) => txHash))]))
  if (sent === null) return false
  const found: (Finding & { readonly scope: string })[] = []
  for (const one of begun.filter(({ txHash }) => sent.has(txHash))) {
    const lost = deps.lostLocks === 'book' ? await bookLostLock(deps, one) : unasked
    if (lost.state === 'unread') return false
    const its = strange.filter(({ hash }) => hash === one.hash)
    if (lost.state === 'booked' && !(await bookPayment(deps, lost.known, its))) return false
    if (lost.state === 'unfit') found.push(unclaimed(one, lost.task))
  }
  const stillHeld = found.filter((one) => !over.some(({ hash }) => hash === one.subject))
  if (stillHeld.length > 0 || over.length > 0)
    await deps.store.reportFindings([...over, ...begun].map(scopeOf), stillHeld, deps.clock.now())
  return true
}

/** A payer may ask the facilitator past us, and assigns nobody by it. */
const unasked: LostLock = { state: 'unfit', task: null }

const scopeOf = ({ network, hash }: SeenMovement): string => `unclaimed:${network}:${hash}`

function unclaimed(seen: SeenMovement, task: Task | null): Finding & { readonly scope: string } {
  const { network, hash, txHash, atomic, lock } = seen
  const parties = lock === null ? '' : `; ${lock.payment.payer} pays ${lock.payment.receiver}`
  return {
    kind: 'unclaimed',
    scope: scopeOf(seen),
    subject: hash,
    taskId: task?.id ?? null,
    settlementId: null,
    network,
    asset: null,
    atomic,
    detail:
      `our facilitator sent ${txHash}, and no payment here is ${hash}${parties}` +
      (task === null ? '' : `, for this task, which is ${task.status}`),
  }
}

function highest(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
