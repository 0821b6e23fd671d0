import { splitFee } from '../money/amount.ts'
import type { OwedFee } from '../ports/store.ts'
import { leaseEnd, sendBefore } from '../settlements/settlement.ts'
import { checkIdentities } from './agent-now.ts'
import { auditMoney } from './audit-money.ts'
import { auditRatings } from './audit-ratings.ts'
import { auditChannels } from './audit-channels.ts'
import { finishCashOuts } from './carry-cash-out.ts'
import { windUpOpenings } from './open-channel.ts'
import { reclaimChannels, settleChannels, watchChannels } from './channel-duties.ts'
import type { MarketDeps } from './deps.ts'
import { onEach } from './each-network.ts'
import { expire } from './expire.ts'
import { followChains } from './follow-chain.ts'
import { purgeUploads } from './purge-uploads.ts'
import { relayRating } from './relay-rating.ts'
import { runSearches } from './run-searches.ts'
import { runTimers } from './run-timers.ts'
import { resume } from './settle.ts'
import { leaseOf, mostOwed, sweepDue } from './sweep-fees.ts'
import { verifyDue } from './verify.ts'
import { watchRefused } from './watch.ts'

const batch = 20

/**
 * One round of each background duty; each takes due rows with a lease and answers how many it finished. What waits for
 * a chain is done network by network (decision 0301), on those that are named or on all.
 */
export const duties = {
  ...{ reconcile, finishCashOuts, renewLeases, watchRefused, expire, runTimers, disburseFees, relayRatings },
  ...{ runSearches, checkIdentities },
  ...{ verify: verifyDue, purgeUploads, auditMoney, auditRatings, followChains },
  ...{ settleChannels, watchChannels, reclaimChannels, windUpOpenings, auditChannels },
} as const

/** Finishes settlements that a crash, a timeout or a slow chain left (claimed, sent or in doubt). */
function reconcile(deps: MarketDeps, networks?: readonly string[]): Promise<number> {
  return onEach(deps, networks, async (network) => {
    const now = deps.clock.now()
    const due = await deps.store.leaseSettlements(network, now, leaseEnd(now), sendBefore(now), batch)
    const endings = await Promise.all(due.map((settlement) => resume(deps, settlement)))
    return endings.filter((ending) => ending.state !== 'open').length
  })
}

/**
 * Keeps what this process works on from being taken up by another; called every few seconds, well within
 * `claimLeaseMs`. Changes nothing else.
 */
async function renewLeases({ held, store, clock }: MarketDeps): Promise<number> {
  const mine = held.list()
  return mine.length === 0 ? 0 : store.renewSettlements(mine, leaseEnd(clock.now()))
}

/** Moves accrued fees to the treasury and names the transaction in the payment events. */
function disburseFees(deps: MarketDeps, networks?: readonly string[]): Promise<number> {
  return onEach(deps, networks, (network) => disburseOn(deps, network))
}

async function disburseOn(deps: MarketDeps, network: string): Promise<number> {
  const owed = await deps.store.owedFees(network, mostOwed)
  const named = await Promise.all(owed.map((fee) => nameFee(deps, fee)))
  const left = owed.filter((_, index) => named[index] === false)
  const assets = new Map(left.map(({ bounty }) => [bounty.asset.symbol, bounty.asset]))
  for (const [symbol, asset] of assets)
    await sweepDue(
      deps,
      asset,
      left.filter(({ bounty }) => bounty.asset.symbol === symbol),
      leaseOf(deps),
    )
  return named.filter(Boolean).length
}

/** Relays ratings given with an approval. */
function relayRatings(deps: MarketDeps, networks?: readonly string[]): Promise<number> {
  return onEach(deps, networks, async (network) => {
    const { now, until } = leaseOf(deps)
    const due = await deps.store.leaseRatings(network, now, until, batch)
    const relayed = await Promise.all(due.map((rating) => relayRating(deps, rating)))
    return relayed.filter(Boolean).length
  })
}

/** A fee has its transaction once a sweep went by after the capture. */
async function nameFee(deps: MarketDeps, owed: OwedFee): Promise<boolean> {
  const { asset } = owed.bounty
  const by = await deps.store.sweepAfter(asset, owed.captured)
  if (by === null) return false
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    if (!(await tx.settleFee(owed.taskId, by.txHash, now))) return
    await tx.addPaymentEvent({
      id: deps.ids.next(),
      taskId: owed.taskId,
      type: 'disburse_fee',
      status: 'success',
      amount: splitFee(owed.bounty).fee,
      asset,
      from: null,
      to: null,
      txHash: by.txHash,
      at: now,
    })
  })
  return true
}
