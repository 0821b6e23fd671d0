import type { Channel } from '../channels/channel.ts'
import type { ChannelOrder } from '../channels/order.ts'
import { MarketError } from '../errors.ts'
import type { ChannelLedger, LedgerEnd } from '../ports/channel-ledger.ts'
import { retryAfterMs } from '../settlements/settlement.ts'
import { wired } from './bind-channel.ts'
import { confirmChannel, confirmPay } from './confirm-channel.ts'
import type { MarketDeps } from './deps.ts'

/** How an attempt ended: `again` has something new to try at once, `later` has to wait. */
type Step = 'done' | 'again' | 'later'

/** Whose payer has no account is looked at again after so long, or when one of its parties asks. */
const accountWaitMs = 600_000
/** A refused transaction is built anew from what the ledger shows then; more than this a round is a fight. */
const mostSteps = 4

/**
 * Goes on with the end of a closing channel and answers whether it is paid out. Whatever is sent was written down
 * before, and the same bytes are sent until they have landed or never can; only then something else is signed.
 */
export async function settleNow(deps: MarketDeps, channel: Channel, waitMs: number): Promise<boolean> {
  const step = await steps(deps, channel, waitMs)
  if (step === 'done') return true
  const after = channel.paid === null ? retryAfterMs(channel.closing?.attempts ?? 0) : accountWaitMs
  const dueAt = new Date(deps.clock.now().getTime() + after)
  await deps.store.transaction((tx) => tx.channelDueAt(channel.id, 'closing', dueAt))
  return false
}

async function steps(deps: MarketDeps, channel: Channel, waitMs: number): Promise<Step> {
  try {
    for (let tried = 1; tried <= mostSteps; tried += 1) {
      const order = await deps.store.openOrder(channel.id)
      const step = order === null ? await begin(deps, channel, waitMs) : await carryOn(deps, channel, order, waitMs)
      if (step !== 'again') return step
    }
    return 'later'
  } catch (error) {
    if (isWaitedOut(error)) return 'later'
    throw error
  }
}

/** A ledger that cannot be read says nothing, and a frozen account may thaw. */
export function isWaitedOut(error: unknown): boolean {
  const waited: readonly string[] = ['channel_unreadable', 'WORKER_USDC_ATA_UNVERIFIABLE', 'WORKER_USDC_ATA_MISSING']
  return error instanceof MarketError && waited.includes(error.code)
}

/** Nothing of ours is under way: what the ledger shows decides. */
async function begin(deps: MarketDeps, channel: Channel, waitMs: number): Promise<Step> {
  const { ledger } = wired(deps)
  const { state } = await ledger.channel(channel.id)
  if (state === 'distributed' || state === 'gone') {
    const end = await ledger.endOf(channel)
    return end === null ? 'later' : confirmed(deps, channel, end)
  }
  const order = await writeOrder(deps, channel, 'end')
  return order === null ? 'later' : carryOn(deps, channel, order, waitMs)
}

type Asked = Parameters<ChannelLedger['order']>[0]

/** Signs the act and writes it down; null where it cannot be done yet, or another process has begun it. */
export async function writeOrder(deps: MarketDeps, channel: Channel, act: Asked): Promise<ChannelOrder | null> {
  const signed = await wired(deps).ledger.order(act, channel)
  if (signed === null) return null
  const sentAt = deps.clock.now()
  const order: ChannelOrder = { ...signed, id: deps.ids.next(), channelId: channel.id, status: 'sent', sentAt }
  return deps.store.transaction(async (tx) => {
    const current = await tx.lockChannel(channel.taskId)
    if (current?.status !== channel.status) return null
    return (await tx.insertOrder(order)) ? order : null
  })
}

async function carryOn(deps: MarketDeps, channel: Channel, order: ChannelOrder, waitMs: number): Promise<Step> {
  const { ledger } = wired(deps)
  await ledger.send(order)
  const fate = await ledger.fate(order, waitMs)
  if (fate.state === 'unknown') return 'later'
  if (fate.state !== 'landed' || order.act === 'bring') {
    await endOrder(deps, order, fate.state)
    return 'again'
  }
  const end = { ...order, txHash: order.signature, slot: fate.slot }
  if (order.act !== 'pay') return confirmed(deps, channel, end, order)
  await confirmPay(deps, channel, end, order)
  return 'later'
}

export async function endOrder(
  deps: MarketDeps,
  { id }: ChannelOrder,
  status: Parameters<Parameters<Parameters<MarketDeps['store']['transaction']>[0]>[0]['endOrder']>[1],
): Promise<void> {
  await deps.store.transaction((tx) => tx.endOrder(id, status, deps.clock.now()))
}

async function confirmed(
  deps: MarketDeps,
  channel: Channel,
  end: LedgerEnd,
  order: ChannelOrder | null = null,
): Promise<Step> {
  await confirmChannel(deps, channel, end, order)
  return 'done'
}
