import * as Type from 'typebox'
import { chainLag, moneyFindingKinds } from '../findings.ts'
import { operation } from '../operation.ts'
import { uploadSizes } from '../resources/upload-sizes.ts'
import { closed, instant, nullable, open, optional, takes_new_jobs, usd } from '../schema.ts'
import { evidenceTypes, paymentModes } from '../vocabulary.ts'

const document = Type.Record(Type.String(), Type.Unknown())
const health = Type.Enum(['healthy', 'degraded'])
const closed_networks = optional(
  Type.Array(Type.String(), {
    description:
      'Networks where nothing new begins for now; what is open there goes on and ends. A version that closes no networks leaves it out.',
  }),
)
const networksUp = Type.Record(Type.String(), Type.Boolean())

export const service = {
  'service.health': operation({
    section: 'health',
    summary: 'Whether the service and what it depends on answer.',
    access: { by: 'anyone' },
    uncounted: 'unsigned',
    input: closed({}),
    output: open({
      status: Type.Enum(['healthy', 'degraded']),
      api_version: Type.Enum(['v1']),
      version: Type.String(),
      timestamp: instant('Now.'),
      database: Type.Boolean(),
      facilitator: Type.Boolean(),
      networks: networksUp,
      closed_networks,
      agent_id: nullable(Type.Integer()),
      erc8004_network: Type.String(),
      event_loop_delay_ms: Type.Number({
        description: 'How late nine of ten timers of this process fired at most, in the last second.',
      }),
      clock_ahead_ms: nullable(
        Type.Integer({
          description:
            'How far the clock of this machine is ahead of the one that all servers share; null until it is known.',
        }),
      ),
      uploads: nullable(uploadSizes),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/health' }],
  }),
  'service.healthPayments': operation({
    section: 'health',
    summary: 'Settlements that wait or are in doubt, and where the ledger and the chains differ.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      status: Type.Enum(['healthy', 'degraded']),
      in_flight: Type.Integer(),
      in_doubt: Type.Integer(),
      oldest_seconds: nullable(Type.Number()),
      ledger_balanced: Type.Boolean(),
      findings: Type.Record(Type.Enum([...moneyFindingKinds]), Type.Integer(), {
        description: 'Differences between the ledger and the chains that are not resolved, by kind.',
      }),
      by_network: Type.Optional(
        Type.Array(
          open({
            network: Type.String(),
            in_flight: Type.Integer(),
            in_doubt: Type.Integer(),
            oldest_seconds: nullable(Type.Number()),
            findings: Type.Integer(),
          }),
          { description: 'The same of each network that has any of it.' },
        ),
      ),
      oldest_finding_at: nullable(instant('When the oldest of them was first seen.')),
      audited_at: nullable(instant('When the ledger was last compared with the chains; null before the first time.')),
      chains: Type.Array(chainLag, { description: 'How far each chain is followed; empty before the first round.' }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/health/payments' }],
  }),
  'service.config': operation({
    section: 'config',
    summary: 'What this deployment offers.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      service_url: Type.String({
        description:
          'Where the service says it is; its host is the name in what keys sign for it, however you reach it.',
        examples: ['http://127.0.0.1:4020'],
      }),
      supported_networks: Type.Array(Type.String()),
      supported_tokens: Type.Array(Type.String()),
      preferred_network: Type.String(),
      closed_networks,
      payment_mode: Type.Enum([...paymentModes]),
      min_bounty: usd('Minimum.'),
      max_bounty: usd('Maximum.'),
      rate_limits: open(
        { anonymous_per_minute: Type.Integer(), wallet_per_minute: Type.Integer(), publish_per_hour: Type.Integer() },
        '0 is no limit.',
      ),
      features: open(
        {
          services: Type.Boolean(),
          h2a: Type.Boolean(),
          streams: Type.Boolean(),
          taximetro: Type.Boolean(),
          channels: Type.Boolean(),
          meters: Type.Boolean(),
          oauth: Type.Boolean(),
          mail: Type.Boolean(),
          places: Type.Boolean(),
        },
        'Everything that a deployment may offer or not, and whether this one does.',
      ),
      categories: Type.Array(Type.String()),
      evidence_types: Type.Array(Type.Enum([...evidenceTypes])),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/config' }],
  }),
  'service.healthIdentity': operation({
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
  'service.healthNetworks': operation({
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
          takes_new_jobs,
        }),
      ),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/health/networks' }],
  }),
  'service.agentInfo': operation({
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
  'service.skills': operation({
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
  'service.agentCard': operation({
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
