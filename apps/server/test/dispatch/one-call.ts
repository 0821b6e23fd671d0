import { operation, type Operation } from '@ergon/contract'
import * as Type from 'typebox'
import type { Principal } from '../../src/dispatch/authenticate.ts'
import { createDispatch, type DispatchDeps, type Served } from '../../src/dispatch/dispatch.ts'
import type { AnyHandler } from '../../src/dispatch/handlers.ts'
import { createLimits, type LimitSettings } from '../../src/dispatch/limits.ts'
import { createPlanner, type Plan } from '../../src/dispatch/plan.ts'
import type { RawRequest } from '../../src/dispatch/request.ts'

const closed = { additionalProperties: false }
const fields = Type.Object({ item: Type.String({ minLength: 3 }), note: Type.Optional(Type.String()) }, closed)
const none = Type.Object({}, closed)
const base = { section: 'things', summary: 'A thing.', success: 200, errors: [], output: Type.Object({}) } as const
const byWallet = { by: 'wallet', scope: null, unsigned: 401 } as const

/** One operation of each kind of access. */
const kinds = {
  read: operation({ ...base, access: { by: 'anyone' }, input: none, rest: [{ method: 'GET', path: '/things' }] }),
  search: operation({
    ...base,
    access: { by: 'anyone' },
    input: Type.Object(
      {
        count: Type.Optional(Type.Integer()),
        is_new: Type.Optional(Type.Boolean()),
        price: Type.Optional(Type.Number({ 'x-decimal': 6 })),
        text: Type.Optional(Type.String()),
      },
      closed,
    ),
    rest: [{ method: 'GET', path: '/things' }],
  }),
  make: operation({
    ...base,
    access: { ...byWallet, session: true, identity: true },
    input: fields,
    resend: 'again',
    rest: [{ method: 'POST', path: '/things' }],
  }),
  publish: operation({
    ...base,
    access: { ...byWallet, session: true },
    spends: 'publish',
    input: fields,
    resend: 'again',
    rest: [{ method: 'POST', path: '/things' }],
  }),
  change: operation({
    ...base,
    access: { ...byWallet, session: true },
    input: Type.Object(
      { thing: Type.String(), item: Type.Optional(Type.String()), proof: Type.Optional(Type.String()) },
      closed,
    ),
    resend: 'again',
    rest: [{ method: 'POST', path: '/things/{thing}', headers: { proof: 'X-Proof' } }],
  }),
  drop: operation({
    ...base,
    access: { ...byWallet, session: true },
    input: none,
    resend: 'again',
    rest: [{ method: 'DELETE', path: '/things' }],
  }),
  person: operation({ ...base, access: { by: 'session' }, input: none, rest: [{ method: 'GET', path: '/me' }] }),
  admin: operation({ ...base, access: { by: 'admin' }, input: none, rest: [{ method: 'GET', path: '/admin' }] }),
  either: operation({
    ...base,
    access: { ...byWallet, admin: true },
    input: none,
    rest: [{ method: 'GET', path: '/either' }],
  }),
} satisfies Record<string, Operation>

const plan = createPlanner()

/** The prepared binding of a kind. */
export function planOf(kind: keyof typeof kinds): Plan {
  const definition: Operation = kinds[kind]
  const [binding] = definition.rest
  if (binding === undefined) throw new Error('no binding')
  return plan(`things.${kind}`, definition, binding)
}

export const ada = `0x${'ad'.repeat(20)}`
export const home = 'http://market.test'

type Given = {
  readonly method?: string
  readonly target?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
}

export function requestOf({ method = 'GET', target = '/things', headers = [], body = '' }: Given): RawRequest {
  return { method, target, headers, body: new TextEncoder().encode(body), ip: '192.0.2.1', requestId: 'one' }
}

export type Counter = {
  readonly spent: string[]
  readonly called: { readonly caller: unknown; readonly input: unknown }[]
  readonly registered: string[]
  call(kind: keyof typeof kinds, given: Given, proven?: Principal): Promise<Served>
}

/** The real dispatch with no transport before it and a handler that notes who calls. */
export function openCounter(limits: Partial<LimitSettings> = {}, change: Partial<DispatchDeps> = {}): Counter {
  const spent: string[] = []
  const called: { readonly caller: unknown; readonly input: unknown }[] = []
  const registered: string[] = []
  const now = (): number => Date.parse('2026-11-21T12:00:00Z')
  const dispatch = createDispatch({
    now,
    limits: createLimits({ anonymousPerMinute: 0, walletPerMinute: 0, publishPerHour: 0, ...limits }),
    authenticate: ({ headers }) =>
      Promise.resolve(
        headers.some(([name]) => name === 'signature')
          ? {
              wallet: ada,
              chainId: 1,
              proof: 'key',
              via: 'signature',
              consumeNonce: async () => {
                spent.push('nonce')
              },
            }
          : null,
      ),
    people: {
      read: ({ headers }) =>
        Promise.resolve(headers.some(([name]) => name === 'cookie') ? { wallet: ada, chainId: 1, proof: 'key' } : null),
      allows: (origin) => origin === home,
    },
    accounts: {
      check: () => Promise.resolve(),
      proofOf: () => Promise.resolve(null),
      acting: (_proven, act) => act(),
    },
    agents: {
      isRequired: true,
      known: () => Promise.resolve(null),
      demanded: async (wallet) => {
        registered.push(wallet)
        return 7
      },
    },
    idempotency: { run: (_plan, call, input, handler) => handler(call, input) },
    isAdminKey: (given) => given === 'open sesame',
    gate: { isBanned: () => false, isOff: () => false },
    isOverloaded: () => false,
    realm: 'market.test',
    ...change,
  })
  const handler: AnyHandler = ({ caller }, input) => {
    called.push({ caller, input })
    return { body: {} }
  }
  return {
    spent,
    called,
    registered,
    call: (kind, given, proven) => dispatch(planOf(kind), handler, requestOf(given), {}, proven),
  }
}

export const json = ['content-type', 'application/json'] as const
export const signature = ['signature', 'eth=:AA==:'] as const
export const cookie = ['cookie', 'sid=ada'] as const
