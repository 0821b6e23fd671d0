import type { ComputeBudget } from '@ergon/channels'

/** What each signature costs whoever pays the fee, in lamports. */
const lamportsOfSignature = 5_000n
/** What a token account of SPL Token holds as long as it is there; whoever owns it may close it and keep that. */
export const rentOfTokenAccount = 2_039_280n

export function priorityOf({ units, price }: ComputeBudget): bigint {
  return (BigInt(units) * price + 999_999n) / 1_000_000n
}

/** The most lamports a payment takes from who pays its fee. */
export function costOf(payment: {
  readonly signers: number
  readonly budget: ComputeBudget
  /** Token accounts made at the cost of who pays the fee. */
  readonly accounts: number
}): { readonly fee: bigint; readonly rent: bigint } {
  return {
    fee: BigInt(payment.signers) * lamportsOfSignature + priorityOf(payment.budget),
    rent: BigInt(payment.accounts) * rentOfTokenAccount,
  }
}
