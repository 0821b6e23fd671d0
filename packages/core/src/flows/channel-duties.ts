import { settleNow, writeOrder, endOrder, isWaitedOut } from './settle-channel.ts'
import type { Channel } from '../channels/channel.ts'
import { inTurns } from './audit-money.ts'
import { close } from './close-channel.ts'
import type { MarketDeps } from './deps.ts'

const batch = 50
/** A payer's grace period is fifteen minutes at the least; its exit is seen long before. */
const watchMs = 10_000
/** Rent can be taken back ten minutes after a channel was opened, and there is no hurry. */
const reclaimMs = 600_000
const dutyWaitMs = 2_000

/** Finishes the end of channels that a crash, a timeout or a slow ledger left. */
export async function settleChannels(deps: MarketDeps): Promise<number> {
  if (deps.channels === undefined) return 0
  const due = await lease(deps, 'closing', deps.settings.leaseMs)
  const done = await inTurns(due, ({ channel }) => settleNow(deps, channel, dutyWaitMs))
  return done.filter(Boolean).length
}

/**
 * Looks at open channels: one whose payer is leaving, or whose task is over, is closed at once, so that its newest
 * voucher is brought while it counts. Answers how many were closed.
 */
export async function watchChannels(deps: MarketDeps): Promise<number> {
  if (deps.channels === undefined) return 0
  const { ledger } = deps.channels
  const due = await lease(deps, 'open', watchMs)
  const closed = await inTurns(due, async ({ channel, isTaskOver }) => {
    if (isTaskOver) return closeNow(deps, channel, 'task')
    const found = await ledger.channel(channel.id).catch(unread)
    return found !== null && found.state !== 'open' && closeNow(deps, channel, 'exit')
  })
  const count = closed.filter(Boolean).length
  if (count > 0) deps.wakeup.settlements()
  return count
}

/** Takes the rent of channels back that are paid out. */
export async function reclaimChannels(deps: MarketDeps): Promise<number> {
  if (deps.channels === undefined) return 0
  const due = await lease(deps, 'settled', reclaimMs)
  const done = await inTurns(due, ({ channel }) => reclaimNow(deps, channel))
  return done.filter(Boolean).length
}

/** One attempt; true when nothing of the channel is left on its ledger. */
export async function reclaimNow(deps: MarketDeps, channel: Channel): Promise<boolean> {
  const ledger = deps.channels?.ledger
  if (ledger === undefined) return false
  try {
    const open = await deps.store.openOrder(channel.id)
    if (open === null && (await ledger.channel(channel.id)).state === 'gone') return await reclaimed(deps, channel)
    const order = open ?? (await writeOrder(deps, channel, 'reclaim'))
    if (order === null) return false
    await ledger.send(order)
    const { state } = await ledger.fate(order, dutyWaitMs)
    if (state === 'unknown') return false
    await endOrder(deps, order, state)
    return state === 'landed' && (await reclaimed(deps, channel))
  } catch (error) {
    return unread(error) !== null
  }
}

async function reclaimed(deps: MarketDeps, { id }: Channel): Promise<true> {
  await deps.store.transaction((tx) => tx.reclaimChannel(id, deps.clock.now()))
  return true
}

function lease(deps: MarketDeps, status: 'open' | 'closing' | 'settled', ms: number) {
  const now = deps.clock.now()
  return deps.store.leaseChannels(status, now, new Date(now.getTime() + ms), batch)
}

async function closeNow(deps: MarketDeps, { taskId }: Channel, reason: 'task' | 'exit'): Promise<boolean> {
  return deps.store.transaction(async (tx) => {
    const current = await tx.lockChannel(taskId)
    if (current?.status !== 'open') return false
    await close(deps, tx, current, { reason }, deps.clock.now())
    return true
  })
}

/** What cannot be read is looked at again. */
function unread(error: unknown): null {
  if (isWaitedOut(error)) return null
  throw error
}
