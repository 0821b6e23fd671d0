import {
  bearerNeed,
  disabledFeatureOf,
  operations,
  takesSession,
  type ErrorCode,
  type Operation,
  type OperationName,
} from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import type { Principal } from '../../src/dispatch/authenticate.ts'
import { column, type CheckName } from '../../src/dispatch/checks/column.ts'
import { createDispatch, type DispatchDeps } from '../../src/dispatch/dispatch.ts'
import { createLimits } from '../../src/dispatch/limits.ts'
import { createPlanner, type Plan } from '../../src/dispatch/plan.ts'
import { ada, cookie, home, json, requestOf, signature } from './one-call.ts'

/** Every operation against every check of the column: who is stopped by what, written down as literals. */

test('the checks and their order', () => {
  expect(Object.keys(column)).toEqual([
    'feature',
    'adminKey',
    'proof',
    'overload',
    'rate',
    'admission',
    'bearer',
    'ban',
    'session',
    'ownPage',
    'caller',
    'fields',
    'identity',
    'budget',
  ])
})

const spendsPublish = [
  'tasks.publish',
  'h2a.publish',
  'h2a.order',
  'listings.create',
  'listings.order',
  'streams.start',
]
const asksIdentity = [
  'tasks.publish',
  'tasks.apply',
  'tasks.submit',
  'workers.register',
  'listings.create',
  'listings.order',
  'streams.start',
]
const uncounted = ['service.health']
const keptByBanned = [
  'tasks.escrow',
  'escrow.reclaim',
  'payments.get',
  'payments.events',
  'payments.balance',
  'workers.earnings',
  'account.export',
  'account.remove',
  'cashOuts.list',
  'cashOuts.get',
  'grants.list',
  'grants.revoke',
  'grants.revokeAll',
  'grants.log',
  'auth.closeSession',
  'channels.get',
  'channels.close',
  'taximetro.stream',
  'taximetro.history',
  'streams.stop',
]

type Violation = {
  readonly code: ErrorCode
  /** How the call comes when it breaks this rule alone. */
  readonly deps?: Partial<DispatchDeps>
  readonly gate?: Partial<DispatchDeps['gate']>
  readonly limits?: Parameters<typeof createLimits>[0]
  readonly headers?: (definition: Operation) => readonly (readonly [string, string])[]
  readonly principal?: Partial<Principal>
  readonly badFields?: true
  /** The same call once more before it. */
  readonly twice?: true
}

const none = { anonymousPerMinute: 0, walletPerMinute: 0, publishPerHour: 0 }
const refuse = (code: ErrorCode) => (): never => {
  throw new MarketError(code)
}

/** A token that carries no scope at all. */
const closedGrant: NonNullable<Principal['grant']> = {
  grantId: 'a grant',
  clientId: 'a tool',
  wallet: ada as `0x${string}`, // an address
  account: `eip155:1:${ada}`,
  scopes: new Set(),
  approval: null,
  expiresAt: new Date('2026-11-21T13:00:00Z'),
}

const violations: Readonly<Record<Exclude<CheckName, 'caller'> | 'nonce', Violation>> = {
  feature: { code: 'FEATURE_DISABLED', gate: { isOff: () => true } },
  adminKey: { code: 'INVALID_API_KEY', headers: (one) => [...goodHeaders(one, false), ['x-admin-key', 'a guess']] },
  proof: {
    code: 'SIGNATURE_EXPIRED',
    deps: { authenticate: refuse('SIGNATURE_EXPIRED') },
    headers: (one) => [...goodHeaders(one, true), signature],
  },
  overload: { code: 'SERVICE_BUSY', deps: { isOverloaded: () => true }, headers: () => [] },
  rate: { code: 'RATE_LIMITED', limits: { ...none, anonymousPerMinute: 1, walletPerMinute: 1 }, twice: true },
  admission: { code: 'UNAUTHORIZED', headers: () => [] },
  bearer: {
    code: 'bearer_not_allowed',
    principal: { via: 'bearer', grant: closedGrant },
    headers: (one) => (one.access.by === 'admin' ? goodHeaders(one, true) : [signature, json]),
  },
  ban: {
    code: 'WALLET_BLOCKED',
    gate: { isBanned: () => true },
    headers: (one) => (one.access.by === 'anyone' ? [signature] : goodHeaders(one, true)),
  },
  session: {
    code: 'SESSION_REQUIRED',
    headers: (one) => (one.access.by === 'admin' ? goodHeaders(one, true) : [signature]),
  },
  ownPage: {
    code: 'ORIGIN_NOT_ALLOWED',
    headers: (one) =>
      takesSession(one.access) ? [cookie, json, ['origin', 'http://evil.test']] : goodHeaders(one, true),
  },
  fields: { code: 'UNKNOWN_FIELD', badFields: true },
  identity: {
    code: 'identity_required',
    deps: { agents: { isRequired: true, known: () => Promise.resolve(null), demanded: refuse('identity_required') } },
  },
  budget: { code: 'RATE_LIMITED', limits: { ...none, publishPerHour: 1 }, twice: true },
  nonce: { code: 'SIGNATURE_REPLAYED', principal: { consumeNonce: refuse('SIGNATURE_REPLAYED') } },
}

