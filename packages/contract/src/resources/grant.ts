import * as Type from 'typebox'
import { id, instant, nullable, open, usd } from '../schema.ts'
import { oauthScopes } from '../vocabulary.ts'

/** The digest that names a grant. */
export const grantId = () =>
  Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', minLength: 43, maxLength: 43, description: 'The grant.' })

/**
 * `live`: its tokens are good. `waiting`: the tool was allowed and has not fetched its token yet. `unused`: it never
 * did. `expired` and `revoked` are over.
 */
export const grantStates = ['live', 'waiting', 'unused', 'expired', 'revoked'] as const

/** Who ended a grant, or what did. */
export const grantEnds = ['code_reused', 'refresh_reused', 'revoked_by_client', 'revoked_by_owner'] as const

export const grant = open({
  grant_id: grantId(),
  state: Type.Enum([...grantStates]),
  client_id: Type.String(),
  client_name: Type.String({ description: 'As the tool calls itself.' }),
  client_host: nullable(
    Type.String({
      description: 'Host of its metadata document; null for a registered tool, whose name nobody checked.',
    }),
  ),
  redirect_host: Type.String({ description: 'Where the sign-in went back to: a host, or the scheme of an app.' }),
  account: Type.String({ description: 'CAIP-10 account that consented.' }),
  scopes: Type.Array(Type.Enum([...oauthScopes])),
  approvals: nullable(
    open(
      {
        max_usd: usd('Most that one approval may release.'),
        max_count: Type.Integer({ description: 'How many approvals were allowed.' }),
        left: Type.Integer({ description: 'How many of them are left; 0 when their time is over.' }),
        until: nullable(instant('When the one token that approves ends; null until the tool has fetched it.')),
      },
      'What it may release; null without `agent:approve`.',
    ),
  ),
  created_at: instant('When it was allowed.'),
  last_used_at: nullable(instant('Its latest call or renewal, to about a minute; null: never.')),
  expires_at: instant('When it ends by itself.'),
  revoked_at: nullable(instant('When it was taken back.')),
  revoked_for: nullable(Type.Enum([...grantEnds])),
})

/**
 * `stepped_up`: a call needed a scope that the grant has not. `approval_returned`: it came to nothing before money
 * moved, and counts no more.
 */
export const grantLogKinds = [
  'consented',
  'token_issued',
  'token_renewed',
  'stepped_up',
  'approval_granted',
  'approval_refused',
  'approval_returned',
  'revoked',
] as const

export const grantLogEntry = open({
  at: instant('When; of what happened several times, the latest.'),
  kind: Type.Enum([...grantLogKinds]),
  grant_id: grantId(),
  client_name: Type.String(),
  detail: nullable(
    Type.String({
      description: 'Scopes and how they were allowed, the scope that was missing, or why it was refused.',
    }),
  ),
  submission_id: nullable(id('What an approval was about.')),
  amount_usd: nullable(usd('What it would have released, rounded up to cents.')),
  times: Type.Integer({ description: 'The same step up or approval, tried again, stays one entry and is counted.' }),
})
