import type { Channel } from '@ergon/core'
import type { Session } from '../engine/session.ts'
import { allRows, allSlots, lockRows, rowOf, rowsOf, slotsOf, takeFree, type Slot } from '../engine/table.ts'
import type { ChannelRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { anything } from '../tx/task-tx.ts'
import { sortedBy, type Part, type StoreParts } from './parts.ts'

const over: ReadonlySet<string> = new Set(['completed', 'cancelled', 'expired'])

type ChannelReads = Part<
  | 'meterTerms'
  | 'channelOf'
  | 'channel'
  | 'channelsOf'
  | 'ticksAfter'
  | 'takeTick'
  | 'openOrder'
  | 'leaseChannels'
  | 'leaseChannelAudits'
  | 'forgetTicks'
>

export function channelReads(parts: StoreParts): ChannelReads {
  const { disk, line } = parts
  const { meterTerms, channels, ticks, channelOrders } = disk.tables
  return {
    meterTerms: (taskId) =>
      line.read('meterTerms', (viewer) => rowOf(viewer, meterTerms.by.pkey, taskId)?.terms ?? null),
    channelOf: (taskId) =>
      line.read('channelOf', (viewer) => rowOf(viewer, channels.by.task_id_key, taskId)?.channel ?? null),
    channelsOf: (taskIds) =>
      line.read('channelsOf', (viewer) =>
        [...new Set(taskIds)].flatMap((taskId) => rowOf(viewer, channels.by.task_id_key, taskId)?.channel ?? []),
      ),
    channel: (id) => line.read('channel', (viewer) => rowOf(viewer, channels.by.pkey, id)?.channel ?? null),
    ticksAfter: (channelId, after, limit) =>
      line.read('ticksAfter', (viewer) =>
        rowsOf(viewer, ticks.by.channel, channelId, ({ index }) => index > after)
          .toSorted((one, other) => one.index - other.index)
          .slice(0, limit),
      ),
    openOrder: (channelId) =>
      line.read('openOrder', (viewer) => rowOf(viewer, channelOrders.by.open, channelId) ?? null),
    ...createTurns(parts),
    ...leases(parts),
    forgetTicks: (before, limit) =>
      line.write('forgetTicks', async (session) => {
        const isOver = (channelId: string): boolean =>
          rowOf(session, channels.by.pkey, channelId)?.channel.status === 'reclaimed'
        const old = allRows(session, ticks, ({ at, channelId }) => at < before && isOver(channelId))
        const oldest = sortedBy(old, ({ at }) => at.getTime()).slice(0, limit)
        for (const { id } of oldest) await ticks.remove(session, slotsOf(session, ticks.by.pkey, id), anything)
        const done = allRows(
          session,
          channelOrders,
          ({ sentAt, status, channelId }) => sentAt < before && status !== 'sent' && isOver(channelId),
        )
        const doneFirst = sortedBy(done, ({ sentAt }) => sentAt.getTime()).slice(0, limit)
        for (const { id } of doneFirst)
          await channelOrders.remove(session, slotsOf(session, channelOrders.by.pkey, id), anything)
        return Math.max(oldest.length, doneFirst.length)
      }),
  }
}

/** One tick a transaction: what comes together is nothing that a caller could tell. */
function createTurns({ disk, line }: StoreParts): Part<'takeTick'> {
  const { tasks, workers, channels, ticks } = disk.tables
  return {
    takeTick: (taskId, key, decide) =>
      line.write('takeTick', async (session) => {
        const task = rowOf(session, tasks.by.pkey, taskId)?.task
        if (task === undefined) return decide(null)
        const worker = task.executorId === null ? undefined : rowOf(session, workers.by.pkey, task.executorId)
        const [row] = await lockRows(session, slotsOf(session, channels.by.task_id_key, taskId), anything)
        const channel = row?.channel ?? null
        const isKeyed = channel !== null && key !== null
        const earlier = isKeyed ? (rowOf(session, ticks.by.idempotency, keyOf(channel.id, key)) ?? null) : null
        const ticked = decide({ task: { ...task, workerWallet: worker?.wallet ?? null }, channel, earlier })
        if (ticked.replayed) return ticked
        await ticks.insert(session, ticked.tick)
        const slots = slotsOf(session, channels.by.pkey, ticked.channel.id)
        await channels.update(session, slots, anything, (one) => ({ ...one, channel: ticked.channel }))
        return ticked
      }),
  }
}

function leases({ disk, line }: StoreParts): Part<'leaseChannels' | 'leaseChannelAudits'> {
  const { channels, tasks } = disk.tables
  const take = (session: Session, slots: readonly Slot<ChannelRow>[], by: (row: ChannelRow) => number, limit: number) =>
    takeFree(session, slots, by, limit)
  return {
    leaseChannels: (status, now, until, limit) =>
      line.write('leaseChannels', async (session) => {
        const due = allSlots(session, channels, (row) => row.channel.status === status && row.dueAt <= now.getTime())
        const taken = take(session, due, ({ dueAt }) => dueAt, limit)
        const leased = await channels.update(session, taken, anything, (row) => ({
          ...row,
          channel: tried(row.channel),
          dueAt: until.getTime(),
        }))
        return leased.map(({ channel }) => {
          const task = rowOf(session, tasks.by.pkey, channel.taskId)?.task
          return { channel, isTaskOver: task !== undefined && over.has(task.status) }
        })
      }),
    leaseChannelAudits: (now, until, limit) =>
      line.write('leaseChannelAudits', async (session) => {
        const due = allSlots(
          session,
          channels,
          (row) => row.channel.status !== 'reclaimed' && row.auditDueAt <= now.getTime(),
        )
        const taken = take(session, due, ({ auditDueAt }) => auditDueAt, limit)
        const leased = await channels.update(session, taken, anything, (row) => ({
          ...row,
          auditDueAt: until.getTime(),
        }))
        return leased.map(({ channel }) => channel)
      }),
  }
}

function tried(channel: Channel): Channel {
  const { closing } = channel
  return closing === null ? channel : { ...channel, closing: { ...closing, attempts: closing.attempts + 1 } }
}
