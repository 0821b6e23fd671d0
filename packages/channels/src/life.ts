import { ProtocolError } from '@ergon/protocols'
import { decodeChannel, type ChannelAccount } from './account.ts'
import { channelAddress, type ChannelSeeds } from './addresses.ts'
import type { LedgerAccount } from './ledger.ts'
import { splitsHash, type Split } from './splits.ts'
import type { Voucher } from './voucher.ts'

/** How many slots a chosen open slot may lie back, and how long after it a spent channel's address stays taken. */
export const openSlotWindow = 1_500n
/** What a payee needs to bring its last voucher while its service is being repaired. */
export const leastGracePeriodSec = 900

/** Why the program would not settle a voucher, in its own order. */
export type VoucherFault = 'wrong_status' | 'wrong_channel' | 'expired' | 'not_above_settled' | 'over_deposit'

/**
 * What keeps a voucher from being settled into its channel now; undefined where nothing does. Whether it is signed is
 * another question (`isSignedVoucher`).
 *
 * @param channelId the address the account was read at.
 * @param nowSec the ledger's clock.
 */
export function voucherFault(
  channel: ChannelAccount,
  channelId: string,
  voucher: Voucher,
  nowSec: bigint,
): VoucherFault | undefined {
  if (!canTakeLastVoucher(channel, nowSec)) return 'wrong_status'
  if (voucher.channelId !== channelId) return 'wrong_channel'
  if (voucher.expiresAt !== 0n && nowSec >= voucher.expiresAt) return 'expired'
  if (voucher.cumulative <= channel.settled) return 'not_above_settled'
  if (voucher.cumulative > channel.deposit) return 'over_deposit'
  return undefined
}

/** Whether its payee can still seal it with a voucher: while it is open, and while closing until the grace is over. */
export function canTakeLastVoucher(channel: ChannelAccount, nowSec: bigint): boolean {
  return channel.status === 'open' || (channel.status === 'closing' && nowSec < graceEndsAt(channel))
}

/** Unix seconds from which anybody may seal a closing channel without a voucher. */
export function graceEndsAt({ closureStartedAt, gracePeriodSec }: ChannelAccount): bigint {
  return closureStartedAt + BigInt(gracePeriodSec)
}

/** Whether anybody may seal it now: its payer asked to leave, and the grace period is over. */
export function canSeal(channel: ChannelAccount, nowSec: bigint): boolean {
  return channel.status === 'closing' && nowSec >= graceEndsAt(channel)
}

/** Whether its rent can be taken back in this slot. */
export function canReclaim({ status, openSlot }: ChannelAccount, slot: bigint): boolean {
  return status === 'distributed' && slot > openSlot + openSlotWindow
}

/** What a channel must be for a service to meter on it. */
export type AgreedChannel = {
  readonly channelProgram: string
  readonly payer: string
  readonly payee: string
  readonly mint: string
  readonly authorizedSigner: string
  readonly rentPayer: string
  readonly splits: readonly Split[]
  readonly leastDeposit: bigint
}

/** Why a channel cannot be metered on. */
export type ChannelFault =
  | 'not_on_chain'
  | 'not_a_channel'
  | 'not_open'
  | 'wrong_payer'
  | 'wrong_payee'
  | 'wrong_mint'
  | 'wrong_signer'
  | 'wrong_rent_payer'
  | 'wrong_splits'
  | 'small_deposit'
  | 'short_grace_period'
  | 'wrong_address'

/**
 * The channel at an address as the ledger holds it, if it is what was agreed. Nothing is taken from what a buyer says
 * of it.
 *
 * @throws ProtocolError whose code is a ChannelFault.
 */
export function readAgreedChannel(
  channelId: string,
  account: LedgerAccount | null,
  agreed: AgreedChannel,
): ChannelAccount {
  if (account === null) throw fault('not_on_chain')
  if (account.owner !== agreed.channelProgram) throw fault('not_a_channel')
  const channel = readChannel(account.data)
  const faults: readonly (readonly [boolean, ChannelFault])[] = [
    [channel.status !== 'open' || channel.closureStartedAt !== 0n, 'not_open'],
    [channel.payer !== agreed.payer, 'wrong_payer'],
    [channel.payee !== agreed.payee, 'wrong_payee'],
    [channel.mint !== agreed.mint, 'wrong_mint'],
    [channel.authorizedSigner !== agreed.authorizedSigner, 'wrong_signer'],
    [channel.rentPayer !== agreed.rentPayer, 'wrong_rent_payer'],
    [channel.distributionHash !== splitsHash(agreed.splits), 'wrong_splits'],
    [channel.deposit < agreed.leastDeposit, 'small_deposit'],
    [channel.gracePeriodSec < leastGracePeriodSec, 'short_grace_period'],
    [isElsewhere(channelId, channel, agreed.channelProgram), 'wrong_address'],
  ]
  for (const [isSo, code] of faults) if (isSo) throw fault(code)
  return channel
}

function readChannel(data: Uint8Array): ChannelAccount {
  try {
    return decodeChannel(data)
  } catch (cause) {
    if (cause instanceof ProtocolError) throw fault('not_a_channel', cause)
    throw cause
  }
}

/** The program wrote it there, so it belongs there; a ledger that answers with another account is caught. */
function isElsewhere(channelId: string, channel: ChannelAccount & ChannelSeeds, program: string): boolean {
  const { address, bump } = channelAddress(channel, program)
  return address !== channelId || bump !== channel.bump
}

function fault(code: ChannelFault, cause?: ProtocolError): ProtocolError {
  return new ProtocolError(code, `the channel cannot be metered on: ${code.replaceAll('_', ' ')}`, { cause })
}
