import { compareEscrow, isClosed, isRefundDue, stuckAfterMs, type EscrowBooks } from '../audit/compare-escrow.ts'
import { chainsBehind } from '../audit/chain-lag.ts'
import { compareSums } from '../audit/compare-sums.ts'
import type { Finding } from '../audit/finding.ts'
import { networkOf } from '../settlements/order.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { claimRefund } from './cancel.ts'
import { confirmSettlement } from './confirm.ts'
import type { MarketDeps } from './deps.ts'
import { allOf } from './each-network.ts'
import { readable } from './readable.ts'
import { servedFollowings } from './served-followings.ts'
import { attempt } from './settle.ts'

const roundMs = 60_000
const sumsMs = 600_000
const dayMs = 86_400_000
/**
 * Payments and transactions of a network looked at in one round, and how many of them at once: a bound on what its
 * chain is asked.
 */
const batch = 100
const abreast = 8
/** How far one node of a chain may be behind another: a younger transaction that is not seen says nothing. */
const laggingMs = 60_000
/** A capture names its fee within minutes; after an hour nothing will. */
const feeUnnamedAfterMs = 3_600_000

/** Anybody may send fees on: what came in lately may be gone already. */
const passingMs = 15 * 60_000

type Scoped = Finding & { readonly scope: string }
/**
 * What one comparison found; null where the chain could not be read, or the rows moved meanwhile: that says nothing.
 */
type Verdict = { readonly scope: string; readonly found: readonly Finding[] } | null

/**
 * Compares what the ledger says with what the chains say, a bounded share a round, and remembers the differences. Only
 * flows that exist already mend anything, and none of this books money (decision 0059).
 */
export async function auditMoney(deps: MarketDeps): Promise<number> {
  const now = deps.clock.now()
  const round = await deps.store.leaseAudit(now, after(now, roundMs), after(now, sumsMs))
  if (round === null) return 0
  const chains = await Promise.allSettled(deps.networks.map(({ name }) => auditChain(deps, name, now, round.sums)))
  const verdicts = [
    ...chains.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    await auditLedger(deps),
    await auditWaiting(deps, now),
    await auditNames(deps, now),
    { scope: 'following', found: chainsBehind(await servedFollowings(deps), now) },
  ].filter((verdict) => verdict !== null)
  const found = verdicts.flatMap(({ scope, found }): Scoped[] => found.map((one) => ({ ...one, scope })))
  await deps.store.reportFindings(
    verdicts.map(({ scope }) => scope),
    found,
    now,
  )
  // What one chain brought to a halt is told once what was found on the others is kept.
  allOf(chains)
  // Always 0: the next round is a minute away, however much is left for it.
  return 0
}

/** Everything of one network; a chain that cannot be read costs the others nothing but the wait for a few answers. */
async function auditChain(
  deps: MarketDeps,
  network: string,
  now: Date,
  withSums: boolean,
): Promise<readonly Verdict[]> {
  return [
    ...(await auditEscrows(deps, network, now)),
    ...(await auditProofs(deps, network, now)),
    ...(withSums ? await auditSums(deps, network, now) : []),
  ]
}

async function auditEscrows(deps: MarketDeps, network: string, now: Date): Promise<readonly Verdict[]> {
  const due = await deps.store.leaseEscrowAudits(network, now, after(now, roundMs), batch)
  const verdicts = await whileRead(due, (books) => auditEscrow(deps, books, now))
  // A payment that is over and agrees is looked at again in a week.
  const closed = due.filter((books, index) => isClosed(books) && verdicts[index]?.found.length === 0)
  if (closed.length > 0)
    await deps.store.auditEscrowAt(
      closed.map(({ taskId }) => taskId),
      after(now, 7 * dayMs),
    )
  return verdicts
}

