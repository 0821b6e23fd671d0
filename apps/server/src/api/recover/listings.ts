import { done } from '../../dispatch/handlers.ts'
import { answerOrder, presentListing } from '../present/listing.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

/** What was created once is shown again, and not created a second time. */
export function recoverListings({ market }: RecoveryDeps): RecoveriesOf<'listings'> {
  return {
    'listings.create': async (_call, _input, { listing }) =>
      listing === undefined ? null : done(presentListing(await market.readListing(listing))),
    'listings.order': async ({ caller }, input, { task }) =>
      task === undefined
        ? null
        : answerOrder(await market.readTask(caller, task), await market.readListing(input.listing_id)),
  }
}
