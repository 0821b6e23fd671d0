import { MarketError, type Slice } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { sliceFields, sliceOf } from './present/page.ts'
import { presentAgent } from './present/people.ts'

export function createAgentHandlers(deps: ApiDeps): HandlersOf<'agents'> {
  const { market } = deps
  return {
    'agents.directory': async (_call, input) => {
      const { limit, offset } = placeOf(input)
      const found = await market.directory(
        { capability: input.capability ?? null, minRating: input.min_rating ?? null },
        { limit, offset },
      )
      const page = Math.floor(offset / limit) + 1
      return done({ agents: found.rows.map(presentAgent), ...sliceFields(found), page, limit })
    },
    'agents.exchangeKey': async ({ request }, input) => {
      const { token, agentId, tier, expiresAt } = await deps.exchangeAgentKey(input.api_key, request.ip)
      return done({ token, agent_id: agentId, tier, expires_at: expiresAt.toISOString() })
    },
  }
}

/** @throws VALIDATION_FAILED where page and offset are both given */
function placeOf({ page, ...slice }: Partial<Slice> & { readonly page?: number }): Slice {
  const { limit, offset } = sliceOf(slice)
  if (page === undefined) return { limit, offset }
  if (slice.offset !== undefined)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'page',
      constraint: 'page or offset, not both',
      received: page,
    })
  return { limit, offset: (page - 1) * limit }
}
