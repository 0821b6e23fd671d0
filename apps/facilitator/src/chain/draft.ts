import type { Address, ExpectedEvent, Hex, SignedAuthorization } from '@ergon/protocols'
import type { Refusal, Unavailable } from '../errors.ts'
import type { GasShare } from '../gas/gas-share.ts'
import type { Outcome } from '../store/intents.ts'
import type { Revert } from './reverts.ts'

/** What every order says about itself, whatever it orders. */
export type Terms = {
  readonly requestHash: string
  readonly idempotencyKey?: string
  /** Unix seconds: from then on nothing is written for this order. */
  readonly settleBefore?: number
  /** Who asks: the address, where the carrier has addresses. */
  readonly from?: string
}

/** A transaction that was asked for, before it has a nonce. */
export type Draft = Terms & {
  readonly kind: string
  readonly onceKey?: string
  readonly sameness: string
  /** What this transaction changes: two drafts that share a key are never in flight together. */
  readonly conflictKeys: readonly string[]
  readonly call: {
    /** Null: `data` is creation code. */
    readonly to: Address | null
    readonly data: Hex
    readonly authorizationList?: readonly SignedAuthorization[]
  }
  readonly expectations: readonly ExpectedEvent[]
  /**
   * The refusal for a `onceKey` that is already spent; an in-flight twin is joined instead when `sameness` is equal.
   */
  readonly spent: (transaction: Hex) => Refusal
  /** Checks that come after the replay check: an order's role is judged last (facts §3.1). */
  readonly guard?: () => Refusal | Unavailable | undefined
  readonly refuse: (revert: Revert) => Refusal
  /** What its gas is counted as; left out where it is not, or was counted before. */
  readonly gas?: GasShare
}

export type Ticket = {
  readonly outcome: Promise<Outcome>
  transaction(): Hex | undefined
  /** Takes the draft back; false once it may have been sent. */
  cancel(): boolean
}

/** A draft in the queue. */
export type Queued = {
  readonly draft: Draft
  readonly keys: readonly string[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  intentId?: string | undefined
  /** The epoch in which the store was last asked about it; -1 for never. */
  seenAt: number
  /** How often its intent was proven not to have been written. */
  failedWrites: number
  /** May have been written: it cannot be taken back any more. */
  started: boolean
  /** Its gas was counted; a write that failed does not count it twice. */
  isCounted: boolean
}

export function queue(draft: Draft): { readonly item: Queued; readonly outcome: Promise<Outcome> } {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const keys = [
    ...draft.conflictKeys,
    ...(draft.idempotencyKey === undefined ? [] : [`idempotency:${draft.idempotencyKey}`]),
    ...(draft.onceKey === undefined ? [] : [`once:${draft.onceKey}`]),
  ]
  return {
    item: { draft, keys, resolve, reject, seenAt: -1, failedWrites: 0, started: false, isCounted: false },
    outcome: promise,
  }
}
