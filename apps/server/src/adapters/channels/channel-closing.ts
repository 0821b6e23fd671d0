import {
  canTakeLastVoucher,
  planChannelEnd,
  readTokenAccount,
  type ChannelAccount,
  type ChannelStanding,
  type Instruction,
  type SignedVoucher,
  type TokenAccount,
} from '@ergon/channels'
import { MarketError, workerShareBps, type Channel, type ChannelAct } from '@ergon/core'
import type { ChannelReading } from './channel-ledger.ts'

/** What has to be known of a channel to end it. */
export type Endable = Pick<Channel, 'id' | 'worker' | 'payer' | 'cumulative' | 'signature'>

/** What an order does, and what is settled when it has. */
export type Plan = {
  readonly act: ChannelAct
  readonly instructions: readonly Instruction[]
  readonly settled: bigint
}

/**
 * How a channel is ended as it is on the ledger; null where that has to wait. Whoever closes an account that we paid
 * for keeps its rent: so accounts are made within a budget, and what it does not allow waits (decision 0273).
 *
 * @throws WORKER_USDC_ATA_MISSING while the worker could not be paid
 */
export async function planEnd(
  reading: ChannelReading,
  channel: Endable,
  account: ChannelAccount,
): Promise<Plan | null> {
  if (account.status === 'distributed') return null
  const { channelProgram } = reading.terms
  const plan = planChannelEnd(await standingOf(reading, channel, account), { channelProgram })
  if (plan === 'payee waits') throw new MarketError('WORKER_USDC_ATA_MISSING', { worker: channel.worker })
  return plan === 'waits' ? null : plan
}

async function standingOf(
  reading: ChannelReading,
  channel: Endable,
  account: ChannelAccount,
): Promise<ChannelStanding> {
  const { ledger, terms, accounts: budget } = reading
  const nowSec = await ledger.time()
  const last = canTakeLastVoucher(account, nowSec) ? lastVoucher(channel) : null
  const settled = last !== null && last.voucher.cumulative > account.settled ? last.voucher.cumulative : account.settled
  const { treasuryOwner, operator } = terms
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
  return { account, last, settled, nowSec, isPayeePayable: isWorkerReady, isPayerPayable: isPayerReady, closing }
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
