import type { TypedData } from '@ergon/protocols'

export type Fields = Readonly<Record<string, unknown>>

/** What a wallet is asked to sign before a call goes through, and the field that takes the signature. */
export type ToSign = {
  readonly typedData: TypedData
  readonly field: string
  readonly sealed: (signature: string) => unknown
}

/** What a party does in the main job. */
export type Act =
  'publish' | 'register' | 'apply' | 'assign' | 'uploadLink' | 'submit' | 'approve' | 'readTask' | 'readPayment'

/** One party that speaks a protocol of agents; every request is signed by its wallet. */
export type Agent = AsyncDisposable & {
  /** How the protocol calls an act. */
  nameOf(act: Act): string
  nameOfRating(direction: Rating['direction']): string
  /** @throws with the answer when the service refuses */
  call(act: Act, fields: Fields): Promise<Fields>
  /** The same for what moves money: what the answer asks for is signed, once it was looked at, and sent. */
  callSigned(act: 'assign' | 'approve', fields: Fields, check: (asked: readonly ToSign[]) => void): Promise<Fields>
  rate(rating: Rating): Promise<string | null>
}

export type Rating = {
  readonly task_id: string
  readonly direction: 'publisher_rates_executor' | 'executor_rates_publisher'
  readonly score: number
}

type Envelope = { readonly payload: Fields }

/** A payment travels as the text of its envelope. */
export const sealedEnvelope =
  (envelope: Envelope) =>
  (signature: string): string =>
    JSON.stringify({ ...envelope, payload: { ...envelope.payload, signature } })

/** An answer of the service, read as an object. @throws when it is none */
export function objectOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Error(`the service answered ${JSON.stringify(value)}`)
  return value as Fields // an object that is not null
}
