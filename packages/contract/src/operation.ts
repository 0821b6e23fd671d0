import type { Static, TObject, TSchema } from 'typebox'
import { disabledFeatureOf } from './disabled-features.ts'
import type { ErrorCode } from './errors.ts'
import { takesIdempotencyKey } from './rest-binding.ts'
import { featureOf } from './run-config.ts'
import type { OAuthScope } from './vocabulary.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Where an operation answers over REST. A field named in `{braces}` travels in the path, a field named in
 * `headers` in that header, and the rest in the query of GET and DELETE or in the JSON body of the others.
 */
export type RestBinding = {
  readonly method: HttpMethod
  readonly path: `/${string}`
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Who may call. `anyone`: unsigned callers are admitted under an identity that owns no rows (spec §5.5).
 * `wallet`: a verified signature; an unsigned mutation answers 401, an unsigned gated read 403, and an unsigned list of
 * what is the caller's own 200 without a row.
 * `scope` is what a delegated token needs; `null` means no delegated token may call it (spec §5, OAuth 7;
 * `bearerNeed` reads it).
 * `identity` asks for the wallet's ERC-8004 identity (spec §1.12). `admin`: the X-Admin-Key header, alone or instead
 * of a signature. `session`: the session of a person is accepted beside a signature, or, as `by`, nothing but it
 * (spec §1.4, decision 0048). `banned`: admitted to a wallet that may not use the service otherwise (decision 0057).
 */
export type Access =
  | { readonly by: 'anyone'; readonly scope?: OAuthScope; readonly session?: true; readonly banned?: 'admitted' }
  | {
      readonly by: 'wallet'
      readonly scope: OAuthScope | null
      readonly unsigned: 200 | 401 | 403
      readonly identity?: true
      readonly admin?: true
      readonly session?: true
      readonly banned?: 'admitted'
    }
  | { readonly by: 'session'; readonly banned?: 'admitted' }
  | { readonly by: 'admin' }

/** Reads and changes of what belongs to the calling wallet alone; no delegated token reaches them. */
export const readOfOwn = { by: 'wallet', scope: null, unsigned: 403, session: true } as const satisfies Access
/** A list of what belongs to the calling wallet: empty to whoever owns no rows (spec §5.5). */
export const listOfOwn = { by: 'wallet', scope: null, unsigned: 200, session: true } as const satisfies Access
export const changeOfOwn = { by: 'wallet', scope: null, unsigned: 401, session: true } as const satisfies Access

/** A limit that operations share, beside the limit of requests that all of them share (spec §8). */
export type Budget = 'publish'

/**
 * How a resend under the same idempotency key is answered when the first call wrote and nobody learnt its answer
 * (decision 0050). `again`: the handler runs again and does no harm. `recovered`: from what the first call left,
 * because a second run would do a second thing or be refused because of the first. `kept`: the handler keeps the key
 * with what it makes. `unkeyed`: whoever calls owns no rows, so there is no key.
 */
export type Resend = 'again' | 'recovered' | 'kept' | 'unkeyed'

type Described<I extends TObject, O extends TSchema> = {
  readonly section: string
  readonly summary: string
  readonly access: Access
  /** The budget a call spends; whoever has spent it waits. */
  readonly spends?: Budget
  /** Calls without a signature count against nobody: whoever watches over the service asks often. */
  readonly uncounted?: 'unsigned'
  /**
   * The same words may mean another act later: a profile is set back, evidence is handed in again. A client does not
   * tell such calls apart by what they say.
   */
  readonly sameWordsAnew?: true
  /** A read that leaves a mark: the other side sees that it was read, or room is kept for what is to come. */
  readonly marks?: true
  /** A client reads it to learn how to sign, so it is the one read that a client sends unsigned. */
  readonly readBeforeSigning?: true
  readonly input: I
  readonly output: O
  /** The status of success; where a flow may still be in flight the handler answers 202 instead. */
  readonly success: 200 | 201
  readonly inFlight?: true
  /** 200 says that it was so already, and nothing is made; `success` is 201 then. */
  readonly already?: true
  readonly errors: readonly ErrorCode[]
  /** Served as an attachment or as bytes rather than as JSON. */
  readonly raw?: true
}
type Bound<M extends HttpMethod> = readonly (RestBinding & { readonly method: M })[]
type Reads = { readonly rest: Bound<'GET'>; readonly resend?: never }
type Changes = { readonly rest: Bound<Exclude<HttpMethod, 'GET'>>; readonly resend: Resend }

/**
 * One thing the service does, said once; every transport, document and client is derived from it. One that changes
 * anything says how a resend is answered, or does not compile.
 */
export type Operation<I extends TObject = TObject, O extends TSchema = TSchema> = Described<I, O> & (Reads | Changes)

export type InputOf<T extends Operation> = Static<T['input']>
export type OutputOf<T extends Operation> = Static<T['output']>

/** Declares an operation; exists so that the types of its schemas and the words of its access are kept. */
export const operation = <const D extends Operation>(definition: D): D => definition

/** Every status of success that an operation answers. */
export const successesOf = ({ success, already, inFlight }: Operation): readonly number[] => [
  success,
  ...(already === true ? [200] : []),
  ...(inFlight === true ? [202] : []),
]

/** Codes any signed operation can answer, whatever it does. */
export const signatureErrors: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'INVALID_SIGNATURE_HEADERS',
  'authority_not_allowed',
  'SIGNATURE_EXPIRED',
  'SIGNATURE_REPLAYED',
  'nonce_store_unavailable',
  'identity_check_unavailable',
  'ACCOUNT_PROOF_DIFFERS',
]

