import type { ChannelAccount } from './account.ts'
import type { Programs } from './channel-instructions.ts'
import {
  bringInstructions,
  closeInstructions,
  payOutInstructions,
  sealInstructions,
  shareOutInstructions,
  type Closing,
  type SignedVoucher,
} from './closing.ts'
import type { Instruction } from './instruction.ts'
import { canSeal, canTakeLastVoucher, graceEndsAt } from './life.ts'

/** What a channel owes, and who of its parties can be paid: one whom nothing is owed can. */
export type ChannelStanding = {
  readonly account: ChannelAccount
  /** The newest voucher that counts. */
  readonly last: SignedVoucher | null
  /** What is settled once it has been brought. */
  readonly settled: bigint
  readonly nowSec: bigint
  readonly isPayeePayable: boolean
  readonly isPayerPayable: boolean
  readonly closing: Closing
}

/** `end` pays all out, `pay` the shares alone, `bring` nothing yet: what is settled when it has landed. */
export type ChannelEnd = {
  readonly act: 'end' | 'pay' | 'bring'
  readonly instructions: readonly Instruction[]
  readonly settled: bigint
}

/**
 * How a channel is ended as it is on its ledger. A payout without an account is lost for good, so it waits for the
 * account; the payee does not wait for the payer's. A channel is not sealed meanwhile: anybody may distribute one that
 * is. A payer that asked to leave has until its grace period ends (decision 0273).
 */
export function planChannelEnd(standing: ChannelStanding, programs: Programs): ChannelEnd | 'waits' | 'payee waits' {
  const { account, last, settled, nowSec, isPayeePayable, isPayerPayable, closing } = standing
  const planned = (act: ChannelEnd['act'], instructions: readonly Instruction[]): ChannelEnd => ({
    act,
    instructions,
    settled,
  })
  if (account.status === 'distributed') return 'waits'
  if (account.status === 'closing' && canTakeLastVoucher(account, nowSec) && !(isPayeePayable && isPayerPayable))
    return last === null || settled === account.settled
      ? 'waits'
      : planned('bring', bringInstructions(closing, last, programs))
  if (!isPayeePayable) return 'payee waits'
  if (account.status === 'sealed')
    return isPayerPayable || nowSec >= graceEndsAt(account)
      ? planned('end', payOutInstructions(closing, programs))
      : 'waits'
  if (canSeal(account, nowSec)) return planned('end', sealInstructions(closing, programs))
  if (isPayerPayable) return planned('end', closeInstructions(closing, last, programs))
  if (settled === account.payoutWatermark) return 'waits'
  return planned('pay', shareOutInstructions(closing, last, programs))
}
