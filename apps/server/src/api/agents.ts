import { limits } from '@ergon/contract'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { presentAgent } from './present/people.ts'

export function createAgentHandlers(deps: ApiDeps): HandlersOf<'agents'> {
  const { market } = deps
  return {
    'agents.directory': async (_call, input) => {
      const page = input.page ?? 1
      const limit = input.limit ?? limits.pageDefault
      const found = await market.directory(
        { capability: input.capability ?? null, minRating: input.min_rating ?? null },
        { limit, offset: (page - 1) * limit },
      )
      return done({ agents: found.rows.map(presentAgent), total: found.total, page, limit })
    },
    'agents.exchangeKey': async ({ request }, input) => {
      const { token, agentId, tier, expiresAt } = await deps.exchangeAgentKey(input.api_key, request.ip)
      return done({ token, agent_id: agentId, tier, expires_at: expiresAt.toISOString() })
    },
  }
}
