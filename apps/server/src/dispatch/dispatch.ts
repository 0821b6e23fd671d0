import { writes } from '@ergon/contract'
import type { AdminCaller, Caller } from '@ergon/core'
import type { Accounts } from './accounts.ts'
import type { Principal } from './authenticate.ts'
import type { CheckDeps, Passage } from './checks/check.ts'
import { column } from './checks/column.ts'
import { errorAnswer, type ErrorAnswer } from './error-body.ts'
import type { AnyHandler, Answer } from './handlers.ts'
import type { Idempotency } from './idempotency.ts'
import { rateHeaders } from './limits.ts'
import type { Plan } from './plan.ts'
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

export type DispatchDeps = CheckDeps & {
  readonly accounts: Accounts
  readonly idempotency: Idempotency
  /** What a 401 offers in WWW-Authenticate. */
  readonly realm: string
}

const checks = Object.values(column)

/** Takes a call through the column of checks to its handler. Never throws. */
export function createDispatch(deps: DispatchDeps): Dispatch {
  return async (plan, handler, request, path, proven) => {
    const passage = enter(plan, request, path, proven)
    try {
      for (const check of checks) {
        const waiting = check(deps, passage)
        if (waiting !== undefined) await waiting
      }
      const answer = await act(deps, passage, handler)
      return {
        status: answer.status ?? plan.operation.success,
        body: answer.body,
        headers: { ...rateHeaders(passage.rate, deps.now()), ...answer.headers },
        code: null,
        ...knownOf(passage),
      }
    } catch (thrown) {
      const error = errorAnswer(thrown, request.requestId)
      const headers = {
        ...rateHeaders(passage.rate, deps.now()),
        ...error.headers,
        ...challengeHeaders(error, deps.realm),
      }
      return {
        status: error.status,
        body: error.body,
        headers,
        code: error.code,
        ...knownOf(passage),
        ...(error.code === 'INTERNAL' ? { fault: thrown } : {}),
      }
    }
  }
}

function enter(
  plan: Plan,
  request: RawRequest,
  path: Readonly<Record<string, string>>,
  proven: Principal | undefined,
): Passage {
  return {
    plan,
    request,
    path,
    isInner: proven !== undefined,
    isUnlimited: false,
    isAdmin: false,
    principal: proven ?? null,
    counted: null,
    rate: null,
    caller: null,
    gathered: { input: {}, decimals: {} },
  }
}

/** The nonce is spent last of all, so that what was refused costs none. */
async function act(deps: DispatchDeps, passage: Passage, handler: AnyHandler): Promise<Answer<unknown>> {
  const {
    plan,
    request,
    principal,
    caller,
    gathered: { input, decimals },
  } = passage
  if (caller === null) throw new Error('the column names no caller')
  const run = async (): Promise<Answer<unknown>> => {
    await principal?.consumeNonce()
    return deps.idempotency.run(plan, { caller, request, exact: (field) => decimals[field] }, input, handler)
  }
  return principal !== null && writes(plan.operation) ? deps.accounts.acting(principal, run) : run()
}

const knownOf = ({ principal, caller }: Passage) => ({ wallet: principal?.wallet ?? null, caller })

function challengeHeaders(error: ErrorAnswer, realm: string): Readonly<Record<string, string>> {
  if (error.status !== 401) return {}
  return { 'www-authenticate': `ERC8128 realm="${realm}", error="${error.code}"`, 'x-svc-auth-schemes': 'erc8128' }
}
