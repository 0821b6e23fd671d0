import type { Channel, Task } from '@ergon/core'
import type { Session } from '../engine/session.ts'
import { allRows, lockNamed, lockRows, slotsOf } from '../engine/table.ts'
import type { ChannelRow } from '../rows.ts'
import type { Part, TxDeps } from './parts.ts'
import { anything } from './task-tx.ts'

/** Channels and their ticks, as a transaction writes them. */
export function channelTx(deps: TxDeps): Part<'insertChannel' | 'lockChannel' | 'lockLiveStreams'> & Ends {
  const { disk, run } = deps
  const { channels, tasks } = disk.tables
  const isLive = ({ status, evidenceRequired }: Task): boolean => status === 'accepted' && evidenceRequired.length === 0
  return {
    lockLiveStreams: async (wallet) => {
      await run('tx.lockStreams', (session) => lockNamed(session, disk.named(`streams of ${wallet}`)))
      const isOwn = ({ task }: { readonly task: Task }): boolean => task.publisherWallet === wallet && isLive(task)
      return run('tx.liveStreams', (session) => allRows(session, tasks, isOwn).length)
    },
    insertChannel: (channel) =>
      run('tx.insertChannel', (session) => {
        const at = channel.boundAt.getTime()
        const row = { channel, dueAt: at, auditDueAt: at }
        return channels.insert(session, row, [channels.by.pkey, channels.by.task_id_key])
      }),
    lockChannel: (taskId) =>
      run('tx.lockChannel', async (session) => {
        const [row] = await lockRows(session, slotsOf(session, channels.by.task_id_key, taskId), anything)
        return row?.channel ?? null
      }),
    ...channelEnds(deps),
  }
}

type Ends = Part<'closeChannel' | 'channelDueAt' | 'insertOrder' | 'endOrder' | 'settleChannel' | 'reclaimChannel'>

async function change(
  { disk }: TxDeps,
  session: Session,
  id: string,
  where: (row: ChannelRow) => boolean,
  to: (row: ChannelRow) => ChannelRow,
): Promise<void> {
  const { channels } = disk.tables
  await channels.update(session, slotsOf(session, channels.by.pkey, id, where), where, to)
}

const isIn =
  (status: Channel['status']) =>
  ({ channel }: ChannelRow): boolean =>
    channel.status === status

/** How a channel ends. */
function channelEnds(deps: TxDeps): Ends {
  const { run, disk } = deps
  const { channelOrders } = disk.tables
  return {
    closeChannel: (id, closing, dueAt) =>
      run('tx.closeChannel', (session) =>
        change(deps, session, id, isIn('open'), (row) => ({
          ...row,
          dueAt: dueAt.getTime(),
          channel: { ...row.channel, status: 'closing', closing, updatedAt: closing.at },
        })),
      ),
    channelDueAt: (id, status, dueAt) =>
      run('tx.channelDueAt', (session) =>
        change(deps, session, id, isIn(status), (row) => ({ ...row, dueAt: dueAt.getTime() })),
      ),
    insertOrder: (order) =>
      run('tx.insertOrder', (session) =>
        channelOrders.insert(session, order, [
          channelOrders.by.pkey,
          channelOrders.by.open,
          channelOrders.by.signature_key,
        ]),
      ),
    endOrder: (id, status) =>
      run('tx.endOrder', async (session) => {
        const isSent = (row: { readonly status: string }): boolean => row.status === 'sent'
        const slots = slotsOf(session, channelOrders.by.pkey, id, isSent)
        await channelOrders.update(session, slots, isSent, (row) => ({ ...row, status }))
      }),
    settleChannel: (id, deposit, end, dueAt) =>
      run('tx.settleChannel', (session) =>
        change(deps, session, id, isIn('closing'), ({ channel, ...row }) => ({
          ...row,
          dueAt: dueAt.getTime(),
          channel: {
            ...channel,
            status: 'settled',
            deposit,
            end,
            updatedAt: end.at,
            closing: channel.closing === null ? null : { ...channel.closing, attempts: 0 },
          },
        })),
      ),
    reclaimChannel: (id, updatedAt) =>
      run('tx.reclaimChannel', (session) =>
        change(deps, session, id, isIn('settled'), (row) => ({
          ...row,
          channel: { ...row.channel, status: 'reclaimed', updatedAt },
        })),
      ),
  }
}
