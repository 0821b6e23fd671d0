import { splitFee, type FeeSplit } from '@ergon/contract/facts'
import type { Movement } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import type { Amount } from '../money/amount.ts'

/** One line of a journal: positive amounts arrive at the account, negative ones leave it. */
export type Posting = { readonly account: string; readonly atomic: bigint }

export const walletAccount = (wallet: string): string => `wallet:${wallet}`
export const escrowAccount = (paymentHash: string): string => `escrow:${paymentHash}`
export const operatorAccount = 'operator'
export const treasuryAccount = 'treasury'

function move(from: string, to: string, atomic: bigint): readonly Posting[] {
  return [
    { account: from, atomic: -atomic },
    { account: to, atomic },
  ]
}

/** Captured funds that came back to the payer out of a wallet, not out of escrow. */
export const refundAccount = (paymentHash: string): string => `refund:${paymentHash}`

/** What a paid-out amount leaves to the payee and to the operator contract, by the share that the escrow kept. */
export function shareOf({ atomic, feeBps }: Pick<Movement, 'atomic' | 'feeBps'>): FeeSplit {
  return splitFee(atomic, feeBps ?? 0)
}

/** What one movement on chain means in the books. */
export function movementJournal(
  movement: Pick<Movement, 'kind' | 'atomic' | 'feeBps'>,
  { payer, receiver, hash }: Pick<Payment, 'payer' | 'receiver' | 'hash'>,
): readonly Posting[] {
  const { atomic } = movement
  switch (movement.kind) {
    case 'authorized':
      return move(walletAccount(payer), escrowAccount(hash), atomic)
    case 'captured':
      return paidOut(receiver, hash, movement)
    case 'charged':
      // Through the escrow account, where it never rests, so that what was paid out is read in one place.
      return [...move(walletAccount(payer), escrowAccount(hash), atomic), ...paidOut(receiver, hash, movement)]
    case 'voided':
    case 'reclaimed':
      return move(escrowAccount(hash), walletAccount(payer), atomic)
    case 'refunded':
      return move(refundAccount(hash), walletAccount(payer), atomic)
  }
}

function paidOut(receiver: string, hash: string, movement: Pick<Movement, 'atomic' | 'feeBps'>): readonly Posting[] {
  const { fee, payout } = shareOf(movement)
  return [
    { account: escrowAccount(hash), atomic: -movement.atomic },
    { account: walletAccount(receiver), atomic: payout },
    { account: operatorAccount, atomic: fee },
  ]
}

/** Paid in one step. */
export const chargeJournal = (payer: string, payee: string, amount: Amount): readonly Posting[] =>
  move(walletAccount(payer), payee, amount.atomic)

export const channelAccount = (channelId: string): string => `channel:${channelId}`

/** A buyer's deposit into a channel, or more of it. */
export const channelFundedJournal = (payer: string, channelId: string, atomic: bigint): readonly Posting[] =>
  move(walletAccount(payer), channelAccount(channelId), atomic)

/** What left a channel when it was paid out, as the ledger shows it: together all that was in it. */
export type ChannelPayout = {
  readonly worker: bigint
  readonly fee: bigint
  /** What rounding left over; the treasury of the channel program gets it. */
  readonly dust: bigint
  readonly refund: bigint
}

/** The end of a channel: the worker's share, ours, the dust and what goes back to its payer. */
export function channelEndedJournal(
  { id, payer, worker }: { readonly id: string; readonly payer: string; readonly worker: string },
  payout: ChannelPayout,
): readonly Posting[] {
  return [
    { account: channelAccount(id), atomic: -(payout.worker + payout.fee + payout.dust + payout.refund) },
    { account: walletAccount(worker), atomic: payout.worker },
    { account: operatorAccount, atomic: payout.fee },
    { account: channelTreasuryAccount, atomic: payout.dust },
    { account: walletAccount(payer), atomic: payout.refund },
  ]
}

/** The treasury of the channel program, which is not ours. */
export const channelTreasuryAccount = 'channel-treasury'

/** Fees on their way from the operator contract to the treasury. */
export const sweepJournal = (amount: bigint): readonly Posting[] => move(operatorAccount, treasuryAccount, amount)

/** Double entry: what leaves equals what arrives. */
export function isBalanced(postings: readonly Posting[]): boolean {
  return postings.reduce((sum, posting) => sum + posting.atomic, 0n) === 0n
}
