import type { WalletCaller } from './caller.ts'
import type { Amount } from './money/amount.ts'
import type { TypedData } from './ports/signatures.ts'

/** `auth` null: the authorization signed before may still land, and no other is taken beside it. */
export type FeeChallenge = {
  readonly taskId: string
  readonly fee: Amount
  readonly auth: {
    readonly typedData: TypedData
    readonly envelope: Readonly<Record<string, unknown>>
    readonly expiresAt: Date
  } | null
}
export type FeePayment = {
  readonly state: 'paid' | 'paying'
  readonly taskId: string
  readonly fee: Amount
  readonly feeTx: string | null
}

/** Fees that were left unpaid after a payout in mode fase1. */
export interface FeeMarket {
  feeChallenge(caller: WalletCaller, taskId: string): Promise<FeeChallenge>
  payFee(caller: WalletCaller, taskId: string, feeAuth: string): Promise<FeePayment>
  /** How a fee that somebody pays or paid stands; null while it is owed. */
  feePaid(caller: WalletCaller, taskId: string): Promise<FeePayment | null>
}
