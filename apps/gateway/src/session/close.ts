import { isProved, isSignedVoucher, type SessionAction } from '@ergon/channels'
import type { Endpoint } from '../config/endpoints.ts'
import { Refusal, unpaid } from '../errors.ts'
import { closeChannel } from '../settle/close-channel.ts'
import { beginClosing, readChannel, type Channel } from '../store/channels.ts'
import type { SessionDeps } from './deps.ts'

type CloseAction = Extract<SessionAction, { readonly action: 'close' }>

const tries = 40
const pauseMs = 250

/**
 * Ends a channel at its payer's word, or its signer's, and answers when the ledger has paid out. A last voucher proves
 * who asks; what is settled is what was charged.
 *
 * @throws Refusal
 */
export async function closeSession(
  deps: SessionDeps,
  { action, endpoint }: { readonly action: CloseAction; readonly endpoint: Endpoint },
): Promise<Channel> {
  const { database } = deps
  const { channelId } = action
  const channel = await readChannel(database.query, channelId)
  if (channel === undefined || channel.seller !== endpoint.payee)
    throw unpaid('channel_not_found', 'no channel of this seller has that id')
  demandWord(action, channel)
  await beginClosing(database.query, channelId, 'asked')
  for (let left = tries; left > 0; left -= 1) {
    const end = await closeChannel(deps, channelId)
    const now = await readChannel(database.query, channelId)
    if (end === 'closed' && now?.status === 'closed') return now
    if (end === 'homeless')
      throw new Refusal(
        409,
        'payer_account_missing',
        'the seller is paid; the rest waits for the token account of the payer, which anybody may make',
      )
    if (end === 'unpayable')
      throw new Refusal(
        409,
        'seller_account_unusable',
        'the channel waits until the token account of its seller takes payments again; what was signed stays good',
      )
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Refusal(503, 'gateway_unavailable', 'the channel is being closed: ask again', { retryAfterSec: 5 })
}

/** Ids of channels are public: who closes one shows a signature of its payer or its signer. */
function demandWord({ channelId, proof, last }: CloseAction, channel: Channel): void {
  if (proof !== undefined && proof.payer === channel.payer && isProved(channelId, proof)) return
  if (channel.voucherSigner === 'client' && last !== undefined) {
    const { signed, signer } = last
    const isOwn = signed.voucher.channelId === channelId && signer === channel.authorizedSigner
    if (isOwn && isSignedVoucher(signed.voucher, signed.signature, signer)) return
  }
  throw unpaid('close_unproven', "a channel is closed with its payer's proof or a voucher of its signer")
}
