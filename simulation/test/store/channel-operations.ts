import { MarketError, type Store, type Tx } from '@ergon/core'
import { sortedByText } from './driver.ts'
import { channel, channelId, channelOrder, later, publisherWallet, taskId, tick, workerWallet } from './fixture.ts'
import type { Operations } from './operations.ts'

const sorted = async (rows: Promise<readonly unknown[]>): Promise<unknown> =>
  sortedByText((await rows).map((row) => row))

/** What a transaction asks of channels. */
export const channelTxOperations: Operations<Tx> = {
  lockLiveStreams: (tx, { w }) => tx.lockLiveStreams(w === 0 ? publisherWallet : workerWallet(w)),
  insertChannel: (tx, { t, w, n, b }) => tx.insertChannel(channel(b ? 0 : n, t, w)),
  lockChannel: (tx, { t }) => tx.lockChannel(taskId(t)),
  closeChannel: (tx, { n, b }) =>
    tx.closeChannel(
      channelId(0),
      {
        ...{ reason: 'worker', at: later(n), submissionId: null, attempts: 0 },
        rating: b ? { score: 90, comment: null } : null,
      },
      later(n + 2),
    ),
  channelDueAt: (tx, { n, b }) => tx.channelDueAt(channelId(0), b ? 'closing' : 'open', later(n)),
  insertOrder: (tx, { n }) => tx.insertOrder(channelOrder(n)),
  endOrder: (tx, { n, k, b }) => tx.endOrder(channelOrder(k).id, b ? 'landed' : 'expired', later(n)),
  settleChannel: (tx, { n, b }) =>
    tx.settleChannel(
      channelId(0),
      10n ** 12n + (b ? 1n : 0n),
      { settled: 7n, txHash: `tx ${String(n)}`, slot: BigInt(n), at: later(n) },
      later(n + 1),
    ),
  reclaimChannel: (tx, { n }) => tx.reclaimChannel(channelId(0), later(n)),
}

/** What is asked of channels by itself. */
export const channelStoreOperations: Operations<Store> = {
  channelsOf: (store, { t, n }) =>
    store.channelsOf([taskId(t), taskId(n)]).then((all) => all.map(({ id }) => id).toSorted()),
  channel: (store, { n, b }) => store.channel(channelId(b ? 0 : n)),
  openOrder: (store) => store.openOrder(channelId(0)),
  leaseChannels: (store, { n, k }) =>
    sorted(
      store
        .leaseChannels((['open', 'closing', 'settled'] as const)[k % 3] ?? 'open', later(n), later(n + 5), 2)
        .then((due) =>
          due.map(({ channel: { id, status, closing }, isTaskOver }) => ({ id, status, closing, isTaskOver })),
        ),
    ),
  leaseChannelAudits: (store, { n }) =>
    sorted(store.leaseChannelAudits(later(n), later(n + 9), 2).then((due) => due.map(({ id, end }) => ({ id, end })))),
  forgetTicks: (store, { n, k }) => store.forgetTicks(later(n), 1 + k),
  ticksAfter: (store, { k }) => store.ticksAfter(channelId(0), k, 3),
  takeTick: (store, { t, n, k, b }) =>
    store.takeTick(taskId(t), b ? `tick ${String(k % 3)}` : null, (turn) => {
      const { task = null, channel: found = null, earlier = null } = turn ?? {}
      if (found === null || task === null) throw new MarketError('no_channel_bound', { task_id: task?.id ?? '' })
      if (earlier !== null) return { tick: earlier, channel: found, replayed: true }
      const next = { ...tick(n, b ? `tick ${String(k % 3)}` : null), channelId: found.id }
      const { cumulative, measured, signature, index: vouchers, at: updatedAt } = next
      const raised = { ...found, cumulative, measured, signature, vouchers, updatedAt, measuredUntil: later(n + 1) }
      return { tick: next, channel: raised, replayed: false }
    }),
}
