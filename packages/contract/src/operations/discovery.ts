import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { closed, instant, nullable, open } from '../schema.ts'

const document = Type.Record(Type.String(), Type.Unknown())
const health = Type.Enum(['healthy', 'degraded'])

/** What a stranger reads before the first request, and what watches over the parts the service stands on. */
export const discovery = {
  healthIdentity: operation({
    section: 'health',
    summary: 'Whether identities can be read and registered, how many were today, and which one is the platform’s own.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      status: health,
      network: Type.String(),
      registry: Type.Boolean({ description: 'The node of that network answers.' }),
      facilitator: Type.Boolean({ description: 'Registrations are relayed by it.' }),
      agent_id: nullable(Type.Integer({ description: 'The platform’s own agent id.' })),
      identity_required: Type.Boolean(),
      auto_register: Type.Boolean(),
      registrations: open({
        today: Type.Integer({ description: 'Registrations that this deployment paid for since midnight UTC.' }),
        limit: nullable(Type.Integer({ description: 'How many it pays for in a day; null is no limit.' })),
      }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/health/identity' }],
  }),
  healthNetworks: operation({
    section: 'health',
    summary: 'Every network served: whether its node answers and what it is used for.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      status: health,
      networks: Type.Array(
        open({
          name: Type.String(),
          caip2: Type.String(),
          reachable: Type.Boolean(),
          escrow: Type.Boolean(),
          tokens: Type.Array(Type.String()),
          identity: Type.Boolean(),
          ratings: Type.Boolean(),
        }),
      ),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/health/networks' }],
  }),
  agentInfo: operation({
    section: 'discovery',
    summary: 'Who this service is, how to speak to it and what it pays with.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      name: Type.String(),
      tagline: Type.String(),
      version: Type.String(),
      agent_id: nullable(Type.Integer()),
      network: Type.String({ description: 'Where that agent id counts.' }),
      identity: document,
      protocols: open({
        a2a: nullable(document),
        mcp: nullable(document),
        rest: document,
        websocket: nullable(document),
        docs: document,
      }),
      payment: document,
      stats: open({
        open_tasks: Type.Integer(),
        active_tasks: Type.Integer(),
        completed_tasks: Type.Integer(),
        workers: Type.Integer(),
        agents: Type.Integer(),
      }),
      skills: Type.Array(document),
      task_categories: Type.Array(Type.String()),
      links: Type.Record(Type.String(), Type.String()),
      timestamp: instant('Now.'),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/agent-info' }],
  }),
  skills: operation({
    section: 'discovery',
    summary: 'What an agent can do here, and with which route.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      agent: Type.String(),
      agent_id: nullable(Type.Integer()),
      version: Type.String(),
      skills: Type.Array(
        open({
          id: Type.String(),
          name: Type.String(),
          description: Type.String(),
          mcp_tools: Type.Array(Type.String()),
          rest_endpoint: Type.String(),
        }),
      ),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/skills' }],
  }),
  agentCard: operation({
    section: 'discovery',
    summary: 'The agent card.',
    access: { by: 'anyone' },
    input: closed({}),
    output: document,
    success: 200,
    errors: [],
    // Version 0.3.0 of the protocol moved the card; directories ask at both places.
    rest: [
      { method: 'GET', path: '/.well-known/agent.json' },
      { method: 'GET', path: '/.well-known/agent-card.json' },
    ],
  }),
}
