import { operation, type Operation } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { privateKeySigner, signRequest, type Hex, type Signer } from '@ergon/protocols'
import * as Type from 'typebox'
import { createAdminKeyCheck } from '../../src/dispatch/admin-key.ts'
import { createAuthenticate, type ContractWallets } from '../../src/dispatch/authenticate.ts'
import { createDispatch } from '../../src/dispatch/dispatch.ts'
import type { AnyHandler } from '../../src/dispatch/handlers.ts'
import { createLimits, type LimitSettings } from '../../src/dispatch/limits.ts'
import { createPlanner } from '../../src/dispatch/plan.ts'
import { createRest, type RequestLine } from '../../src/transports/rest.ts'

const closed = { additionalProperties: false }
const item = Type.String({ minLength: 3, maxLength: 10 })

/** A contract of five operations, enough to meet every step of dispatch. */
const operations = {
  'things.list': operation({
    section: 'things',
    summary: 'List.',
    access: { by: 'anyone' },
    success: 200,
    errors: [],
    input: Type.Object(
      { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })), only_new: Type.Optional(Type.Boolean()) },
      closed,
    ),
    output: Type.Object({}),
    rest: [{ method: 'GET', path: '/things' }],
  }),
  'things.make': operation({
    section: 'things',
    summary: 'Make.',
    access: { by: 'wallet', scope: null, unsigned: 401, identity: true },
    success: 201,
    errors: ['INVALID_BOUNTY'],
    input: Type.Object(
      { item, bounty_usd: Type.Number({ maximum: 100, 'x-decimal': 6 }), payment_auth: Type.Optional(Type.String()) },
      closed,
    ),
    output: Type.Object({}),
    resend: 'again',
    rest: [{ method: 'POST', path: '/things', headers: { payment_auth: 'X-Payment-Auth' } }],
  }),
  'things.own': operation({
    section: 'things',
    summary: 'Read as a person or a wallet.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    success: 200,
    errors: [],
    input: Type.Object({}, closed),
    output: Type.Object({}),
    rest: [{ method: 'GET', path: '/own' }],
  }),
  'things.private': operation({
    section: 'things',
    summary: 'Read.',
    access: { by: 'wallet', scope: null, unsigned: 403 },
    success: 200,
    errors: [],
    input: Type.Object({ thing: item }, closed),
    output: Type.Object({}),
    rest: [{ method: 'GET', path: '/things/{thing}' }],
  }),
  'things.admin': operation({
    section: 'things',
    summary: 'Admin.',
    access: { by: 'admin' },
    success: 200,
    errors: [],
    input: Type.Object({}, closed),
    output: Type.Object({}),
    rest: [{ method: 'GET', path: '/admin' }],
  }),
} satisfies Record<string, Operation>

export const signer = privateKeySigner(`0x${'11'.repeat(32)}`)
export const authority = 'market.test'

export type TinyOptions = {
  readonly limits?: Partial<LimitSettings>
  readonly contracts?: ContractWallets
  readonly noncesFail?: () => boolean
  readonly identity?: () => Promise<number>
  readonly isOverloaded?: () => boolean
  /** Whose session a cookie is. */
  readonly session?: (cookie: string) => string | null
}

/** The real dispatch and transport over that contract; nonces are kept in a set. */
export async function startTinyService(options: TinyOptions = {}) {
  const seen = new Set<string>()
  const calls: {
    readonly op: string
    readonly call: Parameters<AnyHandler>[0]
    readonly input: Readonly<Record<string, unknown>>
  }[] = []
  const lines: RequestLine[] = []
  const faults: unknown[] = []
  const left: string[] = []
  const handlerOf =
    (op: string): AnyHandler =>
    (call, input) => {
      if (input['item'] === 'explode') throw new Error('a secret of the house')
      if (input['item'] === 'refuse')
        throw new MarketError('INSUFFICIENT_FUNDS', { required_usdc: '5', network: 'localnet' })
      calls.push({ op, call, input })
      return { body: { exact: call.exact('bounty_usd') ?? null, input } }
    }
  const limits = createLimits({ anonymousPerMinute: 0, walletPerMinute: 0, publishPerHour: 0, ...options.limits })
  const now = (): number => Date.now()
  const authenticate = createAuthenticate({
    policy: { authorities: [authority], chains: [31337], maxValiditySec: 300, clockSkewSec: 30 },
    nonces: {
      consume: (key) => {
        if (options.noncesFail?.() === true) return Promise.reject(new Error('down'))
        const isNew = !seen.has(key)
        seen.add(key)
        return Promise.resolve(isNew)
      },
    },
    contracts: options.contracts ?? { isValidSignature: () => Promise.resolve(false) },
    mayAskContract: (ip) => limits.contracts.take(ip, now()).allowed,
    accounts: { check: () => Promise.resolve() },
    now,
  })
  let requests = 0
  const server = createRest({
    operations,
    handlers: Object.fromEntries(Object.keys(operations).map((name) => [name, handlerOf(name)])),
    plan: createPlanner(),
    dispatch: createDispatch({
      idempotency: { run: (_plan, call, input, handler) => handler(call, input) },
      authenticate,
      people: {
        read: ({ headers }) =>
          Promise.resolve(personOf(options.session?.(headers.find(([name]) => name === 'cookie')?.[1] ?? '') ?? null)),
        allows: (origin) => origin === `http://${authority}`,
      },
      accounts: {
        check: () => Promise.resolve(),
        proofOf: () => Promise.resolve(null),
        acting: (_proven, act) => act(),
      },
      agents: {
        isRequired: true,
        demanded: options.identity ?? (() => Promise.resolve(7)),
        known: () => Promise.resolve(null),
      },
      limits,
      isAdminKey: createAdminKeyCheck('open sesame'),
      gate: { isBanned: () => false, isOff: () => false },
      isOverloaded: options.isOverloaded ?? (() => false),
      realm: authority,
      now,
    }),
    publicUrl: undefined,
    version: '0',
    authorities: [authority],
    trustedProxies: [],
    nextRequestId: () => `request-${String((requests += 1))}`,
    onRequest: (line) => {
      lines.push(line)
    },
    onFault: (fault) => {
      faults.push(fault)
    },
    onLeft: (id) => {
      left.push(id)
    },
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, calls, lines, faults, left, seen, http: server.server, [Symbol.asyncDispose]: () => server.close() }
}

const personOf = (wallet: string | null) => (wallet === null ? null : { wallet, proof: 'key' as const })

let nonces = 0

/** Headers of a request signed for the tiny service; `now` moves the signature's clock, in seconds from now. */
export async function signed(
  method: string,
  target: string,
  body?: string,
  change: {
    readonly now?: number
    readonly authority?: string
    readonly key?: Hex
    readonly signer?: Signer
    readonly chainId?: number
    readonly nonce?: string
    readonly headers?: Record<string, string>
  } = {},
): Promise<Record<string, string>> {
  const headers = {
    host: change.authority ?? authority,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...change.headers,
  }
  const url = `http://${change.authority ?? authority}${target}`
  const added = await signRequest(
    { method, url, headers, ...(body === undefined ? {} : { body }) },
    {
      signer: change.signer ?? (change.key === undefined ? signer : privateKeySigner(change.key)),
      chainId: change.chainId ?? 31337,
      now: Date.now() / 1000 + (change.now ?? 0),
      nonce: change.nonce ?? `nonce-${String((nonces += 1))}`,
    },
  )
  return { ...headers, ...added }
}
