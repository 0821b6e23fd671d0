import type { DueSearch, HeldSearch, SearchEnd } from '../ports/store-searches.ts'
import { afterLook, askedBy, foundData, lookUntil, mostTold } from '../searches/saved-search.ts'
import type { MarketDeps } from './deps.ts'

/** Looks in a round: what all searches together may cost a second. */
const batch = 50

/**
 * One round of looking for what is new to saved searches (decision 0251). A look whose end was lost is made again from
 * where it began, and told once: the place and the event are in one commit. Answers how many looks were made.
 */
export async function runSearches(deps: MarketDeps): Promise<number> {
  const { store, clock, settings } = deps
  const now = clock.now()
  await store.forgetSearches(now, batch)
  const due = await store.leaseSearches(now, new Date(now.getTime() + settings.leaseMs), batch)
  const looks = await Promise.allSettled(due.map((search) => look(deps, search)))
  const quiet = looks.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []))
  if (quiet.length > 0) await store.restSearches(quiet)
  const failed = looks.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return due.length
}

/** Tells what it found; how it goes on where that is nothing. */
async function look(deps: MarketDeps, search: DueSearch): Promise<(HeldSearch & SearchEnd) | null> {
  const { store, clock, ids } = deps
  const { wallet, slot, heldUntil, seen: after } = search
  const now = clock.now()
  const window = { after, until: lookUntil(now), wallet }
  const found = search.isBanned
    ? { taskIds: [], seen: window.until }
    : await store.newTasks(askedBy(search), window, mostTold, now)
  const end = afterLook(search, found, now)
  if (found.taskIds.length === 0) return { wallet, slot, heldUntil, ...end }
  await store.transaction(async (tx) => {
    if (!(await tx.endLook(search, end))) return
    const data = foundData(search, found, now)
    await tx.tellWallet(wallet, { id: ids.next(), type: 'search.found', at: now, data })
  })
  return null
}
