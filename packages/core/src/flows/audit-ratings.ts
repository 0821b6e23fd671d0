import type { Finding } from '../audit/finding.ts'
import type { Rating } from '../reputation/rating.ts'
import { inTurns } from './audit-money.ts'
import { readable } from './readable.ts'
import type { MarketDeps } from './deps.ts'
import { confirmRating } from './rate.ts'

const batch = 20
/** A relay answers within half a minute; later, the process that sent is gone. */
const staleAfterMs = 60_000
/** A signed rating can land for fifteen minutes, and the chain's clock may be five behind ours (decision 0033). */
const landsWithinMs = 20 * 60_000
const dayMs = 86_400_000

/** Ratings that a crash left on their way are confirmed or may be prepared anew, by what the registry says; confirmed ones are checked. */
export async function auditRatings(deps: MarketDeps): Promise<number> {
  const now = deps.clock.now()
  const stale = await deps.store.staleRatings(new Date(now.getTime() - staleAfterMs), batch)
  const ended = await inTurns(stale, (rating) => endStale(deps, rating, rating.sentAt, now))
  await auditConfirmed(deps, now)
  return ended.filter(Boolean).length
}

async function endStale(deps: MarketDeps, rating: Rating, sentAt: Date, now: Date): Promise<boolean> {
  const found = await readable(() => deps.ratings.find(rating.terms, rating.rater).then((one) => ({ one })))
  if (found === null) return false
  if (found.one !== null) {
    await confirmRating(deps, rating, found.one, now)
    return true
  }
  if (now.getTime() - sentAt.getTime() <= landsWithinMs) return false
  return deps.store.transaction(async (tx) => {
    const current = await tx.lockRating(rating.taskId, rating.direction)
    if (current?.id !== rating.id || current.status !== 'sending') return false
    await tx.endRating(rating.id, { status: 'prepared' }, now)
    return true
  })
}

/** The document we serve hashes to what the registry holds. */
async function auditConfirmed(deps: MarketDeps, now: Date): Promise<void> {
  const due = await deps.store.leaseRatingAudits(now, new Date(now.getTime() + staleAfterMs), batch)
  if (due.length === 0) return
  const verdicts = await inTurns(due, async (rating) => {
    const isOwn = deps.ratings.hashOf(rating.document) === rating.terms.feedbackHash
    const onChain = await readable(() => deps.ratings.find(rating.terms, null).then((one) => one !== null))
    return isOwn && onChain === null ? null : { rating, found: isOwn && onChain === true ? [] : [finding(rating, isOwn)] }
  })
  const seen = verdicts.filter((one) => one !== null)
  await deps.store.reportFindings(seen.map(({ rating }) => `rating:${rating.id}`), seen.flatMap(({ rating, found }) => found.map((one) => ({ ...one, scope: `rating:${rating.id}` }))), now)
  const agreeing = seen.filter(({ found }) => found.length === 0).map(({ rating }) => rating.id)
  if (agreeing.length > 0) await deps.store.auditRatingAt(agreeing, new Date(now.getTime() + 30 * dayMs))
}

function finding(rating: Rating, isOwn: boolean): Finding {
  const detail = isOwn ? 'the registry holds no rating with the hash of this document' : 'the document does not hash to what was rated'
  return { kind: 'rating_hash', subject: rating.id, taskId: rating.taskId, settlementId: null, network: rating.terms.network, asset: null, atomic: null, detail }
}