async function auditEscrow(deps: MarketDeps, books: EscrowBooks, now: Date): Promise<Verdict> {
  const scope = `escrow:${books.taskId}`
  const compared = await compareNow(deps, books, now)
  if (compared === null) return null
  if (isRefundDue(books)) await refund(deps, books.taskId, now)
  else if (books.open !== null) await confirmLanded(deps, books.open)
  else return { scope, found: compared }
  const mended = await deps.store.escrowBooks(books.taskId)
  return mended === null ? null : wrap(scope, await compareNow(deps, mended, now))
}

function wrap(scope: string, found: readonly Finding[] | null): Verdict {
  return found === null ? null : { scope, found }
}

/** A difference counts while our rows say the same before and after the chain was read. */
async function compareNow(deps: MarketDeps, books: EscrowBooks, now: Date): Promise<readonly Finding[] | null> {
  const state = await readable(() => deps.rails(books.payment.network).escrowState(books.payment))
  if (state === null) return null
  const found = compareEscrow(books, state, now)
  if (found.length === 0) return found
  const again = await deps.store.escrowBooks(books.taskId)
  return again !== null && isSame(books, again) ? found : null
}

function isSame(one: EscrowBooks, other: EscrowBooks): boolean {
  return (
    one.payment.hash === other.payment.hash &&
    one.held === other.held &&
    one.captured === other.captured &&
    one.escrowStatus === other.escrowStatus &&
    one.status === other.status &&
    one.open?.id === other.open?.id
  )
}

/** A task that is over holds money and nobody claims its refund: the refund is claimed, as the deadline would have. */
async function refund(deps: MarketDeps, taskId: string, now: Date): Promise<void> {
  const settlement = await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    if (task === null || task.escrowStatus !== 'authorized' || (await tx.hasOpenSettlement(taskId))) return null
    return claimRefund(deps, tx, task, true, now)
  })
  if (settlement !== null) await attempt(deps, settlement)
}

/** What the chain has finished need not wait for the retry of its settlement. */
async function confirmLanded(deps: MarketDeps, settlement: Settlement): Promise<void> {
  const { order } = settlement
  const found = await readable(() => deps.rails(networkOf(order)).find(order))
  if (found?.state === 'landed') await confirmSettlement(deps, settlement, found)
}

/** Whether the transactions we named are still on chain, with the events and the amounts we booked. */
async function auditProofs(deps: MarketDeps, network: string, now: Date): Promise<readonly Verdict[]> {
  const due = await deps.store.leaseProofs(network, now, after(now, roundMs), after(now, -laggingMs), batch)
  const verdicts = await whileRead(due, async (settlement): Promise<Verdict> => {
    const { asset, atomic, network } = movedBy(settlement)
    const proof = await readable(() => deps.rails(network).proof(settlement.order, settlement.txHash))
    if (proof === null) return null
    const finding = {
      subject: settlement.txHash,
      taskId: settlement.taskId,
      settlementId: settlement.id,
      network,
      asset,
      atomic,
    }
    const found: readonly Finding[] =
      proof === 'proven' || (proof === 'absent' && (await isUnbooked(deps, settlement)))
        ? []
        : proof === 'absent'
          ? [
              {
                ...finding,
                kind: 'reorged',
                detail: `the transaction of this ${settlement.purpose} is no longer on chain`,
              },
            ]
          : [
              {
                ...finding,
                kind: 'mismatch',
                detail: `the transaction of this ${settlement.purpose} does not show what was booked`,
              },
            ]
    return { scope: `proof:${settlement.id}`, found }
  })
  const proven = due.filter((_, index) => verdicts[index]?.found.length === 0)
  const isYoung = ({ createdAt }: Settlement): boolean => now.getTime() - createdAt.getTime() < dayMs
  await proveAgain(deps, proven.filter(isYoung), after(now, sumsMs))
  await proveAgain(
    deps,
    proven.filter((one) => !isYoung(one)),
    after(now, 30 * dayMs),
  )
  return verdicts
}

/** Its block was undone for good and the books say so: what it had moved is a settlement or a finding of its own. */
async function isUnbooked(deps: MarketDeps, { id, order }: Settlement): Promise<boolean> {
  if (order.kind === 'charge') return false
  const { network, hash } = order.payment
  const booked = await deps.store.transaction((tx) => tx.movements(network, hash))
  return booked.every(({ settlementId }) => settlementId !== id)
}

