import { splitFee, type Amount } from '../money/amount.ts'

/** One line of a journal: positive amounts arrive at the account, negative ones leave it. */
export type Posting = { readonly account: string; readonly atomic: bigint }

export const walletAccount = (wallet: string): string => `wallet:${wallet}`
export const escrowAccount = (paymentHash: string): string => `escrow:${paymentHash}`
export const operatorAccount = 'operator'
export const treasuryAccount = 'treasury'

function move(from: string, to: string, atomic: bigint): readonly Posting[] {
  return [{ account: from, atomic: -atomic }, { account: to, atomic }]
}

/** Funds held: they leave the payer. */
export const lockJournal = (payer: string, hash: string, amount: Amount): readonly Posting[] => move(walletAccount(payer), escrowAccount(hash), amount.atomic)

/** Held funds paid out: payout to the worker, fee to the operator contract. */
export function captureJournal(worker: string, hash: string, gross: Amount): readonly Posting[] {
  const { fee, payout } = splitFee(gross)
  return [
    { account: escrowAccount(hash), atomic: -gross.atomic },
    { account: walletAccount(worker), atomic: payout.atomic },
    { account: operatorAccount, atomic: fee.atomic },
  ]
}

/** Held funds returned. */
export const voidJournal = (payer: string, hash: string, amount: Amount): readonly Posting[] => move(escrowAccount(hash), walletAccount(payer), amount.atomic)

/** Paid in one step. */
export const chargeJournal = (payer: string, payee: string, amount: Amount): readonly Posting[] => move(walletAccount(payer), payee, amount.atomic)

/** Fees on their way from the operator contract to the treasury. */
export const sweepJournal = (amount: bigint): readonly Posting[] => move(operatorAccount, treasuryAccount, amount)

/** Double entry: what leaves equals what arrives. */
export function isBalanced(postings: readonly Posting[]): boolean {
  return postings.reduce((sum, posting) => sum + posting.atomic, 0n) === 0n
}
