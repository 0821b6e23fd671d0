import { rowOf, rowsOf } from '../engine/table.ts'
import type { Part, StoreParts } from './parts.ts'

export function newestFirst<R extends { readonly id: string }>(rows: readonly R[]): readonly R[] {
  return rows.toSorted((one, other) => (one.id < other.id ? 1 : -1))
}

export function offerReads({ disk, line }: StoreParts): Part<'offer' | 'offers' | 'rulingOf'> {
  const { offers, rulings } = disk.tables
  return {
    offer: (id) => line.read('offer', (viewer) => rowOf(viewer, offers.by.pkey, id) ?? null),
    offers: (taskId) => line.read('offers', (viewer) => newestFirst(rowsOf(viewer, offers.by.task, taskId))),
    rulingOf: (disputeId) =>
      line.read('rulingOf', (viewer) => rowOf(viewer, rulings.by.dispute_id_key, disputeId) ?? null),
  }
}
