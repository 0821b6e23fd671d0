import { lockRows, slotsOf } from '../engine/table.ts'
import { jsonb } from '../jsonb.ts'
import { newestFirst } from '../reads/offer-reads.ts'
import type { Part, TxDeps } from './parts.ts'
import { anything } from './task-tx.ts'

type OfferPart = Part<
  | 'insertOffer'
  | 'lockOffer'
  | 'lockOffers'
  | 'endOffer'
  | 'insertRuling'
  | 'lockRulingOf'
  | 'endRuling'
  | 'appealRuling'
>

/** What two parties offer one another, and what an arbiter ruled. */
export function offerTx({ disk, run }: TxDeps): OfferPart {
  const { offers, rulings } = disk.tables
  return {
    insertOffer: (one) =>
      run('tx.insertOffer', async (session) => {
        await offers.insert(session, { ...one, words: jsonb(one.words), payments: jsonb(one.payments) })
      }),
    lockOffer: (id) =>
      run(
        'tx.lockOffer',
        async (session) => (await lockRows(session, slotsOf(session, offers.by.pkey, id), anything))[0] ?? null,
      ),
    lockOffers: (taskId) =>
      run('tx.lockOffers', async (session) =>
        newestFirst(await lockRows(session, slotsOf(session, offers.by.task, taskId), anything)),
      ),
    endOffer: (id, status, answer, endedAt) =>
      run('tx.endOffer', async (session) => {
        await offers.update(session, slotsOf(session, offers.by.pkey, id), anything, (row) => ({
          ...row,
          status,
          answer: answer ?? row.answer,
          endedAt,
        }))
      }),
    insertRuling: (one) =>
      run('tx.insertRuling', (session) => rulings.insert(session, one, [rulings.by.dispute_id_key])),
    lockRulingOf: (taskId) =>
      run('tx.lockRulingOf', async (session) => {
        const isInForce = ({ status }: { readonly status: string }): boolean => status !== 'overtaken'
        const slots = slotsOf(session, rulings.by.task, taskId, isInForce)
        return (await lockRows(session, slots, isInForce))[0] ?? null
      }),
    endRuling: (id, status, at) =>
      run('tx.endRuling', async (session) => {
        await rulings.update(session, slotsOf(session, rulings.by.pkey, id), anything, (row) => ({
          ...row,
          status,
          endedAt: at,
        }))
      }),
    appealRuling: (id, side, reason) =>
      run('tx.appealRuling', async (session) => {
        await rulings.update(session, slotsOf(session, rulings.by.pkey, id), anything, (row) => ({
          ...row,
          status: 'appealed',
          appealedBy: side,
          appealReason: reason,
        }))
      }),
  }
}