/** Codes any operation that a session opens can answer. */
export const sessionErrors: readonly ErrorCode[] = ['ORIGIN_NOT_ALLOWED']

/** Whether a call without a signature gets as far as the handler. */
export const takesUnsigned = (access: Access): boolean =>
  access.by === 'anyone' || (access.by === 'wallet' && access.unsigned === 200)

/** Whether the session of a person opens an operation. */
export const takesSession = (access: Access): boolean =>
  access.by === 'session' || (access.by !== 'admin' && access.session === true)

/** Codes any operation that takes an idempotency key can answer. */
export const idempotencyErrors: readonly ErrorCode[] = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_FLIGHT']

/** Whether an operation changes anything: what only reads may be repeated whatever happened. */
export const writes = ({ resend }: Pick<Operation, 'resend'>): boolean => resend !== undefined

/** Codes any operation that writes can answer. */
export const writeErrors: readonly ErrorCode[] = ['OUTCOME_UNKNOWN']

/** Codes any operation at all can answer. */
export const commonErrors: readonly ErrorCode[] = [
  'API_KEY_REFUSED',
  'INVALID_API_KEY',
  'bearer_not_allowed',
  'RATE_LIMITED',
  'request_body_too_large',
  'MALFORMED_BODY',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
  'UNKNOWN_FIELD',
  'SERVICE_BUSY',
  'INTERNAL',
]

/** What a section answers that is off: by a setting of the running service, or because the deployment does without. */
const offErrors = (section: string): readonly ErrorCode[] => {
  const feature = disabledFeatureOf(section)
  if (feature !== undefined) return [feature.code]
  return featureOf(section) === undefined ? [] : ['FEATURE_DISABLED']
}

/** Every code an operation can answer: its own, those of its access, and the common ones. */
export const errorsOf = (definition: Operation): readonly ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...definition.errors,
    ...(definition.access.by === 'wallet' || definition.access.by === 'session' ? signatureErrors : []),
    ...(definition.access.by === 'wallet' && definition.access.unsigned === 403
      ? (['SIGNATURE_REQUIRED'] as const)
      : []),
    ...(definition.access.by === 'wallet' && definition.access.identity === true
      ? (['identity_required', 'REGISTRATION_FAILED', 'GAS_BUDGET_SPENT'] as const)
      : []),
    ...(definition.access.by === 'session' ? (['SESSION_REQUIRED'] as const) : []),
    ...(takesSession(definition.access) ? sessionErrors : []),
    ...(definition.access.by !== 'admin' && definition.access.banned !== 'admitted'
      ? (['WALLET_BLOCKED'] as const)
      : []),
    ...offErrors(definition.section),
    ...(definition.rest.some((binding) => takesIdempotencyKey(definition, binding)) ? idempotencyErrors : []),
    ...(writes(definition) ? writeErrors : []),
    ...commonErrors,
  ]),
]
