import type { Address, Hex, Network, TypedData } from '@ergon/protocols'

/** What a signature would do, as the document itself says it. */
export type Statement = {
  /** Built by us from terms that were read and checked; never the document that came. */
  readonly document: TypedData
  readonly act: 'lock' | 'standing' | 'release' | 'transfer' | 'settlement' | 'ruling'
  /** What the limit for one task counts under: the task that the terms carry, or the payment where they carry none. */
  readonly task: string
  /** Millionths of a token. */
  readonly amount: bigint
  readonly token: string
  readonly network: string
  readonly to: Address
  /** The escrow's key of the payment; null where there is no escrow. */
  readonly payment: Hex | null
  /** Sentences for the person who is asked. */
  readonly says: readonly string[]
  /** Unix seconds. */
  readonly until: number
}

/** Where a statement is read: who signs, what is known of the networks, and the time in Unix seconds. */
export type Scene = { readonly signer: Address; readonly networks: readonly Network[]; readonly now: number }

/** The document is not one that the bridge can explain, or says something else than the words beside it. */
export class NotSigned extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(why, options)
    this.name = 'NotSigned'
  }
}

/** @throws NotSigned unless it is so */
export function demand(isSo: boolean, why: string): asserts isSo {
  if (!isSo) throw new NotSigned(why)
}
