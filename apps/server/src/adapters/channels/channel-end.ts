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
import { createBoundedCache, type BoundedCache } from '../../surroundings/bounded-cache.ts'
import type { ChannelReading } from './channel-ledger.ts'
import { readWithin } from './within.ts'

/** A channel takes few transactions to end, and strangers may name it in as many as they pay for. */
const mostTransactions = 10_000
const pageSize = 1_000
const mostLookedAt = 20
const abreast = 8
/** What was looked at is remembered, so that the next attempt comes further. */
const rememberedMs = 3_600_000
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

/** What transactions did with a channel, by the channel and their ids. */
type Looked = BoundedCache<readonly Act[]>
export const createLooked = (): Looked => createBoundedCache(2 * mostTransactions, rememberedMs)

type Search = {
  readonly reading: ChannelReading
  readonly channel: Channel
  readonly looked: Looked
  /** No more is asked for after that: whoever waits is gone. */
  readonly until: number
}

/**
 * How a channel was ended by other hands. Its account tells, while it is there; after that its transactions do: what
 * was settled is the highest voucher that one of them proved. Null where the ledger does not show it all, or not in
 * time.
 */
export function endOf(reading: ChannelReading, channel: Channel, looked: Looked): Promise<LedgerEnd | null> {
  const search = { reading, channel, looked, until: reading.time.monotonic() + reading.waitMs }
  return readWithin(() => read(search), 'channel_unreadable', reading.waitMs)
}

async function read(search: Search): Promise<LedgerEnd | null> {
  const { reading, channel } = search
  const { ledger, terms } = reading
  const account = await ledger.account(channel.id)
  if (account?.owner !== terms.channelProgram) return sumUp(search)
  const { settled, deposit, status } = decodeChannel(account.data)
  if (status !== 'distributed') return null
  const payout = await payoutOf(search, done(await ledger.history(channel.id, pageSize)))
  return payout === undefined ? null : { settled, deposit, txHash: payout.signature, slot: payout.slot }
}

const done = (past: readonly PastTransaction[]): readonly PastTransaction[] => past.filter(({ isFailed }) => !isFailed)

/** The newest first; null where there may be more than was seen. */
async function wholePast({ reading, channel, until }: Search): Promise<readonly PastTransaction[] | null> {
  const past: PastTransaction[] = []
  while (past.length < mostTransactions && reading.time.monotonic() < until) {
    const page = await reading.ledger.history(channel.id, pageSize, past.at(-1)?.signature)
    if (page.length === 0) return done(past)
    past.push(...page)
  }
  return null
}

/** The newest transaction that shared the channel out; behind very many that strangers sent, the newest of all. */
async function payoutOf(search: Search, past: readonly PastTransaction[]): Promise<PastTransaction | undefined> {
  for (const one of past.slice(0, mostLookedAt)) {
    const acts = await actsOf(search, one.signature)
    if (acts?.some(({ data }) => data[0] === distribute) === true) return one
  }
  return past[0]
}

/** Null unless every transaction is there, from the opening on. */
async function sumUp(search: Search): Promise<LedgerEnd | null> {
  const past = await wholePast(search)
  if (past === null) return null
  let settled = 0n
  let deposit: bigint | null = null
  let payout: Pick<LedgerEnd, 'txHash' | 'slot'> | null = null
  for (const { txHash, slot, acts } of (await lookAt(search, past.toReversed())) ?? []) {
    for (const { data, proof } of acts) {
      if (data[0] === open) deposit = u64(data, 9)
      if (data[0] === topUp && deposit !== null) deposit += u64(data, 1)
      if (data[0] === distribute) payout = { txHash, slot }
      if (isSettling(data)) settled = highest(settled, provenIn(proof, search.channel.id))
    }
  }
  return deposit === null || payout === null ? null : { settled, deposit, ...payout }
}

type Seen = { readonly txHash: string; readonly slot: bigint; readonly acts: readonly Act[] }

/** What each of them did, a few at once; null where one is not to be known, or time is over. */
async function lookAt(search: Search, past: readonly PastTransaction[]): Promise<readonly Seen[] | null> {
  const seen: Seen[] = []
  for (let start = 0; start < past.length; start += abreast) {
    if (search.reading.time.monotonic() >= search.until) return null
    const some = past.slice(start, start + abreast)
    const acts = await Promise.all(some.map(({ signature }) => actsOf(search, signature)))
    for (const [at, { signature: txHash, slot }] of some.entries()) {
      const did = acts[at]
      if (did === null || did === undefined) return null
      seen.push({ txHash, slot, acts: did })
    }
  }
  return seen
}

/** What the program did with a channel, and what the message has before it: that proves its voucher. */
type Act = { readonly data: Uint8Array; readonly proof: Instruction | undefined }

/**
 * What a transaction did with the channel, also through other programs. Null where that is not to be known: the
 * transaction is not kept, or a program may have called ours and the ledger records no calls.
 */
async function actsOf({ reading, channel, looked }: Search, signature: string): Promise<readonly Act[] | null> {
  const key = `${channel.id} ${signature}`
  const known = looked.get(key)
  if (known !== undefined) return known
  const program = reading.terms.channelProgram
  const found = await reading.ledger.transaction(signature)
  if (found === null) return null
  const { instructions } = found
  if (instructions.some((one) => one.calls === null && mayCall(one, program, channel.id))) return null
  const acts = instructions.flatMap((one, at) =>
    [one, ...(one.calls ?? [])]
      .filter((act) => act.program === program && isAbout(act, channel.id))
      .map(({ data }) => ({ data, proof: instructions[at - 1] })),
  )
  looked.set(key, acts)
  return acts
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
