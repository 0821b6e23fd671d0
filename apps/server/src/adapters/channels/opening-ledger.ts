import { randomBytes } from 'node:crypto'
import {
  channelAddress,
  decodeChannel,
  decodeTransaction,
  encodeTransaction,
  leastGracePeriodSec,
  memoInstruction,
  memoProgram,
  openInstruction,
  signTransaction,
  transactionId,
  unsignedTransaction,
  verifyOpen,
  type OpenTerms,
  type Transaction,
  readTokenAccount,
} from '@ergon/channels'
import {
  MarketError,
  workerShareBps,
  type Opening,
  type OpeningLedger,
  type OpeningTerms,
  type SignedOpening,
} from '@ergon/core'
import { ProtocolError, utf8 } from '@ergon/protocols'
import { deliver } from '@ergon/solana-ledger'
import type { ChannelReading } from './channel-ledger.ts'
import { orderFate } from './order-fate.ts'
import { signOrder } from './channel-orders.ts'
import { readWithin } from './within.ts'

/** What an opening may pay for priority on top of its fee. */
const mostPriorityLamports = 100_000n
const pollMs = 100
/** In the data of an opening, behind its number and its salt. */
const depositAt = 9
const firstPatienceMs = 2_000

/** Openings of channels: offered, held against the terms byte by byte, signed and sent. */
export function createOpeningLedger(reading: ChannelReading, service: string): OpeningLedger {
  const { ledger, terms, keys, waitMs } = reading
  const memoOf = (taskId: string): string => `Channel of task ${taskId} at ${service}`
  return {
    offer: (agreed, deposit) =>
      readWithin(
        async () => {
          const opens: OpenTerms = {
            ...{ payer: agreed.payer, payee: terms.operator, rentPayer: terms.operator, mint: terms.mint },
            ...{
              authorizedSigner: agreed.voucherKey ?? terms.voucherSigner,
              salt: randomBytes(8).readBigUInt64LE(),
              deposit,
            },
            ...{ openSlot: await ledger.slot(), gracePeriodSec: leastGracePeriodSec, splits: splitsOf(agreed) },
          }
          // Read last, so that its payer has as long as a blockhash allows.
          const { blockhash } = await ledger.blockhash()
          const memo = memoOf(agreed.taskId)
          const instructions = [openInstruction(opens, terms), memoInstruction(memo)]
          const wire = encodeTransaction(unsignedTransaction(terms.operator, blockhash, instructions))
          return {
            transaction: Buffer.from(wire).toString('base64'),
            channelId: channelAddress(opens, terms.channelProgram).address,
            payee: terms.operator,
            gracePeriodSec: leastGracePeriodSec,
            memo,
          }
        },
        'channel_unreadable',
        waitMs,
      ),
    async countersign(transaction, agreed) {
      const [slot, { lastValidBlockHeight }] = await readWithin(
        () => Promise.all([ledger.slot(), ledger.blockhash()]),
        'channel_unreadable',
        waitMs,
      )
      const open = exactly(() => {
        const verified = verifyOpen(Buffer.from(transaction, 'base64'), {
          ...{ channelProgram: terms.channelProgram, payer: agreed.payer, payee: terms.operator, mint: terms.mint },
          ...{ authorizedSigner: agreed.voucherKey ?? terms.voucherSigner, operator: terms.operator },
          ...{ slot, mostPriorityLamports },
          ...{ gracePeriodSec: leastGracePeriodSec, splits: splitsOf(agreed) },
          ...{ leastDeposit: agreed.deposits.least, mostDeposit: agreed.deposits.most },
        })
        demandMemo(verified.transaction, memoOf(agreed.taskId))
        return verified
      })
      const signed = signTransaction(open.transaction, new Map([[terms.operator, keys.operator.seed]]))
      return {
        channelId: open.channelId,
        wire: Buffer.from(encodeTransaction(signed)).toString('base64'),
        signature: transactionId(signed),
        lastValidHeight: lastValidBlockHeight,
      }
    },
    demandLikely: (opening, payer) =>
      readWithin(() => demandLikely(reading, opening, payer), 'channel_unreadable', waitMs),
    isOf(transaction, opening) {
      try {
        const [one, other] = [transaction, opening.wire].map((wire) => decodeTransaction(Buffer.from(wire, 'base64')))
        return one !== undefined && other !== undefined && Buffer.compare(one.messageBytes, other.messageBytes) === 0
      } catch {
        return false
      }
    },
    deliver: (opening, longestMs) => deliverOpening(reading, opening, longestMs),
    windUp: (opening) => windUp(reading, opening),
  }
}

