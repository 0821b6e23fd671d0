import type { MarketSettings } from '@ergon/core'
import type { Hex, PaymentInfo, TransferAuthorization } from '@ergon/protocols'
import type { Approval, SignedLock } from './signing.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { Plan } from './plan.ts'
import type { Wallet } from './wallets.ts'

/** Something a payer signed for a task, and what became of it as far as the payer was told. */
export type Signed = {
  readonly kind: 'lock' | 'payout' | 'fee'
  /** The payment's hash, or the nonce of a direct payment. */
  readonly name: Hex
  readonly info: PaymentInfo | null
  readonly authorization: TransferAuthorization
  readonly signature: Hex
  /** How many copies of it its payer has sent, and of how many it was told that they are not carried out. */
  sent: number
  denied: number
  /** Its owner, or a stranger, brought it to the chain without us. */
  byHand: boolean
  /** Since when it holds nothing any more, in the world's time; null before, and when that was undone. */
  emptiedAtMs: number | null
}

/** What a client was told, to be asked again when everything is at rest. */
export type Promised = { readonly text: string; readonly holds: (database: MemoryDatabase) => boolean }

/** A task as its people know it, outside of every process. */
export type CaseFile = {
  readonly name: string
  readonly mode: MarketSettings['paymentMode']
  readonly plan: Plan
  readonly publisher: Wallet
  readonly bountyAtomic: bigint
  taskId: string
  readonly signed: Signed[]
  readonly promised: Promised[]
  /** Its payer has acted on the chain with what it signed for us. */
  meddled: boolean
  /** All machines slept until its authorization was over, or nearly: nobody could pay from it in time. */
  overslept: boolean
  /** Acts past us that a person is about to do. */
  intended: number
  /** What its publisher has sent before, for whom: some send it again much later. */
  readonly kept: { readonly locks: Map<string, SignedLock>; readonly approvals: Map<string, Approval> }
}
