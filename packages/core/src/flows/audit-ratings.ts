import type { Finding } from '../audit/finding.ts'
import { MarketError } from '../errors.ts'
import type { SentRating, WrittenRating } from '../ports/store-audit.ts'
import type { Rating } from '../reputation/rating.ts'
import { inTurns } from './audit-money.ts'
import type { MarketDeps } from './deps.ts'
import { allOf } from './each-network.ts'
import { confirmRating, prepareAgain } from './rate.ts'

const batch = 20
/** A relay answers within half a minute; later, the process that sent is gone. */
const staleAfterMs = 60_000
/** How far the clock of a chain may be behind ours (decision 0033). */
const chainClockMs = 5 * 60_000
/** A rating that nobody could finish for so long is a finding. */
const stuckAfterMs = 10 * 60_000
const dayMs = 86_400_000

/**
 * Ratings that a crash left on their way are confirmed or may be prepared anew, by what the registry says; confirmed
 * ones are checked.
 */
export async function auditRatings(deps: MarketDeps): Promise<number> {
  const now = deps.clock.now()
  const rounds = await Promise.allSettled(deps.networks.map(({ name }) => auditOn(deps, name, now)))
  await auditWaiting(deps, now)
  return allOf(rounds).reduce((sum, ended) => sum + ended, 0)
}

/** What waits for one chain waits for no other. */
async function auditOn(deps: MarketDeps, network: string, now: Date): Promise<number> {
  const sent = await deps.store.leaseSentRatings(
    network,
    now,
    new Date(now.getTime() + staleAfterMs),
    new Date(now.getTime() - staleAfterMs),
    batch,
  )
  const ended = await inTurns(sent, (rating) => endSent(deps, rating, now))
  await auditConfirmed(deps, network, now)
  return ended.filter(Boolean).length
}

async function endSent(deps: MarketDeps, rating: SentRating, now: Date): Promise<boolean> {
  const found = await answered(() =>
    deps.ratings.find(rating.terms, rating.rater, rating.writtenAt).then((one) => ({ one })),
  )
  if (found === null) return false
  if (found.one !== null) {
    await confirmRating(deps, rating, found.one, now)
    return true
  }
  if (now.getTime() - rating.landsUntil.getTime() <= chainClockMs) return false
  return prepareAgain(deps, rating, now)
}

/** Null when the registry cannot be asked, for whatever reason: one such rating must not hold up the others. */
async function answered<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof MarketError) return null
    throw error
  }
}

/**
 * Nothing waits unseen: what is on its way for too long is told before it is given up, and for as long as it is not.
 */
async function auditWaiting(deps: MarketDeps, now: Date): Promise<void> {
  const stuck = await deps.store.stuckRatings(new Date(now.getTime() - stuckAfterMs), 1_000)
  await deps.store.reportFindings(
    ['ratings'],
    stuck.map(({ id, taskId, status, since, attempts, terms }) => ({
      kind: 'stuck',
      scope: 'ratings',
      subject: id,
      taskId,
      settlementId: null,
      network: terms.network,
      asset: null,
      atomic: null,
      detail: `the rating is ${status} since ${since.toISOString()}, after ${String(attempts)} attempts`,
    })),
    now,
  )
}

/** The document we serve hashes to what the registry holds. */
async function auditConfirmed(deps: MarketDeps, network: string, now: Date): Promise<void> {
  const due = await deps.store.leaseRatingAudits(network, now, new Date(now.getTime() + staleAfterMs), batch)
  if (due.length === 0) return
  const verdicts = await inTurns(due, async (rating) => {
    const isOwn = deps.ratings.hashOf(rating.document) === rating.terms.feedbackHash
    const onChain = await answered(() => deps.ratings.find(rating.terms, null, null).then((one) => one !== null))
    return isOwn && onChain === null
      ? null
      : { rating, found: isOwn && onChain === true ? [] : [finding(rating, isOwn)] }
  })
  const seen = verdicts.filter((one) => one !== null)
  await deps.store.reportFindings(
    seen.map(({ rating }) => `rating:${rating.id}`),
    seen.flatMap(({ rating, found }) => found.map((one) => ({ ...one, scope: `rating:${rating.id}` }))),
    now,
  )
  const agreeing = seen.filter(({ found }) => found.length === 0).map(({ rating }) => rating)
  // Its block may still be undone.
  const isYoung = ({ writtenAt }: WrittenRating): boolean => now.getTime() - writtenAt.getTime() < dayMs
  const [young, old] = [agreeing.filter(isYoung), agreeing.filter((rating) => !isYoung(rating))]
  for (const [ratings, days] of [
    [young, 1],
    [old, 30],
  ] as const)
    if (ratings.length > 0)
      await deps.store.auditRatingAt(
        ratings.map(({ id }) => id),
        new Date(now.getTime() + days * dayMs),
      )
}

function finding(rating: Rating, isOwn: boolean): Finding {
  const detail = isOwn
    ? 'the registry holds no rating with the hash of this document'
    : 'the document does not hash to what was rated'
  return {
    kind: 'rating_hash',
    subject: rating.id,
    taskId: rating.taskId,
    settlementId: null,
    network: rating.terms.network,
    asset: null,
    atomic: null,
    detail,
  }
}
