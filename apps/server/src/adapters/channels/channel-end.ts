import {
  channelInstruction,
  decodeChannel,
  decodeTransaction,
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
const messageAt = 112
const keyAt = 16
const signatureAt = 48

/**
 * How a channel was ended by other hands. Its account tells, while it is there; after that its transactions do: what
 * was settled is the highest voucher that one of them proved. Null where the ledger does not show it all.
 */
export function endOf(reading: ChannelReading, channel: Channel): Promise<LedgerEnd | null> {
  return readWithin(() => read(reading, channel), 'channel_unreadable', reading.waitMs)
}

async function read({ ledger, terms }: ChannelReading, channel: Channel): Promise<LedgerEnd | null> {
  const past = (await ledger.history(channel.id, mostTransactions)).filter(({ isFailed }) => !isFailed)
  const [last] = past
  if (last === undefined) return null
  const account = await ledger.account(channel.id)
  const { signature: txHash, slot } = last
  if (account !== null) {
    const { settled, deposit, status } = decodeChannel(account.data)
    return status === 'distributed' ? { settled, deposit, txHash, slot } : null
  }
  const found = await sumUp(ledger, terms.channelProgram, channel, past)
  return found === null ? null : { ...found, txHash, slot }
}

/** Null unless every transaction is there, from the opening on. */
async function sumUp(
  ledger: ChannelReading['ledger'],
  program: string,
  channel: Channel,
  past: readonly PastTransaction[],
): Promise<Pick<LedgerEnd, 'settled' | 'deposit'> | null> {
  let settled = 0n
  let deposit: bigint | null = null
  for (const { signature } of past.toReversed()) {
    const wire = await ledger.transaction(signature)
    if (wire === null) return null
    const { instructions } = decodeTransaction(wire).message
    for (const [at, instruction] of instructions.entries()) {
      if (instruction.program !== program || !instruction.accounts.some(({ address }) => address === channel.id))
        continue
      const { data } = instruction
      if (data[0] === channelInstruction.open) deposit = u64(data, 9)
      if (data[0] === channelInstruction.topUp) deposit = (deposit ?? 0n) + u64(data, 1)
      if (isSettling(data)) settled = highest(settled, provenIn(instructions[at - 1], channel.id))
    }
  }
  return deposit === null ? null : { settled, deposit }
}

function isSettling(data: Uint8Array): boolean {
  return data[0] === channelInstruction.settle || (data[0] === channelInstruction.settleAndSeal && data[1] === 1)
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
