import { takesSession, writes } from '@ergon/contract'
import { MarketError, type AdminCaller, type Caller } from '@ergon/core'
import type { Accounts, Proven } from './accounts.ts'
import type { Principal } from './authenticate.ts'
import { errorAnswer, type ErrorAnswer } from './error-body.ts'
import type { AnyHandler, Answer } from './handlers.ts'
import type { Idempotency } from './idempotency.ts'
import type { Agents } from './known-agents.ts'
import { demand, rateHeaders } from './limits.ts'
import { headerOf, isJson, type Plan } from './plan.ts'
import { count, prove, type ProveDeps } from './prove.ts'
import type { RateVerdict } from './rate-limit.ts'
import type { RawRequest } from './request.ts'

/** How a call ended; a transport only writes it down. */
export type Served = {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** For the log line; null when the call succeeded. */
  readonly code: string | null
  readonly wallet: string | null
  /** Who it was found to be, for what a transport reads in addition; null when the call was refused before. */
  readonly caller: Caller | AdminCaller | null
  /** What nobody expected; logged once, never shown. */
  readonly fault?: unknown
}

/**
 * `proven` is who a transport has proven and counted already, where one request carries a call inside (decision 0063).
 */
export type Dispatch = (
  plan: Plan,
  handler: AnyHandler,
  request: RawRequest,
  path: Readonly<Record<string, string>>,
  proven?: Principal,
) => Promise<Served>

/** Whose session a request carries, and whether a page may act with it. */
export type PeopleGate = {
  read(request: RawRequest): Promise<Proven | null>
  allows(origin: string | undefined): boolean
}

/**
 * Who is shut out and what is switched off, as this process has it in mind: asking costs nothing (decisions 0057,
 * 0058).
 */
export type Gate = { isBanned(wallet: string): boolean; isOff(section: string): boolean }

export type DispatchDeps = ProveDeps & {
  readonly people: PeopleGate
  readonly agents: Agents
  readonly accounts: Accounts
  readonly idempotency: Idempotency
  readonly isAdminKey: (given: string | undefined) => boolean
  readonly gate: Gate
  /** Whether the process is so late that only those who prove who they are get its time. */
  readonly isOverloaded: () => boolean
  /** What a 401 offers in WWW-Authenticate. */
  readonly realm: string
}

/** What is learnt about a call on its way, for its headers and its log line. */
type Trace = { rate: RateVerdict | null; wallet: string | null; caller: Caller | AdminCaller | null }

/**
 * What every call passes, in this order (decisions 0004, 0092): rate limit of the address → signature → rate limit of
 * the
 * wallet → access → strict schema → identity → publishing limit → nonce → handler. Forbidden keys and size are refused
 * by the
 * transport before, because they need no body. Never throws.
 */
export function createDispatch(deps: DispatchDeps): Dispatch {
  return async (plan, handler, request, path, proven) => {
    const trace: Trace = { rate: null, wallet: proven?.wallet ?? null, caller: null }
    try {
      const answer = await serve(deps, plan, handler, request, path, trace, proven)
      return {
        status: answer.status ?? plan.operation.success,
        body: answer.body,
        headers: { ...rateHeaders(trace.rate, deps.now()), ...answer.headers },
        code: null,
        wallet: trace.wallet,
        caller: trace.caller,
      }
    } catch (thrown) {
      const error = errorAnswer(thrown, request.requestId)
      const headers = {
        ...rateHeaders(trace.rate, deps.now()),
        ...error.headers,
        ...challengeHeaders(error, deps.realm),
      }
      return {
        status: error.status,
        body: error.body,
        headers,
        code: error.code,
        wallet: trace.wallet,
        caller: trace.caller,
        ...(error.code === 'INTERNAL' ? { fault: thrown } : {}),
      }
    }
  }
}

async function serve(
  deps: DispatchDeps,
  plan: Plan,
  handler: AnyHandler,
  request: RawRequest,
  path: Readonly<Record<string, string>>,
  trace: Trace,
  proven: Principal | undefined,
): Promise<Answer<unknown>> {
  if (deps.gate.isOff(plan.operation.section)) throw new MarketError('FEATURE_DISABLED')
  const principal = proven ?? (await identify(deps, plan, request, trace, holdsAdminKey(deps, plan, request)))
  const admitted = await admit(deps, plan, request, principal)
  trace.caller = admitted
  const { input, decimals } = plan.gather(request, path)
  plan.check(input)
  const caller = await withIdentity(deps, plan, admitted)
  if (principal !== null && plan.operation.spends !== undefined)
    demand(deps.limits[plan.operation.spends].take(principal.wallet, deps.now()), deps.now())
  const act = async (): Promise<Answer<unknown>> => {
    await principal?.consumeNonce()
    return deps.idempotency.run(plan, { caller, request, exact: (field) => decimals[field] }, input, handler)
  }
  return principal !== null && writes(plan.operation) ? deps.accounts.acting(principal, act) : act()
}

async function identify(
  deps: DispatchDeps,
  plan: Plan,
  request: RawRequest,
  trace: Trace,
  isAdmin: boolean,
): Promise<Principal | null> {
  const principal = await prove(deps, request, isAdmin, () =>
    takesSession(plan.operation.access) ? personBehind(deps, request) : Promise.resolve(null),
  )
  if (principal === null && plan.operation.uncounted === 'unsigned') return null // whoever watches over the service asks often
  trace.wallet = principal?.wallet ?? null
  if (isAdmin) return principal // unlimited (spec §8)
  const counted = principal ?? (await countedPerson(deps, plan, request))
  if (counted === null && deps.isOverloaded()) throw new MarketError('SERVICE_BUSY')
  trace.rate = count(deps, request, counted)
  demand(trace.rate, deps.now())
  return principal
}

