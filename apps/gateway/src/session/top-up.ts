import { encodeTransaction, signTransaction, transactionId, verifyTopUp, type SessionAction } from '@ergon/channels'
import { ProtocolError } from '@ergon/protocols'
import { deliver, type Delivery } from '@ergon/solana-ledger'
import type { Endpoint } from '../config/endpoints.ts'
import { unavailable, unpaid } from '../errors.ts'
import { readChannel, type Channel } from '../store/channels.ts'
import { countSponsored } from '../store/sponsored.ts'
import { noteEnd, recordSent } from '../store/transactions.ts'
import { blockhashAge, mostPriorityLamports, type SessionDeps } from './deps.ts'
import { channelOnChain } from './on-chain.ts'

type TopUpAction = Extract<SessionAction, { readonly action: 'topUp' }>

/** How long a caller waits for the ledger; a duty goes on where it gives up, or is gone. */
const patienceMs = 20_000
const dutyPatienceMs = 3_000

/** Adds to a channel's deposit and believes what the ledger holds afterwards. @throws Refusal */
export async function topUpChannel(
  deps: SessionDeps,
  {
    action,
    endpoint,
    address,
  }: { readonly action: TopUpAction; readonly endpoint: Endpoint; readonly address: string },
): Promise<Channel> {
  const { config, secrets, database, ledger, recent } = deps
  const channel = await readChannel(database.query, action.channelId)
  if (channel === undefined || channel.seller !== endpoint.payee)
    throw unpaid('channel_not_found', 'no channel of this seller has that id')
  if (channel.status !== 'open') throw unpaid('channel_closing', `the channel is ${channel.status}: open another`)
  const now = await recent()
  if (now === undefined) throw unavailable('the ledger does not answer')
  const { operator } = secrets
  const verified = (() => {
    try {
      return verifyTopUp(action.wire, {
        channelId: channel.channelId,
        payer: channel.payer,
        mint: config.mint,
        channelProgram: config.channelProgram,
        operator: operator.address,
        mostAmount: config.deposits.most - channel.deposit,
        mostPriorityLamports,
      })
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause
      throw unpaid(`top_up_${cause.code}`, cause.message)
    }
  })()
  if (verified.amount !== action.amount)
    throw unpaid('top_up_claim', 'the credential and its transaction differ in the amount')
  if (verified.amount < endpoint.price) throw unpaid('top_up_amount', 'a top-up adds the price of a call at least')
  const signed = signTransaction(verified.transaction, new Map([[operator.address, operator.seed]]))
  const sent = {
    wire: encodeTransaction(signed),
    signature: transactionId(signed),
    lastValidBlockHeight: now.lastValidBlockHeight + blockhashAge,
    settles: null,
  }
  await database.transaction(async (query) => {
    const isNew = await recordSent(query, { channelId: channel.channelId, kind: 'topUp', sent })
    if (isNew) await countSponsored(query, config.sponsored, { payer: channel.payer, address })
  })
  const delivered = await deliver(ledger, sent, { patienceMs, pollMs: 200 })
  await noteEnd(database.query, sent.signature, delivered)
  if (delivered.end === 'undecided' && delivered.refusal === undefined)
    throw unavailable('the top-up has not landed yet: send the same again')
  if (delivered.end !== 'landed' || delivered.status.error !== null)
    throw unpaid('top_up_refused', 'the ledger refuses the top-up')
  await readDeposit(deps, channel.channelId)
  return (await readChannel(database.query, channel.channelId)) ?? channel
}

/**
 * Goes on with a top-up that nobody waits for: the same bytes are sent until they landed or can land no more, and then
 * the deposit is read. A channel that takes no calls any more gets no more money; what is on its way is only looked at.
 */
export async function pursueTopUp(deps: SessionDeps, channelId: string, sent: Delivery): Promise<void> {
  const { database, ledger } = deps
  const channel = await readChannel(database.query, channelId)
  const delivered = await deliver(
    {
      send: (wire) => (channel?.status === 'open' ? ledger.send(wire) : Promise.resolve('')),
      status: (signature) => ledger.status(signature),
      blockHeight: () => ledger.blockHeight(),
    },
    sent,
    { patienceMs: dutyPatienceMs, pollMs: 200 },
  )
  await noteEnd(database.query, sent.signature, delivered)
  if (delivered.end === 'landed') await readDeposit(deps, channelId)
}

/** What a channel holds is what its account says; it never falls. */
export async function readDeposit(deps: SessionDeps, channelId: string): Promise<void> {
  const onChain = await channelOnChain(deps, channelId).catch((cause: unknown) => {
    throw unavailable('the channel cannot be read', cause)
  })
  if (onChain === undefined) return
  await deps.database.query('update channels set deposit = greatest(deposit, $2) where channel_id = $1', [
    channelId,
    onChain.deposit,
  ])
}
