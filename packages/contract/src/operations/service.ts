import * as Type from 'typebox'
import { chainLag, moneyFindingKinds } from '../findings.ts'
import { operation } from '../operation.ts'
import { uploadSizes } from '../resources/upload-sizes.ts'
import { closed, instant, nullable, open, usd } from '../schema.ts'
import { evidenceTypes, paymentModes } from '../vocabulary.ts'

const networksUp = Type.Record(Type.String(), Type.Boolean())

export const service = {
  health: operation({
    section: 'health',
    summary: 'Whether the service and what it stands on answer.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      status: Type.Enum(['healthy', 'degraded']),
      api_version: Type.Enum(['v1']),
      version: Type.String(),
      timestamp: instant('Now.'),
      database: Type.Boolean(),
      facilitator: Type.Boolean(),
      networks: networksUp,
      agent_id: nullable(Type.Integer()),
      erc8004_network: Type.String(),
      event_loop_delay_ms: Type.Number({
        description: 'How late nine of ten timers of this process fired at most, in the last second.',
      }),
      uploads: nullable(uploadSizes),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/health' }],
  }),
  healthPayments: operation({
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
      oldest_finding_at: nullable(instant('When the oldest of them was first seen.')),
      audited_at: nullable(instant('When the ledger was last compared with the chains; null before the first time.')),
      chains: Type.Array(chainLag, { description: 'How far each chain is followed; empty before the first round.' }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/health/payments' }],
  }),
  config: operation({
    section: 'config',
    summary: 'What this deployment offers.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      supported_networks: Type.Array(Type.String()),
      supported_tokens: Type.Array(Type.String()),
      preferred_network: Type.String(),
      payment_mode: Type.Enum([...paymentModes]),
      min_bounty: usd('Minimum.'),
      max_bounty: usd('Maximum.'),
      rate_limits: open(
        { anonymous_per_minute: Type.Integer(), wallet_per_minute: Type.Integer(), publish_per_hour: Type.Integer() },
        '0 is no limit.',
      ),
      features: open({ services: Type.Boolean(), h2a: Type.Boolean() }),
      categories: Type.Array(Type.String()),
      evidence_types: Type.Array(Type.Enum([...evidenceTypes])),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/config' }],
  }),
  nonce: operation({
    section: 'auth',
    summary: 'A fresh nonce for a signed request; making your own is just as good.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({ nonce: Type.String(), ttl_seconds: Type.Integer(), message: Type.String() }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/auth/nonce' }],
  }),
  signingPolicy: operation({
    section: 'auth',
    summary: 'The signing policy as it is enforced; it outranks every example.',
    access: { by: 'anyone' },
    input: closed({}),
    output: Type.Record(Type.String(), Type.Unknown()),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/auth/erc8128/info' }],
  }),
  authInfo: operation({
    section: 'auth',
    summary: 'Every way to authenticate and whether it is on.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      modes: Type.Array(open({ name: Type.String(), enabled: Type.Boolean(), description: Type.String() })),
      paybox_connect: Type.Boolean(),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/auth/info' }],
  }),
}