/**
 * Whether the request carries the admin key where one opens the operation. @throws INVALID_API_KEY, RATE_LIMITED to who
 * guesses
 */
function holdsAdminKey(deps: DispatchDeps, { operation: { access } }: Plan, request: RawRequest): boolean {
  if (access.by !== 'admin' && !(access.by === 'wallet' && access.admin === true)) return false
  const given = headerOf(request, 'x-admin-key')
  if (given === undefined) return false
  if (deps.isAdminKey(given)) return true
  demand(deps.limits.adminKeys.take(request.ip, deps.now()), deps.now())
  throw new MarketError('INVALID_API_KEY')
}

/** People with a session have the limit of their wallet on public reads too; who reads stays nobody there. */
async function countedPerson(
  deps: DispatchDeps,
  { operation: { access } }: Plan,
  request: RawRequest,
): Promise<Principal | null> {
  if (takesSession(access)) return null // was asked already
  // A read that needs no session does not fail with the store of sessions.
  return personBehind(deps, request).catch(() => null)
}

/**
 * Whose page asks. A browser sends the cookie with a link that a foreign page follows too, and some reads leave a mark:
 * such a request carries no session, as if the cookie had never been sent (decision 0090).
 */
async function personBehind(deps: DispatchDeps, request: RawRequest): Promise<Principal | null> {
  if (isLedByForeignPage(deps, request)) return null
  const person = await deps.people.read(request)
  if (person === null) return null
  await deps.accounts.check(person)
  return { wallet: person.wallet, proof: person.proof, via: 'session', consumeNonce: () => Promise.resolve() }
}

/** Every browser says where a request began; programs, and addresses that were typed, say nothing or `none`. */
function isLedByForeignPage(deps: DispatchDeps, request: RawRequest): boolean {
  const site = headerOf(request, 'sec-fetch-site')
  if (request.method !== 'GET' || site === undefined || site === 'same-origin' || site === 'none') return false
  return !deps.people.allows(headerOf(request, 'origin'))
}

/** What a browser sends by itself changes nothing unless a page of ours says so, in JSON (decision 0048). */
function demandOwnPage(deps: DispatchDeps, request: RawRequest): void {
  if (request.method === 'GET') return
  if (!deps.people.allows(headerOf(request, 'origin'))) throw new MarketError('ORIGIN_NOT_ALLOWED')
  if (request.method !== 'DELETE' && !isJson(request)) throw new MarketError('UNSUPPORTED_MEDIA_TYPE')
}

async function admit(
  deps: DispatchDeps,
  plan: Plan,
  request: RawRequest,
  principal: Principal | null,
): Promise<Caller | AdminCaller> {
  const { access } = plan.operation
  if (access.by === 'admin' && !deps.isAdminKey(headerOf(request, 'x-admin-key')))
    throw new MarketError('INVALID_API_KEY')
  if (
    access.by === 'wallet' &&
    access.admin === true &&
    principal === null &&
    headerOf(request, 'x-admin-key') !== undefined
  ) {
    return admin // a wrong key did not come this far
  }
  if (principal === null) {
    if (access.by === 'session') throw new MarketError('SESSION_REQUIRED')
    if (access.by === 'wallet') throw new MarketError(access.unsigned === 401 ? 'UNAUTHORIZED' : 'SIGNATURE_REQUIRED')
    return anonymous
  }
  if (access.by !== 'admin' && access.banned !== 'admitted' && deps.gate.isBanned(principal.wallet))
    throw new MarketError('WALLET_BLOCKED')
  if (access.by === 'session' && principal.via !== 'session') throw new MarketError('SESSION_REQUIRED')
  if (principal.via === 'session') demandOwnPage(deps, request)
  return {
    kind: 'wallet',
    wallet: principal.wallet,
    agentId: await deps.agents.known(principal.wallet),
    via: principal.via,
    proof: principal.proof,
    from: request.ip,
  }
}

/**
 * Agents need an ERC-8004 identity, people do not (spec §1.12). Asked when the fields are good: what is refused
 * registers nobody.
 */
async function withIdentity(
  { agents }: DispatchDeps,
  { operation: { access } }: Plan,
  caller: Caller | AdminCaller,
): Promise<Caller | AdminCaller> {
  if (caller.kind !== 'wallet' || caller.agentId !== null || caller.via !== 'signature') return caller
  if (!agents.isRequired || access.by !== 'wallet' || access.identity !== true) return caller
  const agentId = await agents.demanded(caller.wallet)
  return agentId === null ? { ...caller, owesIdentity: true } : { ...caller, agentId }
}

const admin: AdminCaller = Object.freeze({ kind: 'admin' })
const anonymous: Caller = Object.freeze({ kind: 'anonymous' })

function challengeHeaders(error: ErrorAnswer, realm: string): Readonly<Record<string, string>> {
  if (error.status !== 401) return {}
  return { 'www-authenticate': `ERC8128 realm="${realm}", error="${error.code}"`, 'x-svc-auth-schemes': 'erc8128' }
}
