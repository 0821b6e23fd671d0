import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { agentEntry } from '../resources/people.ts'
import { closed, instant, open, optional, slice, sliced, text } from '../schema.ts'
import { agentTiers, limits } from '../vocabulary.ts'

export const agents = {
  'agents.directory': operation({
    section: 'agents',
    summary: 'Agents and robots that work here, best rated first.',
    access: { by: 'anyone' },
    input: closed({
      capability: optional(
        Type.String({ pattern: '^[a-z0-9_-]{1,50}$', description: 'One thing the agent must say it can do.' }),
      ),
      min_rating: optional(Type.Number({ minimum: 0, maximum: 100 })),
      page: optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.offsetMax / limits.pageMax,
          default: 1,
          description: 'Another way to say `offset`; one of the two.',
        }),
      ),
      ...slice,
    }),
    output: open({
      agents: Type.Array(agentEntry),
      ...sliced,
      page: Type.Integer(),
      limit: Type.Integer(),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/agents/directory' }],
  }),
  'agents.exchangeKey': operation({
    section: 'auth',
    summary: 'Exchange an agent key for a token of the dashboard. Off unless the deployment names keys.',
    access: { by: 'anyone' },
    input: closed({
      api_key: text('svc_<tier>_<random>; travels in the body and in no header.', 10, 200),
    }),
    output: open({
      token: Type.String({ description: 'JWT; opens no operation of this host.' }),
      agent_id: Type.Integer({ description: 'ERC-8004 agent id.' }),
      tier: Type.Enum([...agentTiers]),
      expires_at: instant('When the token ends.'),
    }),
    success: 200,
    resend: 'unkeyed',
    errors: ['AGENT_KEYS_DISABLED', 'AGENT_KEY_REFUSED'],
    rest: [{ method: 'POST', path: '/api/v1/agent/auth' }],
  }),
}
