import {
  bringInstructions,
  canSeal,
  canTakeLastVoucher,
  closeInstructions,
  graceEndsAt,
  payOutInstructions,
  sealInstructions,
  shareOutInstructions,
  type ChannelAccount,
  type Closing,
  type Instruction,
  type Programs,
  type SignedVoucher,
} from '@ergon/channels'
import { MarketError, workerShareBps, type Channel, type ChannelAct } from '@ergon/core'
import type { ChannelReading } from './channel-ledger.ts'
import { readTokenAccount, type TokenAccount } from './token-account.ts'

/** What has to be known of a channel to end it. */
export type Endable = Pick<Channel, 'id' | 'worker' | 'payer' | 'cumulative' | 'signature'>

/** What an order does, and what is settled when it has. */
export type Plan = {
  readonly act: ChannelAct
  readonly instructions: readonly Instruction[]
  readonly settled: bigint
}

/** What a channel owes, and who of its parties can be paid. */
type Standing = {
  readonly account: ChannelAccount
  readonly last: SignedVoucher | null
  readonly settled: bigint
  readonly nowSec: bigint
  readonly isWorkerReady: boolean
  readonly isPayerReady: boolean
  readonly closing: Closing
  readonly programs: Programs
}

/**
 * How a channel is ended as it is on the ledger; null where that has to wait. A payout without an account is lost for
 * good, and whoever closes an account that we paid for keeps its rent: so accounts are made within a budget, and what
 * it does not allow waits for the account (decision 0273). The worker does not wait for the payer's.
 *
 * @throws WORKER_USDC_ATA_MISSING while the worker could not be paid
 */
export async function planEnd(
  reading: ChannelReading,
  channel: Endable,
  account: ChannelAccount,
): Promise<Plan | null> {
  if (account.status === 'distributed') return null
  const standing = await standingOf(reading, channel, account)
  const { isWorkerReady, isPayerReady, nowSec, closing, last, settled, programs } = standing
  if (account.status === 'closing' && canTakeLastVoucher(account, nowSec) && !(isWorkerReady && isPayerReady))
    return planBring(standing)
  if (!isWorkerReady) throw new MarketError('WORKER_USDC_ATA_MISSING', { worker: channel.worker })
  const end = (instructions: readonly Instruction[]): Plan => ({ act: 'end', instructions, settled })
  if (account.status === 'sealed')
    return isPayerReady || nowSec >= graceEndsAt(account) ? end(payOutInstructions(closing, programs)) : null
  if (canSeal(account, nowSec)) return end(sealInstructions(closing, programs))
  if (isPayerReady) return end(closeInstructions(closing, last, programs))
  if (settled === account.payoutWatermark) return null
  return { act: 'pay', instructions: shareOutInstructions(closing, last, programs), settled }
}

/** Its payer leaves: the newest voucher is brought while it counts, and pays out when there is somewhere to pay to. */
function planBring({ account, last, settled, closing, programs }: Standing): Plan | null {
  if (last === null || settled === account.settled) return null
  return { act: 'bring', instructions: bringInstructions(closing, last, programs), settled }
}

async function standingOf(reading: ChannelReading, channel: Endable, account: ChannelAccount): Promise<Standing> {
  const { ledger, terms, accounts: budget } = reading
  const nowSec = await ledger.time()
  const last = canTakeLastVoucher(account, nowSec) ? lastVoucher(channel) : null
  const settled = last !== null && last.voucher.cumulative > account.settled ? last.voucher.cumulative : account.settled
  const { treasuryOwner, operator, channelProgram } = terms
  const states = await statesOf(reading, [channel.worker, channel.payer, operator, treasuryOwner])
  const made = new Set([operator, treasuryOwner].filter((owner) => states.get(owner) === 'missing'))
  const isMade = async (owner: string): Promise<boolean> => {
    if (states.get(owner) !== 'missing' || made.has(owner)) return true
    if (!(await budget.take(owner, channel.id))) return false
    made.add(owner)
    return true
  }
  const isOwed = settled > account.payoutWatermark
  const isStuck = ['frozen', 'foreign'].includes(states.get(channel.worker) ?? '')
  const isWorkerReady = !isOwed || (!isStuck && (await isMade(channel.worker)))
  const hasRest = account.deposit > settled && account.payerWithdrawnAt === 0n
  const isPayerReady = !hasRest || (isWorkerReady && (await isMade(channel.payer)))
  const splits = [{ recipient: channel.worker, bps: workerShareBps }]
  const closing = { channelId: channel.id, channel: account, splits, treasuryOwner, missingAccountsOf: [...made] }
  return { account, last, settled, nowSec, isWorkerReady, isPayerReady, closing, programs: { channelProgram } }
}

async function statesOf(
  { ledger, terms }: ChannelReading,
  owners: readonly string[],
): Promise<ReadonlyMap<string, TokenAccount['state']>> {
  const read = await Promise.all(owners.map((owner) => readTokenAccount(ledger, owner, terms.mint)))
  return new Map(owners.map((owner, at) => [owner, read[at]?.state ?? 'missing']))
}

function lastVoucher({ id: channelId, cumulative, signature }: Endable): SignedVoucher | null {
  return signature === null ? null : { voucher: { channelId, cumulative, expiresAt: 0n }, signature }
}
