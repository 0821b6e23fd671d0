import {
  canReclaim,
  computeLimitInstruction,
  computePriceInstruction,
  decodeChannel,
  encodeTransaction,
  reclaimInstruction,
  signTransaction,
  transactionId,
  unsignedTransaction,
  type ChannelAccount,
} from '@ergon/channels'
import type { ChannelLedger, SignedChannelOrder } from '@ergon/core'
import { planEnd, type Endable, type Plan } from './channel-closing.ts'
import type { ChannelReading } from './channel-ledger.ts'
import { readWithin } from './within.ts'

type AskedAct = Parameters<ChannelLedger['order']>[0]

/** What a whole ending needs, with room for accounts that have to be made: some 35,000 of these were measured. */
const mostUnits = 200_000

/** Signs what carries the act out on the channel as the ledger has it now; null where it cannot be done yet. */
export async function signOrder(
  reading: ChannelReading,
  act: AskedAct,
  channel: Endable,
): Promise<SignedChannelOrder | null> {
  return readWithin(() => signNow(reading, act, channel), 'channel_unreadable', reading.waitMs)
}

async function signNow(reading: ChannelReading, act: AskedAct, channel: Endable): Promise<SignedChannelOrder | null> {
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
    act: plan.act,
    wire: Buffer.from(encodeTransaction(signed)).toString('base64'),
    signature: transactionId(signed),
    lastValidHeight: lastValidBlockHeight,
    settled: plan.settled,
    deposit: found.deposit,
  }
}

async function planReclaim(
  { ledger, terms }: ChannelReading,
  { id: channelId }: Endable,
  account: ChannelAccount,
): Promise<Plan | null> {
  if (!canReclaim(account, await ledger.slot())) return null
  const place = { channelId, rentPayer: account.rentPayer }
  return {
    act: 'reclaim',
    instructions: [reclaimInstruction(place, { channelProgram: terms.channelProgram })],
    settled: account.settled,
  }
}
