import {
  canReclaim,
  canSeal,
  canTakeLastVoucher,
  closeInstructions,
  computeLimitInstruction,
  computePriceInstruction,
  decodeChannel,
  encodeTransaction,
  payOutInstructions,
  reclaimInstruction,
  sealInstructions,
  signTransaction,
  transactionId,
  unsignedTransaction,
  type ChannelAccount,
  type Closing,
  type Instruction,
  type SignedVoucher,
} from '@ergon/channels'
import { MarketError, workerShareBps, type Channel, type ChannelAct, type SignedChannelOrder } from '@ergon/core'
import { readTokenAccount } from './token-account.ts'
import type { ChannelReading } from './channel-ledger.ts'
import { readWithin } from './within.ts'

/** What a whole ending needs, with room for accounts that have to be made: some 35,000 of these were measured. */
const mostUnits = 200_000

/** What has to be known of a channel to end it. */
export type Endable = Pick<Channel, 'id' | 'worker' | 'payer' | 'cumulative' | 'signature'>

/** Signs what carries the act out on the channel as the ledger has it now; null where it cannot be done yet. */
export async function signOrder(
  reading: ChannelReading,
  act: ChannelAct,
  channel: Endable,
): Promise<SignedChannelOrder | null> {
  return readWithin(() => signNow(reading, act, channel), 'channel_unreadable', reading.waitMs)
}

async function signNow(reading: ChannelReading, act: ChannelAct, channel: Endable): Promise<SignedChannelOrder | null> {
  const { ledger, terms, keys } = reading
  const account = await ledger.account(channel.id)
  if (account === null || account.owner !== terms.channelProgram) return null
  const found = decodeChannel(account.data)
  const plan = act === 'end' ? await planEnd(reading, channel, found) : await planReclaim(reading, channel, found)
  if (plan === null) return null
  const price = await ledger.priorityFee([channel.id])
  // Read last, so that the transaction may be sent for as long as a blockhash allows.
  const { blockhash, lastValidBlockHeight } = await ledger.blockhash()
  const budget = [computeLimitInstruction(mostUnits), computePriceInstruction(price)]
  const unsigned = unsignedTransaction(terms.operator, blockhash, [...budget, ...plan.instructions])
  const signed = signTransaction(unsigned, new Map([[terms.operator, keys.operator.seed]]))
  return {
    act,
    wire: Buffer.from(encodeTransaction(signed)).toString('base64'),
    signature: transactionId(signed),
    lastValidHeight: lastValidBlockHeight,
    settled: plan.settled,
    deposit: found.deposit,
  }
}

/** What an order does, and what is settled when it has. */
type Plan = { readonly instructions: readonly Instruction[]; readonly settled: bigint }

async function planEnd(reading: ChannelReading, channel: Endable, account: ChannelAccount): Promise<Plan | null> {
  const { ledger, terms } = reading
  if (account.status === 'distributed') return null
  const nowSec = await ledger.time()
  const closing: Closing = {
    channelId: channel.id,
    channel: account,
    splits: [{ recipient: channel.worker, bps: workerShareBps }],
    treasuryOwner: terms.treasuryOwner,
    missingAccountsOf: await missingAccounts(reading, channel),
  }
  const { settled } = account
  const programs = { channelProgram: terms.channelProgram }
  if (account.status === 'sealed') return { instructions: payOutInstructions(closing, programs), settled }
  if (canTakeLastVoucher(account, nowSec)) {
    const last = lastVoucher(channel)
    const raised = last !== null && last.voucher.cumulative > settled ? last.voucher.cumulative : settled
    return { instructions: closeInstructions(closing, last, programs), settled: raised }
  }
  return canSeal(account, nowSec) ? { instructions: sealInstructions(closing, programs), settled } : null
}

function lastVoucher({ id: channelId, cumulative, signature }: Endable): SignedVoucher | null {
  return signature === null ? null : { voucher: { channelId, cumulative, expiresAt: 0n }, signature }
}

/**
 * Whose accounts have to be made first: a payout without one is lost for good, and so is one to an account that is
 * frozen or no longer its owner's.
 *
 * @throws WORKER_USDC_ATA_MISSING while the worker could not be paid
 */
async function missingAccounts({ ledger, terms }: ChannelReading, channel: Endable): Promise<readonly string[]> {
  const owners = [channel.worker, terms.operator, channel.payer, terms.treasuryOwner]
  const accounts = await Promise.all(owners.map((owner) => readTokenAccount(ledger, owner, terms.mint)))
  const worker = accounts[0]?.state
  if (worker === 'frozen' || worker === 'foreign')
    throw new MarketError('WORKER_USDC_ATA_MISSING', { worker: channel.worker, fault: worker })
  return owners.filter((_, at) => accounts[at]?.state === 'missing')
}

async function planReclaim(
  { ledger, terms }: ChannelReading,
  { id: channelId }: Endable,
  account: ChannelAccount,
): Promise<Plan | null> {
  if (!canReclaim(account, await ledger.slot())) return null
  const place = { channelId, rentPayer: account.rentPayer }
  return {
    instructions: [reclaimInstruction(place, { channelProgram: terms.channelProgram })],
    settled: account.settled,
  }
}
