import { publicEvents } from '../events/event.ts'
import type { MarketDeps } from '../flows/deps.ts'
import type { EventMarket } from '../market-events.ts'

export { publicEvents } from '../events/event.ts'

const any = { wallet: null, types: null, taskId: null, category: null } as const

export function createEventViews({ store }: MarketDeps): EventMarket {
  return {
    async events(caller, { scope, types, taskId, category }, after, limit) {
      if (scope === 'public')
        return store.eventsAfter(
          {
            wallet: null,
            types: types === null ? publicEvents : publicEvents.filter((type) => types.includes(type)),
            taskId,
            category,
          },
          after,
          limit,
        )
      if (caller.kind === 'anonymous')
        return { events: [], place: after ?? (await store.eventHorizon()), hasMore: false }
      return store.eventsAfter({ wallet: caller.wallet, types, taskId, category }, after, limit)
    },
    everyEvent: (after, limit) => store.eventsAfter(any, after, limit),
    eventHorizon: () => store.eventHorizon(),
  }
}
