import {
  decodeChannel,
  isSolanaAddress,
  readAgreedChannel,
  systemProgram,
  type ChannelAccount,
  type LedgerAccount,
  readTokenAccount,
} from '@ergon/channels'
import { MarketError, workerShareBps, type ChannelLedger, type ChannelOffer, type LedgerChannel } from '@ergon/core'
import { ProtocolError } from '@ergon/protocols'
import type { RpcLedger } from '@ergon/solana-ledger'
import type { SolanaKeys } from '../../config/solana-keys.ts'
import type { Time } from '../../surroundings/platform-time.ts'
import { createLooked, endOf } from './channel-end.ts'
import { signOrder } from './channel-orders.ts'
import { orderFate, sendOrder } from './order-fate.ts'
import { readWithin } from './within.ts'

/** What this deployment is on its cluster; addresses in base58. */
export type ChannelTerms = {
  readonly channelProgram: string
  readonly mint: string
  /** Payee of every channel, and who pays their rent. */
  readonly operator: string
  /** Signs vouchers in the operator's mode. */
  readonly voucherSigner: string
  /** Owner of the account for rounding dust. */
  readonly treasuryOwner: string
}

type Reads = 'account' | 'time' | 'slot' | 'blockhash' | 'blockHeight' | 'status' | 'send' | 'priorityFee' | 'isRecent'

/** What the adapter reads with, signs with and waits with. */
export type ChannelReading = {
  readonly ledger: Pick<RpcLedger, Reads | 'history' | 'transaction'>
  readonly terms: ChannelTerms
  readonly keys: Pick<SolanaKeys, 'operator'>
  /** Whether an account for that owner may be paid for at the end of that channel; it is counted then. */
  readonly accounts: { take(owner: string, channelId: string): Promise<boolean> }
  readonly time: Pick<Time, 'monotonic' | 'delay'>
  /** How long a caller waits for a read. */
  readonly waitMs: number
  readonly onTrouble: (message: string, error: unknown) => void
}

/** The ledger of channels on a Solana cluster. What it does not show plainly is refused, each thing by its name. */
export function createChannelLedger(reading: ChannelReading): ChannelLedger {
  const { ledger, terms, waitMs } = reading
  const looked = createLooked()
  return {
    openChannel: (channelId, offer) => openChannel(reading, channelId, offer),
    async canReceive(address) {
      const read = () => readTokenAccount(ledger, address, terms.mint)
      return (await readWithin(read, 'WORKER_USDC_ATA_UNVERIFIABLE', waitMs)).state === 'usable'
    },
    channel: (channelId) => readChannel(reading, channelId),
    order: (act, channel) => signOrder(reading, act, channel),
    send: (order) => sendOrder(reading, order),
    fate: (order, longestMs) => orderFate(reading, order, longestMs),
    endOf: (channel) => endOf(reading, channel, looked),
  }
}

async function readChannel({ ledger, terms, waitMs }: ChannelReading, channelId: string): Promise<LedgerChannel> {
  const account = await readWithin(() => ledger.account(channelId), 'channel_unreadable', waitMs)
  // Lamports that a stranger put at the address after it was given back make an account of nobody's program.
  if (account === null || account.owner === systemProgram) return { state: 'gone', deposit: 0n, settled: 0n }
  const { status, deposit, settled } = decodedAt(account, terms)
  return { state: status, deposit, settled }
}

function decodedAt(account: LedgerAccount, { channelProgram }: ChannelTerms): ChannelAccount {
  try {
    if (account.owner === channelProgram) return decodeChannel(account.data)
  } catch (cause) {
    throw new MarketError('channel_unreadable', {}, { cause })
  }
  throw new MarketError('channel_unreadable', { fault: 'not_a_channel' })
}

async function openChannel(
  reading: ChannelReading,
  channelId: string,
  { payer, worker, voucherKey }: ChannelOffer,
): ReturnType<ChannelLedger['openChannel']> {
  const { ledger, terms, waitMs } = reading
  if (!isSolanaAddress(channelId)) throw new MarketError('CHANNEL_NOT_ON_CHAIN', { channel_id: channelId })
  const account = await readWithin(() => ledger.account(channelId), 'channel_unreadable', waitMs)
  const channel = agreed(channelId, () =>
    readAgreedChannel(channelId, account, {
      ...terms,
      payer,
      payee: terms.operator,
      rentPayer: terms.operator,
      authorizedSigner: voucherKey ?? terms.voucherSigner,
      splits: [{ recipient: worker, bps: workerShareBps }],
      leastDeposit: 1n,
    }),
  )
  await requireUnused(reading, channelId, channel)
  return { payee: terms.operator, deposit: channel.deposit }
}

/** Vouchers count from nothing, and what is promised is there and can move. */
async function requireUnused(
  { ledger, terms, waitMs }: ChannelReading,
  channelId: string,
  { settled, payoutWatermark, deposit }: ChannelAccount,
): Promise<void> {
  if (settled !== 0n || payoutWatermark !== 0n) throw notReusable('already_used')
  const read = () => readTokenAccount(ledger, channelId, terms.mint)
  const escrow = await readWithin(read, 'channel_unreadable', waitMs)
  if (escrow.state !== 'usable') throw notReusable(`escrow_${escrow.state}`)
  if (escrow.amount < deposit) throw notReusable('escrow_short')
}

/** Whose fault a channel is that is not what was agreed. */
function agreed(channelId: string, read: () => ChannelAccount): ChannelAccount {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    switch (cause.code) {
      case 'not_on_chain':
      case 'not_a_channel':
        throw new MarketError('CHANNEL_NOT_ON_CHAIN', { channel_id: channelId, fault: cause.code }, { cause })
      case 'wrong_payer':
        throw new MarketError('CHANNEL_NOT_YOURS', { channel_id: channelId }, { cause })
      case 'wrong_address':
        // The program writes no channel to another's address: it is the answer that is wrong.
        throw new MarketError('channel_unreadable', { channel_id: channelId }, { cause })
      default:
        throw notReusable(cause.code)
    }
  }
}

function notReusable(fault: string): MarketError {
  return new MarketError('CHANNEL_NOT_REUSABLE', { fault })
}
