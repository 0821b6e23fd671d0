import { rowOf, rowsOf } from '../engine/table.ts'
import type { Part, StoreParts } from './parts.ts'

export function channelReads({ disk, line }: StoreParts): Part<'meterTerms' | 'channelOf' | 'ticksAfter'> {
  const { meterTerms, channels, ticks } = disk.tables
  return {
    meterTerms: (taskId) =>
      line.read('meterTerms', (viewer) => rowOf(viewer, meterTerms.by.pkey, taskId)?.terms ?? null),
    channelOf: (taskId) => line.read('channelOf', (viewer) => rowOf(viewer, channels.by.task_id_key, taskId) ?? null),
    ticksAfter: (channelId, after, limit) =>
      line.read('ticksAfter', (viewer) =>
        rowsOf(viewer, ticks.by.channel, channelId, ({ index }) => index > after)
          .toSorted((one, other) => one.index - other.index)
          .slice(0, limit),
      ),
  }
}