/** What stops an operation, as the specification has it: by its access, or by name. */
function isStoppedBy(check: keyof typeof violations, name: string, definition: Operation): boolean {
  const { access, rest } = definition
  switch (check) {
    case 'feature':
    case 'proof':
    case 'fields':
    case 'adminKey':
      return true
    case 'overload':
      return !uncounted.includes(name)
    case 'rate':
      return !uncounted.includes(name) && access.by !== 'admin'
    case 'admission':
      return access.by !== 'anyone' && !(access.by === 'wallet' && access.unsigned === 200)
    case 'bearer':
      return access.by !== 'admin' && bearerNeed(definition) !== 'token'
    case 'ban':
      return access.by !== 'admin' && !keptByBanned.includes(name)
    case 'session':
      return access.by === 'session'
    case 'ownPage':
      return takesSession(access) && rest[0]?.method !== 'GET'
    case 'identity':
      return asksIdentity.includes(name)
    case 'budget':
      return spendsPublish.includes(name)
    case 'nonce':
      return access.by === 'wallet'
  }
}

/** Who calls nobody's operation is nobody; the admin comes with the key, a person with the cookie, a wallet signs. */
function goodHeaders({ access }: Operation, withKey: boolean): readonly (readonly [string, string])[] {
  if (access.by === 'admin') return withKey ? [['x-admin-key', 'open sesame'], json] : [json]
  if (access.by === 'session') return [cookie, json, ['origin', home]]
  return access.by === 'wallet' ? [signature, json] : [json]
}

const codeOfNobody = ({ access }: Operation): ErrorCode =>
  access.by === 'admin'
    ? 'INVALID_API_KEY'
    : access.by === 'session'
      ? 'SESSION_REQUIRED'
      : access.by === 'wallet' && access.unsigned === 403
        ? 'SIGNATURE_REQUIRED'
        : 'UNAUTHORIZED'

const planner = createPlanner()

/** The plan of an operation, with fields that are good unless they are what is tested. */
function planOf(name: string, definition: Operation, isBad: boolean): Plan {
  const [binding] = definition.rest
  if (binding === undefined) throw new Error(`${name} has no binding`)
  const plan = planner(name, definition, binding)
  return isBad ? plan : { ...plan, gather: () => ({ input: {}, decimals: {} }), check: () => undefined }
}

async function call(name: string, definition: Operation, broken: readonly Violation[]): Promise<string | null> {
  const now = (): number => Date.parse('2026-11-21T12:00:00Z')
  const principal: Principal = {
    wallet: ada,
    proof: 'key',
    via: 'signature',
    consumeNonce: () => Promise.resolve(),
    ...Object.assign({}, ...broken.map((one) => one.principal)),
  }
  const dispatch = createDispatch({
    now,
    limits: createLimits(Object.assign({}, none, ...broken.map((one) => one.limits))),
    authenticate: () => Promise.resolve(principal),
    people: {
      read: ({ headers }) =>
        Promise.resolve(headers.some(([header]) => header === 'cookie') ? { wallet: ada, proof: 'key' } : null),
      allows: (origin) => origin === home,
    },
    accounts: {
      check: () => Promise.resolve(),
      proofOf: () => Promise.resolve(null),
      acting: (_proven, act) => act(),
    },
    agents: { isRequired: false, known: () => Promise.resolve(null), demanded: () => Promise.resolve(7) },
    idempotency: { run: (_plan, one, input, handler) => handler(one, input) },
    isAdminKey: (given) => given === 'open sesame',
    gate: { isBanned: () => false, isOff: () => false, ...Object.assign({}, ...broken.map((one) => one.gate)) },
    isOverloaded: () => false,
    realm: 'market.test',
    ...Object.assign({}, ...broken.map((one) => one.deps)),
  })
  const isBad = broken.some((one) => one.badFields === true)
  const plan = planOf(name, definition, isBad)
  const headers = broken.map((one) => one.headers?.(definition)).find((one) => one !== undefined)
  const method = definition.rest[0]?.method ?? 'GET'
  const request = requestOf({
    method,
    target: isBad ? '/?nobody_knows=1' : '/',
    headers: headers ?? goodHeaders(definition, true),
    body: isBad && plan.takesBody ? '{"nobody_knows":1}' : '',
  })
  const run = async (): Promise<string | null> => (await dispatch(plan, () => ({ body: {} }), request, {})).code
  if (broken.some((one) => one.twice === true)) expect(await run()).toBe(null)
  return run()
}

const all = Object.entries<Operation>(operations)

describe.each(Object.keys(violations) as (keyof typeof violations)[])('%s', (check) => {
  test.each(all)('%s', async (name, definition) => {
    const violation = violations[check]
    const expected = !isStoppedBy(check, name, definition)
      ? null
      : check === 'admission'
        ? codeOfNobody(definition)
        : check === 'bearer' && bearerNeed(definition) !== 'refused'
          ? 'insufficient_scope'
          : check === 'feature'
            ? (disabledFeatureOf(definition.section)?.code ?? 'FEATURE_DISABLED')
            : violation.code
    expect(await call(name, definition, [violation])).toBe(expected)
  })
})

/** Each breaks its rule and every later one: the earlier check speaks. */
const chains = {
  'tasks.publish': ['feature', 'proof', 'ban', 'fields', 'identity', 'nonce'],
  'h2a.publish': ['feature', 'ban', 'ownPage', 'fields'],
  'admin.ban': ['feature', 'adminKey', 'fields'],
} as const satisfies Partial<Record<OperationName, readonly (keyof typeof violations)[]>>

describe.each(Object.entries(chains))('of all that is wrong with %s the first check speaks:', (name, chain) => {
  test.each(chain.map((check, at) => [check, chain.slice(at)] as const))('%s', async (check, rest) => {
    const definition: Operation = operations[name as OperationName]
    const broken = rest.map((one): Violation => violations[one])
    expect(await call(name, definition, broken)).toBe(violations[check].code)
  })
})
