import { lockRows, rowsOf, slotsOf } from '../engine/table.ts'
import { insertTask } from '../publish.ts'
import { anything } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type ListingPart = Part<
  'lockActiveListings' | 'insertListing' | 'lockListing' | 'changeListing' | 'countOrder' | 'publish'
>

export function listingTx({ disk, run }: TxDeps): ListingPart {
  const { listings, workers } = disk.tables
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
    countOrder: (listingId) =>
      run('tx.countOrder', async (session) => {
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