async function proveAgain(deps: MarketDeps, settlements: readonly Settlement[], at: Date): Promise<void> {
  if (settlements.length > 0)
    await deps.store.proveAt(
      settlements.map(({ id }) => id),
      at,
    )
}

/** All payments of a token together, against what the contracts hold. */
async function auditSums(deps: MarketDeps, network: string, now: Date): Promise<readonly Verdict[]> {
  // Channels are no contract that holds all of them: each is compared by itself.
  if (network === deps.channels?.network) return []
  const since = new Date(now.getTime() - passingMs)
  const before = (await deps.store.heldSums(since)).filter(({ asset }) => asset.network === network)
  const held = await inTurns(before, ({ asset }) => readable(() => deps.rails(asset.network).holdings(asset)))
  const later = await deps.store.heldSums(since)
  return before.map((sums, index): Verdict => {
    const after = later.find(({ asset }) => asset.network === sums.asset.network && asset.symbol === sums.asset.symbol)
    const holdings = held[index]
    if (after === undefined || holdings === null || holdings === undefined) return null
    return { scope: `sums:${sums.asset.network}:${sums.asset.symbol}`, found: compareSums(sums, after, holdings) }
  })
}

/** The running totals that readers use, against the lines of the ledger. */
async function auditLedger(deps: MarketDeps): Promise<Verdict> {
  const drift = await deps.store.ledgerDrift()
  return {
    scope: 'ledger',
    found: drift.map(({ asset, figure, atomic }): Finding => ({
      kind: 'mismatch',
      subject: `ledger:${asset.network}:${asset.symbol}:${figure}`,
      taskId: null,
      settlementId: null,
      network: asset.network,
      asset,
      atomic,
      detail: `the running total ${figure} of the ledger is not the sum of its lines`,
    })),
  }
}

async function auditWaiting(deps: MarketDeps, now: Date): Promise<Verdict> {
  const stuck = await deps.store.stuckSettlements(new Date(now.getTime() - stuckAfterMs), 1_000)
  return {
    scope: 'settlements',
    found: stuck.map((settlement): Finding => ({
      kind: 'stuck',
      subject: settlement.id,
      taskId: settlement.taskId,
      settlementId: settlement.id,
      ...movedBy(settlement),
      detail:
        `the ${settlement.purpose} is ${settlement.status} since ` +
        `${settlement.createdAt.toISOString()}, after ${String(settlement.attempts)} attempts`,
    })),
  }
}

async function auditNames(deps: MarketDeps, now: Date): Promise<Verdict> {
  const unnamed = await deps.store.unnamedPayments(new Date(now.getTime() - feeUnnamedAfterMs), 1_000)
  return {
    scope: 'names',
    found: unnamed.map((one): Finding => ({
      kind: 'unnamed',
      subject: one.settlementId ?? one.taskId,
      ...one,
      asset: null,
      atomic: null,
    })),
  }
}

function movedBy({ order }: Settlement): Pick<Finding, 'asset' | 'atomic'> & { readonly network: string } {
  if (order.kind === 'charge')
    return { network: order.transfer.network, asset: order.transfer.amount.asset, atomic: order.transfer.amount.atomic }
  return {
    network: order.payment.network,
    asset: order.payment.asset,
    atomic: order.kind === 'authorize' ? order.payment.maxAmount : order.amount.atomic,
  }
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms)
}

/** In the order given, a few at once. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += abreast)
    results.push(...(await Promise.all(items.slice(start, start + abreast).map(work))))
  return results
}

/** The same, until a whole turn could not be read: who answers nothing is not asked for the rest of a round. */
async function whileRead<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R | null>,
): Promise<readonly (R | null)[]> {
  const results: (R | null)[] = []
  for (let start = 0; start < items.length; start += abreast) {
    const turn = await Promise.all(items.slice(start, start + abreast).map(work))
    results.push(...turn)
    if (turn.every((one) => one === null)) break
  }
  return results
}
