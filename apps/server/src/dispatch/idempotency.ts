import { errorCatalogue } from '@ergon/contract'
import { MarketError, type AdminCaller, type Caller, type ErrorDetails } from '@ergon/core'
import { bodyHash } from './body-hash.ts'
import type { AnyHandler, Answer, Call } from './handlers.ts'
import { idempotencyKeyOf, type Plan } from './plan.ts'
import { ReplayedRefusal } from './replayed-refusal.ts'

type AnyCall = Call<Caller | AdminCaller>
type Fields = Readonly<Record<string, unknown>>
type Scope = { readonly identity: string; readonly key: string; readonly operation: string }
/** Ids of what a call created, by the kind of thing. */
export type Created = Readonly<Record<string, string>>

/** What keys stand for; `C` is a call under way, as the keeper knows it. */
export type Keys<C> = {
  /**
   * `created` is null unless an earlier run under this key wrote and never told. @throws IDEMPOTENCY_KEY_REUSED,
   * IDEMPOTENCY_IN_FLIGHT
   */
  begin(
    scope: Scope,
    bodyHash: string,
  ): Promise<
    | { readonly state: 'done'; readonly status: number; readonly answer: unknown }
    | { readonly state: 'begun'; readonly call: C; readonly created: Created | null }
  >
  /** Whatever `work` writes is written under the key. */
  within<T>(call: C, work: () => Promise<T>): Promise<T>
  finish(call: C, status: number, answer: unknown): Promise<void>
  /** The answer is not remembered: a resend runs again. */
  release(call: C, status: number): Promise<void>
}

/**
 * Answers a resend of a call that wrote and never told, from what it created; null where the handler finds out itself.
 */
export type Recover = (call: AnyCall, input: Fields, created: Created) => Promise<Answer<unknown> | null>

export type Idempotency = {
  /** The handler's answer, or the one it gave before under the same key. */
  run(plan: Plan, call: AnyCall, input: Fields, handler: AnyHandler): Promise<Answer<unknown>> | Answer<unknown>
}

export type IdempotencyDeps<C> = {
  readonly keys: Keys<C>
  /** By operation. */
  readonly recover: Readonly<Record<string, Recover>>
  /** An answer that could not be remembered; the key stays in doubt until it is sent again. */
  readonly onForgotten: (error: unknown) => void
}

/** What a row remembers of an answer. */
export type Remembered =
  | { readonly body: unknown }
  | { readonly made: Created }
  | { readonly code: string; readonly message: string | null; readonly details: ErrorDetails }

/** Same key and body, same answer (decision 0050). A call without a key is none of its business. */
export function createIdempotency<C>(deps: IdempotencyDeps<C>): Idempotency {
  return {
    run(plan, call, input, handler) {
      const key = plan.takesKey ? idempotencyKeyOf(call.request) : undefined
      const identity = key === undefined ? null : identityOf(plan, call.caller)
      return key === undefined || identity === null
        ? handler(call, input)
        : runOnce(deps, { identity, key, operation: plan.name }, plan, call, input, handler)
    },
  }
}

/** Whoever holds the admin key is one, with a signature or without; whoever owns no rows has no keys. */
function identityOf({ operation }: Plan, caller: Caller | AdminCaller): string | null {
  if (operation.access.by === 'admin' || caller.kind === 'admin') return 'admin'
  return caller.kind === 'wallet' ? caller.wallet : null
}

async function runOnce<C>(
  deps: IdempotencyDeps<C>,
  scope: Scope,
  plan: Plan,
  call: AnyCall,
  input: Fields,
  handler: AnyHandler,
): Promise<Answer<unknown>> {
  const begun = await deps.keys.begin(scope, bodyHash(input))
  if (begun.state === 'done') return replay(deps, plan, call, input, begun)
  const { created } = begun
  const keep = async (work: Promise<void>): Promise<void> => work.catch(deps.onForgotten)
  try {
    const recovered = created === null ? null : ((await deps.recover[plan.name]?.(call, input, created)) ?? null)
    const answer = recovered ?? (await deps.keys.within(begun.call, async () => handler(call, input)))
    const status = answer.status ?? plan.operation.success
    await keep(
      status === 202
        ? deps.keys.release(begun.call, status)
        : deps.keys.finish(begun.call, status, rememberedAnswer(answer)),
    )
    return answer
  } catch (thrown) {
    const status = thrown instanceof MarketError ? errorCatalogue[thrown.code].status : 500
    // After an earlier run wrote, a refusal may say no more than that it did: it does not become the answer.
    const isFinal =
      thrown instanceof MarketError &&
      status < 500 &&
      !errorCatalogue[thrown.code].retryable &&
      !asksToSign.has(thrown.code) &&
      created === null
    await keep(
      isFinal ? deps.keys.finish(begun.call, status, rememberedRefusal(thrown)) : deps.keys.release(begun.call, status),
    )
    throw namingKey(thrown, scope.key)
  }
}

/** What asks for another signature is asked again under the same key, with it. */
const asksToSign: ReadonlySet<string> = new Set([
  'escrow_signature_required',
  'LIFECYCLE_ORDER_INVALID',
  'APPROVAL_INVALID',
])

/** Where it is not known what became of a call, its key finds out. */
function namingKey(thrown: unknown, key: string): unknown {
  if (!(thrown instanceof MarketError) || thrown.code !== 'OUTCOME_UNKNOWN') return thrown
  const found = { idempotency_key: key, lookup: `/api/v1/operations/${encodeURIComponent(key)}` }
  return new MarketError(thrown.code, { ...thrown.details, ...found }, { cause: thrown })
}

function rememberedAnswer(answer: Answer<unknown>): Remembered {
  return answer.remade === undefined ? { body: answer.body } : { made: answer.remade }
}

function rememberedRefusal(error: MarketError): Remembered {
  return { code: error.code, message: error.hasOwnMessage ? error.message : null, details: error.details }
}

async function replay<C>(
  { recover }: IdempotencyDeps<C>,
  plan: Plan,
  call: AnyCall,
  input: Fields,
  { status, answer }: { readonly status: number; readonly answer: unknown },
): Promise<Answer<unknown>> {
  const remembered = answer as Remembered // written by runOnce alone
  if ('code' in remembered) throw new ReplayedRefusal(remembered)
  const made =
    'made' in remembered ? await recover[plan.name]?.(call, input, remembered.made).catch(refuseGone) : remembered
  if (made === undefined || made === null)
    throw new MarketError('IDEMPOTENCY_KEY_REUSED', {}, { message: 'The result of this key no longer exists.' })
  return {
    body: made.body,
    headers: { 'idempotent-replayed': 'true' },
    ...(status === plan.operation.success ? {} : { status: 200 }),
  }
}

/**
 * What was made and is gone stays gone under its key. It is told as the answer to the earlier call, so that a client
 * which made the key itself knows to take the next one.
 */
function refuseGone(thrown: unknown): never {
  if (!(thrown instanceof MarketError) || errorCatalogue[thrown.code].status !== 404) throw thrown
  throw new ReplayedRefusal({
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'The result of this key has been removed.',
    details: {},
  })
}
