import {
  associatedTokenAccount,
  demandClaimed,
  encodeTransaction,
  isProved,
  readAgreedChannel,
  signTransaction,
  tokenProgram,
  transactionId,
  verifyOpen,
  type SessionAction,
  type VerifiedOpen,
} from '@ergon/channels'
import { ProtocolError } from '@ergon/protocols'
import { deliver, readTokenAccount } from '@ergon/solana-ledger'
import type { Endpoint } from '../config/endpoints.ts'
import { Refusal, unavailable, unpaid } from '../errors.ts'
import { readChannel, type Channel } from '../store/channels.ts'
import type { Query } from '../store/database.ts'
import { countSponsored } from '../store/sponsored.ts'
import { findSent, noteEnd, recordSent } from '../store/transactions.ts'
import { sellerBps, type OwnChallenge } from './challenges.ts'
import { blockhashAge, mostPriorityLamports, type SessionDeps } from './deps.ts'

type OpenAction = Extract<SessionAction, { readonly action: 'open' }>

/** Any constant will do: openings are counted one after the other. */
const openingLock = 7_128_404
/** How long a caller waits for the ledger; a duty goes on where it gives up. */
const patienceMs = 20_000
const firstPatienceMs = 3_000

/**
 * Opens a channel: what the transaction says is held against the challenge, recorded, signed by the operator, sent, and
 * believed when the ledger shows the channel. The same opening again answers its state.
 *
 * @throws Refusal
 */
export async function openChannel(
  deps: SessionDeps,
  asked: {
    readonly action: OpenAction
    readonly challenge: OwnChallenge
    readonly endpoint: Endpoint
    readonly address: string
  },
): Promise<Channel> {
  const open = await verified(deps, asked)
  const known = await readChannel(deps.database.query, open.channelId)
  // One that never landed may be opened with other bytes: its address is still free, and names no seller.
  if (known === undefined || known.status === 'void') {
    await demandFunds(deps, open)
    await demandRecent(deps, open)
    await record(deps, asked, open)
  }
  await pursueOpening(deps, open.channelId)
  const channel = await readChannel(deps.database.query, open.channelId)
  if (channel?.status === 'open') return channel
  if (channel?.status === 'opening')
    throw new Refusal(503, 'gateway_unavailable', 'the opening has not landed yet: send the same again', {
      retryAfterSec: 5,
    })
  throw unpaid('channel_not_opened', 'the ledger did not open the channel: make another opening')
}

async function verified(
  { config, secrets, recent }: SessionDeps,
  { action, challenge, endpoint }: Parameters<typeof openChannel>[1],
): Promise<VerifiedOpen> {
  if (challenge.expiresAt < Date.now())
    throw new Refusal(402, 'challenge_expired', 'the challenge has ended: answer a fresh one', {
      type: 'invalid-challenge',
    })
  const now = await recent()
  if (now === undefined) throw unavailable('the ledger does not answer')
  const byOperator = challenge.request.voucherSigner === 'operator'
  try {
    const open = verifyOpen(action.wire, {
      channelProgram: config.channelProgram,
      payer: action.payer,
      payee: secrets.operator.address,
      mint: config.mint,
      authorizedSigner: byOperator ? secrets.voucher.address : action.authorizedSigner,
      operator: secrets.operator.address,
      gracePeriodSec: config.graceSec,
      splits: [{ recipient: endpoint.payee, bps: sellerBps }],
      leastDeposit: config.deposits.least > endpoint.price ? config.deposits.least : endpoint.price,
      mostDeposit: config.deposits.most,
      slot: now.slot,
      mostPriorityLamports,
    })
    demandClaimed(action, open)
    if (byOperator && (action.proof === undefined || !isProved(open.channelId, action.proof)))
      throw unpaid('proof_missing', 'an opening whose vouchers the operator signs brings the proof of its payer')
    if (byOperator && action.proof?.payer !== open.payer)
      throw unpaid('proof_of_another', 'the proof is of another payer')
    return open
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw unpaid(`open_${cause.code}`, cause.message)
  }
}

/** Who does not hold the deposit takes no seat from those who do. */
async function demandFunds({ config, ledger }: SessionDeps, { payer, deposit }: VerifiedOpen): Promise<void> {
  const account = await ledger.account(associatedTokenAccount(payer, config.mint)).catch((cause: unknown) => {
    throw unavailable("the payer's account cannot be read", cause)
  })
  const held = account?.owner === tokenProgram ? readTokenAccount(account.data) : undefined
  if (held === undefined || held.isFrozen || held.amount < deposit)
    throw unpaid('open_short', "the payer's account does not hold the deposit")
}

/** Nor does an opening that never lands, because its blockhash is none. */
async function demandRecent({ ledger }: SessionDeps, { transaction }: VerifiedOpen): Promise<void> {
  const isRecent = await ledger.isRecent(transaction.message.blockhash).catch((cause: unknown) => {
    throw unavailable('the ledger does not answer', cause)
  })
  if (!isRecent) throw unpaid('open_blockhash', 'the opening names no recent blockhash: answer a fresh challenge')
}

