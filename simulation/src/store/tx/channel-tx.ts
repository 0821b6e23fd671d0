import { lockRows, rowOf, slotsOf } from '../engine/table.ts'
import { keyOf } from '../schema.ts'
import type { Part, TxDeps } from './parts.ts'
import { anything } from './task-tx.ts'

/** Channels and their ticks, as a transaction writes them. */
export function channelTx({ disk, run }: TxDeps): Part<'insertChannel' | 'lockChannel' | 'tickUnder' | 'addTick'> {
  const { channels, ticks } = disk.tables
  return {
    insertChannel: (channel) =>
      run('tx.insertChannel', (session) =>
        channels.insert(session, channel, [channels.by.pkey, channels.by.task_id_key]),
      ),
    lockChannel: (taskId) =>
      run('tx.lockChannel', async (session) => {
        const [row] = await lockRows(session, slotsOf(session, channels.by.task_id_key, taskId), anything)
        return row ?? null
      }),
    tickUnder: (channelId, key) =>
      run('tx.tickUnder', (session) => rowOf(session, ticks.by.idempotency, keyOf(channelId, key)) ?? null),
    addTick: (tick, measuredUntil) =>
      run('tx.addTick', async (session) => {
        await ticks.insert(session, tick)
        const { cumulative, measured, signature, index: vouchers, at: updatedAt } = tick
        await channels.update(session, slotsOf(session, channels.by.pkey, tick.channelId), anything, (row) => ({
          ...row,
          ...{ cumulative, measured, signature, vouchers, measuredUntil, updatedAt },
        }))
      }),
  }
}
