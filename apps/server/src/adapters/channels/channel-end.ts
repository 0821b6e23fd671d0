import {
  channelInstruction,
  decodeChannel,
  decodeVoucher,
  ed25519Program,
  isSignedVoucher,
  type Instruction,
} from '@ergon/channels'
import type { Channel, LedgerEnd } from '@ergon/core'
import { ProtocolError, toBase58 } from '@ergon/protocols'
import type { PastTransaction } from '@ergon/solana-ledger'
import type { ChannelReading } from './channel-ledger.ts'
import { readWithin } from './within.ts'

/** An open channel takes two transactions to end, and whoever pays can add few more. */
const mostTransactions = 200
const mostLookedAt = 20
const messageAt = 112
const keyAt = 16
const signatureAt = 48

const { open, settle, topUp, settleAndSeal, distribute } = channelInstruction
/** Which account of an instruction is the channel: one that is named beside it has no part in it. */
const placeOf = new Map<number | undefined, number>([
  [open, 5],
  [settle, 0],
  [topUp, 1],
  [settleAndSeal, 1],
  [distribute, 0],
])

/**
 * How a channel was ended by other hands. Its account tells, while it is there; after that its transactions do: what
 * was settled is the highest voucher that one of them proved. Null where the ledger does not show it all.
 */
export function endOf(reading: ChannelReading, channel: Channel): Promise<LedgerEnd | null> {
  return readWithin(() => read(reading, channel), 'channel_unreadable', reading.waitMs)
}

async function read({ ledger, terms }: ChannelReading, channel: Channel): Promise<LedgerEnd | null> {
  const past = (await ledger.history(channel.id, mostTransactions)).filter(({ isFailed }) => !isFailed)
  const account = await ledger.account(channel.id)
  if (account?.owner === terms.channelProgram) {
    const { settled, deposit, status } = decodeChannel(account.data)
    if (status !== 'distributed') return null
    const payout = await payoutOf(ledger, terms.channelProgram, channel, past)
    return payout === undefined ? null : { settled, deposit, txHash: payout.signature, slot: payout.slot }
  }
  return sumUp(ledger, terms.channelProgram, channel, past)
}

/** The newest transaction that shared the channel out; behind very many that strangers sent, the newest of all. */
async function payoutOf(
  ledger: ChannelReading['ledger'],
  program: string,
  channel: Channel,
  past: readonly PastTransaction[],
): Promise<PastTransaction | undefined> {
  for (const one of past.slice(0, mostLookedAt)) {
    const acts = await actsOf(ledger, program, channel, one.signature)
    if (acts?.some(({ data }) => data[0] === distribute) === true) return one
  }
  return past[0]
}

/** Null unless every transaction is there, from the opening on. */
async function sumUp(
  ledger: ChannelReading['ledger'],
  program: string,
  channel: Channel,
  past: readonly PastTransaction[],
): Promise<LedgerEnd | null> {
  let settled = 0n
  let deposit: bigint | null = null
  let payout: Pick<LedgerEnd, 'txHash' | 'slot'> | null = null
  for (const { signature: txHash, slot } of past.toReversed()) {
    const acts = await actsOf(ledger, program, channel, txHash)
    if (acts === null) return null
    for (const { data, proof } of acts) {
      if (data[0] === open) deposit = u64(data, 9)
      if (data[0] === topUp && deposit !== null) deposit += u64(data, 1)
      if (data[0] === distribute) payout = { txHash, slot }
      if (isSettling(data)) settled = highest(settled, provenIn(proof, channel.id))
    }
  }
  return deposit === null || payout === null ? null : { settled, deposit, ...payout }
}

/** What the program did with a channel, and what the message has before it: that proves its voucher. */
type Act = { readonly data: Uint8Array; readonly proof: Instruction | undefined }

/**
 * What a transaction did with the channel, also through other programs. Null where that is not to be known: the
 * transaction is not kept, or a program may have called ours and the ledger records no calls.
 */
async function actsOf(
  ledger: ChannelReading['ledger'],
  program: string,
  channel: Channel,
  signature: string,
): Promise<readonly Act[] | null> {
  const found = await ledger.transaction(signature)
  if (found === null) return null
  const { instructions } = found
  if (instructions.some((one) => one.calls === null && mayCall(one, program, channel.id))) return null
  return instructions.flatMap((one, at) =>
    [one, ...(one.calls ?? [])]
      .filter((act) => act.program === program && isAbout(act, channel.id))
      .map(({ data }) => ({ data, proof: instructions[at - 1] })),
  )
}

/** Whoever calls a program is given it, and the accounts that it hands on. */
function mayCall({ program: own, accounts }: Instruction, program: string, channelId: string): boolean {
  const isGiven = (address: string): boolean => accounts.some((account) => account.address === address)
  return own !== program && isGiven(program) && isGiven(channelId)
}

function isAbout({ data, accounts }: Instruction, channelId: string): boolean {
  const place = placeOf.get(data[0])
  return place !== undefined && accounts[place]?.address === channelId
}

function isSettling(data: Uint8Array): boolean {
  return data[0] === settle || (data[0] === settleAndSeal && data[1] === 1)
}

/** The amount of the voucher that the precompile proved just before. */
function provenIn(proof: Instruction | undefined, channelId: string): bigint {
  if (proof?.program !== ed25519Program) return 0n
  const { data } = proof
  try {
    const voucher = decodeVoucher(data.subarray(messageAt))
    const [signature, signer] = [data.subarray(signatureAt, signatureAt + 64), data.subarray(keyAt, keyAt + 32)]
    const isOurs = voucher.channelId === channelId && isSignedVoucher(voucher, toBase58(signature), toBase58(signer))
    return isOurs ? voucher.cumulative : 0n
  } catch (error) {
    if (error instanceof ProtocolError) return 0n
    throw error
  }
}

function u64(data: Uint8Array, at: number): bigint {
  return data.length < at + 8 ? 0n : new DataView(data.buffer, data.byteOffset).getBigUint64(at, true)
}

function highest(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