/** The operator's signature is made and written down with the channel before anything is sent. */
async function record(
  { config, secrets, database, recent }: SessionDeps,
  { endpoint, challenge, address }: Parameters<typeof openChannel>[1],
  open: VerifiedOpen,
): Promise<void> {
  const now = await recent()
  if (now === undefined) throw unavailable('the ledger does not answer')
  const { operator } = secrets
  const signed = signTransaction(open.transaction, new Map([[operator.address, operator.seed]]))
  const sent = {
    wire: encodeTransaction(signed),
    signature: transactionId(signed),
    lastValidBlockHeight: now.lastValidBlockHeight + blockhashAge,
    settles: null,
  }
  await database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [openingLock])
    await demandRoom(query, config.channels, { payer: open.payer, address })
    const made = await query(
      `insert into channels (channel_id, seller, payer, address, voucher_signer, authorized_signer, salt, open_slot,
         grace_sec, deposit, status, watch_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'opening', now() + interval '30 seconds')
       on conflict (channel_id) do update set seller = excluded.seller, address = excluded.address,
         voucher_signer = excluded.voucher_signer, grace_sec = excluded.grace_sec, deposit = excluded.deposit,
         status = 'opening', watch_at = excluded.watch_at, closed_at = null
         where channels.status = 'void' and not exists (select from transactions where signature = $11)
       returning 1`,
      [
        open.channelId,
        endpoint.payee,
        open.payer,
        address,
        challenge.request.voucherSigner,
        open.authorizedSigner,
        open.salt,
        open.openSlot,
        open.gracePeriodSec,
        open.deposit,
        sent.signature,
      ],
    )
    // Another opening of this address is on its way, or the ledger has refused these bytes: they are not sent.
    if (made.length === 0) return
    const isNew = await recordSent(query, { channelId: open.channelId, kind: 'open', sent })
    if (isNew) await countSponsored(query, config.sponsored, { payer: open.payer, address })
  })
}

type Limits = { readonly payer: number; readonly address: number; readonly all: number }

/** Each channel binds rent of the operator until it is closed: nobody opens without end. */
async function demandRoom(query: Query, limits: Limits, who: { payer: string; address: string }): Promise<void> {
  const live = `status in ('opening', 'open', 'closing')`
  const [row] = await query<{ of_payer: string; of_address: string; in_all: string }>(
    `select (select count(*) from channels where payer = $1 and ${live}) as of_payer,
       (select count(*) from channels where address = $2 and ${live}) as of_address,
       (select count(*) from channels where ${live}) as in_all`,
    [who.payer, who.address],
  )
  const isFull =
    Number(row?.of_payer) >= limits.payer ||
    Number(row?.of_address) >= limits.address ||
    Number(row?.in_all) >= limits.all
  if (isFull)
    throw new Refusal(429, 'too_many_channels', 'too many channels are open: use or close one of them', {
      retryAfterSec: 60,
    })
}

/** Sends a recorded opening until it has landed or never will, and books what the ledger shows. */
export async function pursueOpening(deps: SessionDeps, channelId: string): Promise<void> {
  const { database, ledger } = deps
  const sent = await findSent(database.query, channelId, 'open')
  const channel = await readChannel(database.query, channelId)
  if (channel?.status !== 'opening') return
  if (sent !== undefined) {
    const first = await deliver(ledger, sent, { patienceMs: firstPatienceMs, pollMs: 200 })
    // What a node refuses on trial is not waited for; what nobody refuses may land any moment.
    const isOpen = first.end === 'undecided' && first.refusal === undefined
    const delivered = isOpen ? await deliver(ledger, sent, { patienceMs, pollMs: 200 }) : first
    await noteEnd(database.query, sent.signature, delivered)
    if (delivered.end === 'undecided') {
      if (delivered.refusal === undefined) return
      const why = JSON.stringify(delivered.refusal.transactionError)
      throw unpaid('open_refused', `the ledger refuses the opening as things are: ${why}`)
    }
    if (delivered.end === 'expired' || delivered.status.error !== null) return markVoid(database.query, channelId)
  }
  await believe(deps, channel)
}

async function believe({ config, secrets, database, ledger }: SessionDeps, channel: Channel): Promise<void> {
  const { channelId } = channel
  const account = await ledger.account(channelId).catch((cause: unknown) => {
    throw unavailable('the channel cannot be read', cause)
  })
  try {
    const found = readAgreedChannel(channelId, account, {
      channelProgram: config.channelProgram,
      payer: channel.payer,
      payee: secrets.operator.address,
      mint: config.mint,
      authorizedSigner: channel.authorizedSigner,
      rentPayer: secrets.operator.address,
      splits: [{ recipient: channel.seller, bps: sellerBps }],
      leastDeposit: channel.deposit,
    })
    await database.query(
      `update channels set status = 'open', deposit = $2, used_at = now(), watch_at = now() + interval '10 seconds'
       where channel_id = $1 and status = 'opening'`,
      [channelId, found.deposit],
    )
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    // It landed, and what is there is nothing to meter on: the payer may have asked to close it in the same moment.
    await database.query(
      `update channels set status = 'closing', close_reason = $2, watch_at = now()
       where channel_id = $1 and status = 'opening'`,
      [channelId, cause.code],
    )
  }
}

async function markVoid(query: Query, channelId: string): Promise<void> {
  await query(`update channels set status = 'void', closed_at = now() where channel_id = $1 and status = 'opening'`, [
    channelId,
  ])
}
