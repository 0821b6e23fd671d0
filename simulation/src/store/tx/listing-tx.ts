import { lockRows, rowOf, rowsOf, slotsOf } from '../engine/table.ts'
import { insertTask } from '../publish.ts'
import { anything, changeTasks } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type ListingPart = Part<
  | 'lockActiveListings'
  | 'insertListing'
  | 'lockListing'
  | 'changeListing'
  | 'noteOrder'
  | 'orderedSeller'
  | 'openOrder'
  | 'countOrder'
  | 'publish'
>

export function listingTx({ disk, run }: TxDeps): ListingPart {
  const { listings, tasks, workers } = disk.tables
  return {
    async lockActiveListings(sellerExecutorId) {
      await run('tx.lockSeller', (session) =>
        lockRows(session, slotsOf(session, workers.by.pkey, sellerExecutorId), anything, 'no key update'),
      )
      return run(
        'tx.lockActiveListings',
        (session) =>
          rowsOf(session, listings.by.seller, sellerExecutorId, ({ availability }) => availability === 'active').length,
      )
    },
    insertListing: (one) =>
      run('tx.insertListing', async (session) => {
        await listings.insert(session, one)
      }),
    lockListing: (id) =>
      run(
        'tx.lockListing',
        async (session) => (await lockRows(session, slotsOf(session, listings.by.pkey, id), anything))[0] ?? null,
      ),
    changeListing: (id, changes, at) =>
      run('tx.changeListing', async (session) => {
        await listings.update(session, slotsOf(session, listings.by.pkey, id), anything, (row) => ({
          ...row,
          ...changes,
          updatedAt: at,
        }))
      }),
    noteOrder: (taskId, listingId) =>
      run('tx.noteOrder', async (session) => {
        await changeTasks(disk, session, taskId, (row) => ({
          ...row,
          uncountedListing: listingId,
          orderedFrom: listingId,
        }))
      }),
    orderedSeller: (taskId) =>
      run('tx.orderedSeller', (session) => {
        const listingId = rowOf(session, tasks.by.pkey, taskId)?.orderedFrom ?? null
        return listingId === null ? null : (rowOf(session, listings.by.pkey, listingId)?.sellerExecutorId ?? null)
      }),
    openOrder: (taskId) =>
      run('tx.openOrder', async (session) => {
        await changeTasks(disk, session, taskId, (row) => ({ ...row, orderedFrom: null, uncountedListing: null }))
      }),
    countOrder: (taskId) =>
      run('tx.countOrder', async (session) => {
        const listingId = rowOf(session, tasks.by.pkey, taskId)?.uncountedListing ?? null
        if (listingId === null) return
        await changeTasks(disk, session, taskId, (row) => ({ ...row, uncountedListing: null }))
        await listings.update(session, slotsOf(session, listings.by.pkey, listingId), anything, (row) => ({
          ...row,
          ordersCount: row.ordersCount + 1,
        }))
      }),
    publish: (task, event) =>
      run('tx.publish', async (session) => {
        await insertTask(disk, session, task, event, null)
        return task
      }),
  }
}
