import * as Type from 'typebox'
import type { TObject, TProperties, TSchema } from 'typebox'
import { showsSomething } from './facts/shows-something.ts'
import { limits, targets, parties } from './vocabulary.ts'

/** An object that refuses fields it does not name (spec §2: additionalProperties false). */
export const closed = <P extends TProperties>(properties: P, description?: string): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) })

/** Objects that answers carry stay open, so that a client survives a field added later. */
export const open = <P extends TProperties>(properties: P, description?: string): TObject<P> =>
  Type.Object(properties, description === undefined ? {} : { description })

export const optional = Type.Optional
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
/** Lowercase UUID, 36 characters (decision 0007). */
export const id = (description: string) => Type.String({ pattern: uuid, minLength: 36, maxLength: 36, description })
export const wallet = (description: string) =>
  Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', minLength: 42, maxLength: 42, description })
/** Whoever pays or is paid: a wallet or, on Solana, an account in base58. */
export const payAddress = (description: string) =>
  Type.String({
    pattern: '^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$',
    minLength: 32,
    maxLength: 44,
    description,
  })
export const hex32 = (description: string) =>
  Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', minLength: 66, maxLength: 66, description })
/** A signature of a key or of a contract. */
export const signatureText = (description: string) =>
  Type.String({ pattern: '^0x([0-9a-fA-F]{2})+$', minLength: 4, maxLength: 4_096, description })
/** A transaction by its hash or, on Solana, by its signature in base58. */
export const paymentTx = (description: string) =>
  Type.String({
    pattern: '^(?:0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$',
    minLength: 64,
    maxLength: 88,
    description,
  })
/** The same; null where there is none. */
export const txHash = (description: string) => nullable(paymentTx(description))
export const instant = (description: string) => Type.String({ format: 'date-time', description })
/** Decimal US dollars of a stablecoin; at most six decimals, read from the text that was sent (decision 0009). */
export const usd = (description: string, options: { minimum?: number; maximum?: number } = {}) =>
  Type.Number({ ...options, description, 'x-decimal': 6 })
/** An exact amount as text: no sign, no exponent, at most six decimals. */
export const decimalPattern = '^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,6})?$'
/** A text that must not be empty has to show something, whatever its length (decision 0314). */
export const text = (description: string, minLength: number, maxLength: number) => {
  const any = Type.String({ minLength, maxLength, description })
  return minLength === 0 ? any : Type.Refine(any, showsSomething, () => 'must show something')
}
export const score = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description })
/** Says that two requests are the same one; printable ASCII without blanks (decision 0050). */
export const idempotencyKey = () =>
  Type.String({
    minLength: 1,
    maxLength: limits.idempotencyKeyMax,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Repeats with this key and the same body answer the first result.',
  })
export const chainId = () =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'EIP-155 chain id.' })
export const target = () =>
  Type.Enum([...targets], { description: 'Whom the task is meant for; `any` admits every party.' })
export const party = (description: string) => Type.Enum([...parties], { description })
export const networkName = () =>
  Type.String({ pattern: '^[a-z0-9-]{2,30}$', description: 'Payment network, lowercase name.' })
/**
 * Whether anything new may begin on a network. As whatever comes to an answer that readers knew before (decision 0306),
 * it may be left out.
 */
export const takes_new_jobs = optional(
  Type.Boolean({
    description:
      'False while the operator has closed it: what is open goes on and ends, and nothing new begins. A version that closes no networks leaves it out.',
  }),
)
export const tokenSymbol = () => Type.String({ pattern: '^[A-Z0-9]{2,10}$', description: 'Token symbol.' })

const limitOf = (rows: number) =>
  optional(Type.Integer({ minimum: 1, maximum: limits.pageMax, default: rows, description: 'Rows in this page.' }))
const offset = optional(
  Type.Integer({
    minimum: 0,
    maximum: limits.offsetMax,
    default: 0,
    description: 'Rows to skip; where there is a `cursor`, prefer that.',
  }),
)

/** What every list takes (spec §4); a deeper offset is refused with the bound. */
export const slice = { limit: limitOf(limits.pageDefault), offset }
/** The same for lists that are nearly always read whole. */
export const shortSlice = { limit: limitOf(limits.pageMax), offset }

/** The paging fields of lists that also have a stable order to go on in (decision 0007). */
export const paging = {
  ...slice,
  cursor: optional(text('Opaque place to go on from, as `next_cursor` gave it.', 1, 200)),
}

/** What every list answers of its rows. Logs, which may be long, do not count what they do not show. */
export const shownRows = {
  count: Type.Integer({ description: 'Rows in this page.' }),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
}
export const sliced = {
  total: Type.Integer({ description: 'Rows in all; may be up to 2 s old on public lists.' }),
  ...shownRows,
}

/** The paging fields of lists that give a cursor. */
export const page = {
  ...sliced,
  next_cursor: nullable(Type.String()),
}

/** EIP-712 typed data, handed out whole so that a wallet can show and sign it. */
export const typedData = () =>
  open(
    {
      domain: Type.Record(Type.String(), Type.Unknown()),
      types: Type.Record(Type.String(), Type.Array(open({ name: Type.String(), type: Type.String() }))),
      primaryType: Type.String(),
      message: Type.Record(Type.String(), Type.Unknown(), { description: 'What is signed, field by field.' }),
    },
    'EIP-712 typed data; unsigned integers are decimal strings.',
  )

/** A payment that wants only its signature. Its payload is named, so that whoever signs adds to it without a cast. */
export const paymentEnvelope = (description: string) =>
  open(
    { payload: Type.Record(Type.String(), Type.Unknown(), { description: 'Where the signature goes.' }) },
    description,
  )
