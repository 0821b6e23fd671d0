import type { EventName } from '@ergon/contract'
import type { MarketDeps } from '../flows/deps.ts'
import { MarketError } from '../errors.ts'
import type { EventMarket } from '../market-events.ts'
import type { EventPlace, EventQuery, EventStore } from '../ports/store-events.ts'

/** What happens to a task in public; everything else concerns its parties alone. */
export const publicEvents: readonly EventName[] = [
  'task.created',
  'task.updated',
  'task.cancelled',
  'task.expired',
  'task.completed',
]

const any = { wallet: null, types: null, taskId: null, category: null } as const

export function createEventViews({ store }: MarketDeps): EventMarket {
  return {
    async events(caller, { scope, types, taskId, category }, after, limit) {
      if (scope === 'public') {
        const shown = types === null ? publicEvents : publicEvents.filter((type) => types.includes(type))
        return keptEvents(store, { wallet: null, types: shown, taskId, category }, after, limit)
      }
      if (caller.kind === 'anonymous')
        return { events: [], place: after ?? (await store.eventHorizon()), hasMore: false }
      return keptEvents(store, { wallet: caller.wallet, types, taskId, category }, after, limit)
    },
    everyEvent: (after, limit) => store.eventsAfter(any, after, limit),
    eventHorizon: () => store.eventHorizon(),
  }
}

/**
 * Events for a reader outside, who has to know when some of them are kept no longer. Asked after the read, since what
 * is forgotten meanwhile may be missing from it. @throws EVENTS_FORGOTTEN
 */
export async function keptEvents(
  store: EventStore,
  query: EventQuery,
  after: EventPlace | null,
  limit: number,
): ReturnType<EventStore['eventsAfter']> {
  const page = await store.eventsAfter(query, after, limit)
  if (after !== null && !(await store.areKept(after))) throw new MarketError('EVENTS_FORGOTTEN')
  return page
}