const splitsOf = ({ worker }: Pick<OpeningTerms, 'worker'>) => [{ recipient: worker, bps: workerShareBps }]

/** The memo is signed with the rest, so an opening for one task is none for another. */
function demandMemo({ message: { instructions } }: Transaction, memo: string): void {
  const last = instructions.at(-1)
  if (last?.program !== memoProgram || Buffer.compare(last.data, utf8(memo)) !== 0)
    throw new ProtocolError('memo', 'the opening of a channel names its task in a memo')
}

function exactly<T>(verify: () => T): T {
  try {
    return verify()
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw new MarketError(
      'VALIDATION_FAILED',
      { field: 'transaction', fault: cause.code, constraint: cause.message },
      { cause },
    )
  }
}

/** Each opening binds one of few places until it has landed or never can: nothing takes one that would not land. */
async function demandLikely({ ledger, terms }: ChannelReading, { wire }: SignedOpening, payer: string): Promise<void> {
  const { message } = decodeTransaction(Buffer.from(wire, 'base64'))
  const found = message.instructions.find(({ program }) => program === terms.channelProgram)
  const deposit = Buffer.from(found?.data ?? []).readBigUInt64LE(depositAt)
  const account = await readTokenAccount(ledger, payer, terms.mint)
  const holds = account.state === 'usable' && account.amount >= deposit
  if (!holds) throw unlikely('payer_short', 'the token account of its payer holds the deposit')
  if (!(await ledger.isRecent(message.blockhash)))
    throw unlikely('blockhash', 'its blockhash is recent: sign a fresh offer')
}

function unlikely(fault: string, constraint: string): MarketError {
  return new MarketError('VALIDATION_FAILED', { field: 'transaction', fault, constraint })
}

async function deliverOpening(
  { ledger, time }: ChannelReading,
  { wire, signature, lastValidHeight }: SignedOpening,
  longestMs: number,
): Promise<'landed' | 'failed' | 'refused' | 'unknown'> {
  const bytes = { wire: new Uint8Array(Buffer.from(wire, 'base64')), signature, lastValidBlockHeight: lastValidHeight }
  const waiting = { pollMs, now: time.monotonic, sleep: time.delay }
  const first = await deliver(ledger, bytes, { ...waiting, patienceMs: Math.min(firstPatienceMs, longestMs) })
  // What a node refuses on trial is not waited for; what nobody refuses may land any moment.
  const isOpen = first.end === 'undecided' && first.refusal === undefined
  const delivered = isOpen ? await deliver(ledger, bytes, { ...waiting, patienceMs: longestMs }) : first
  if (delivered.end === 'expired') return 'failed'
  if (delivered.end === 'undecided') return delivered.refusal === undefined ? 'unknown' : 'refused'
  // What failed in a block that is not final may be undone with its block.
  if (delivered.status.error === null) return 'landed'
  return delivered.status.kind === 'finalized' ? 'failed' : 'unknown'
}

/** Nothing was ever promised out of it: it is sealed without a voucher, so its payer has everything back. */
async function windUp(reading: ChannelReading, opening: Opening): Promise<boolean> {
  const { ledger, terms, waitMs } = reading
  const account = await readWithin(() => ledger.account(opening.channelId), 'channel_unreadable', waitMs)
  if (account?.owner !== terms.channelProgram) {
    const order = { ...opening, act: 'end' as const, settled: 0n, deposit: 0n }
    return (await orderFate(reading, order, 0)).state !== 'unknown'
  }
  const act = decodeChannel(account.data).status === 'distributed' ? 'reclaim' : 'end'
  const { channelId: id, worker, payer } = opening
  const order = await signOrder(reading, act, { id, worker, payer, cumulative: 0n, signature: null })
  if (order !== null) await ledger.send(new Uint8Array(Buffer.from(order.wire, 'base64'))).catch(() => undefined)
  return false
}
