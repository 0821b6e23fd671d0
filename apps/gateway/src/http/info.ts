import { isSolanaAddress } from '@ergon/channels'
import type { SessionDeps } from '../session/deps.ts'
import { readChannel } from '../store/channels.ts'

export type Info = { readonly status: number; readonly body: object | string }

/** What the gateway tells of itself and of channels, to anybody. Undefined for what is none of these paths. */
export async function tellInfo(deps: SessionDeps, method: string, path: string): Promise<Info | undefined> {
  if (!path.startsWith('/__402/')) return undefined
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: { error: 'method_not_allowed' } }
  if (path === '/__402/health') return { status: 200, body: 'ok' }
  if (path === '/__402/ready') {
    // A database that was made anew answers too, and has no channels.
    const [, recent] = await Promise.all([deps.database.query('select from channels limit 1'), deps.recent()])
    return recent === undefined
      ? { status: 503, body: { error: 'gateway_unavailable' } }
      : { status: 200, body: { slot: recent.slot.toString() } }
  }
  if (path === '/__402/endpoints') return { status: 200, body: { endpoints: endpointsOf(deps) } }
  const [, id] = /^\/__402\/payment-channels\/receipt\/([^/]+)$/.exec(path) ?? []
  if (id !== undefined) return receiptOf(deps, id)
  const [, channelId] = /^\/__402\/channels\/([^/]+)$/.exec(path) ?? []
  return channelId === undefined ? { status: 404, body: { error: 'not_found' } } : channelOf(deps, channelId)
}

function endpointsOf({ config }: SessionDeps): readonly object[] {
  return config.endpoints.map(({ path, price, payee }) => ({
    path: path === '' ? '/' : path,
    amount: price.toString(),
    unitType: 'request',
    currency: config.mint,
    network: config.network,
    seller: payee,
  }))
}

async function receiptOf({ database }: SessionDeps, channelId: string): Promise<Info> {
  const channel = isSolanaAddress(channelId) ? await readChannel(database.query, channelId) : undefined
  const settledSignature = channel?.settlementSignature ?? null
  return { status: 200, body: { settledSignature, finalized: channel?.status === 'closed' } }
}

/** The books of a channel; vouchers and calls are its parties' own. */
async function channelOf({ database }: SessionDeps, channelId: string): Promise<Info> {
  const channel = isSolanaAddress(channelId) ? await readChannel(database.query, channelId) : undefined
  if (channel === undefined) return { status: 404, body: { error: 'channel_not_found' } }
  return {
    status: 200,
    body: {
      channelId,
      status: channel.status,
      seller: channel.seller,
      payer: channel.payer,
      voucherSigner: channel.voucherSigner,
      deposit: channel.deposit.toString(),
      acceptedCumulative: channel.accepted.toString(),
      spent: channel.spent.toString(),
      held: channel.held.toString(),
      settled: channel.settled?.toString() ?? null,
      refunded: channel.refunded?.toString() ?? null,
      settlementSignature: channel.settlementSignature,
      closeReason: channel.closeReason,
    },
  }
}
