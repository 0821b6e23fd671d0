import type { ChannelAccount } from './account.ts'
import {
  distributeInstruction,
  sealInstruction,
  settleAndSealInstruction,
  settleInstruction,
  type Programs,
} from './channel-instructions.ts'
import type { Instruction } from './instruction.ts'
import { createTokenAccountInstruction, voucherProofInstruction } from './other-instructions.ts'
import type { Split } from './splits.ts'
import type { Voucher } from './voucher.ts'

/** The last voucher of a channel and its base58 signature by the channel's authorized signer. */
export type SignedVoucher = { readonly voucher: Voucher; readonly signature: string }

export type Closing = {
  readonly channelId: string
  readonly channel: ChannelAccount
  readonly splits: readonly Split[]
  readonly treasuryOwner: string
  /** Whose token accounts are missing; the operator pays for them. A payout without an account is lost for good. */
  readonly missingAccountsOf: readonly string[]
}

/**
 * What ends a channel in one transaction, signed by its payee, who pays for missing token accounts: the voucher is
 * proved, the channel sealed, the shares and the rest paid out. Without a voucher above what is settled it is sealed as
 * it is.
 */
export function closeInstructions(closing: Closing, last: SignedVoucher | null, programs: Programs): Instruction[] {
  return [...accountsFor(closing, programs), ...sealing(closing, last, programs), distribution(closing, programs)]
}

/** What brings the last voucher of a channel while it counts, and pays nothing out yet. */
export function bringInstructions(closing: Closing, last: SignedVoucher, programs: Programs): Instruction[] {
  return sealing(closing, last, programs)
}

/** What pays the shares of an open channel by its newest voucher and leaves it open, with the rest in it. */
export function shareOutInstructions(closing: Closing, last: SignedVoucher | null, programs: Programs): Instruction[] {
  const { channelId, channel } = closing
  const proof = proofOf(last, channel)
  const settle = proof.length === 0 ? [] : [settleInstruction(channelId, programs)]
  return [...accountsFor(closing, programs), ...proof, ...settle, distribution(closing, programs)]
}

/** What ends a channel whose payer has asked to leave and whose grace period is over: no voucher counts any more. */
export function sealInstructions(closing: Closing, programs: Programs): Instruction[] {
  return [
    ...accountsFor(closing, programs),
    sealInstruction(closing.channelId, programs),
    distribution(closing, programs),
  ]
}

/** Pays out of a channel that is sealed already. */
export function payOutInstructions(closing: Closing, programs: Programs): Instruction[] {
  return [...accountsFor(closing, programs), distribution(closing, programs)]
}

function sealing({ channelId, channel }: Closing, last: SignedVoucher | null, programs: Programs): Instruction[] {
  const proof = proofOf(last, channel)
  return [...proof, settleAndSealInstruction({ channelId, payee: channel.payee }, proof.length > 0, programs)]
}

/** Nothing for a voucher that says no more than what is settled. */
function proofOf(last: SignedVoucher | null, { settled, authorizedSigner }: ChannelAccount): Instruction[] {
  const isRaised = last !== null && last.voucher.cumulative > settled
  return isRaised ? [voucherProofInstruction(last.voucher, last.signature, authorizedSigner)] : []
}

function accountsFor({ channel, missingAccountsOf }: Closing, programs: Programs): Instruction[] {
  const { payee: funder, mint } = channel
  return missingAccountsOf.map((owner) => createTokenAccountInstruction({ ...programs, funder, owner, mint }))
}

function distribution({ channelId, channel, splits, treasuryOwner }: Closing, programs: Programs): Instruction {
  return distributeInstruction({ ...channel, channelId, splits, treasuryOwner }, programs)
}
