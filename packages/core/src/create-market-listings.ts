import type { MarketDeps } from './flows/deps.ts'
import { existingListing, postListing, updateListing } from './flows/list-service.ts'
import { orderListing } from './flows/order-service.ts'
import { browseListings, matchListings, ownListings } from './views/listing-views.ts'
import type { ListingMarket } from './market-listings.ts'

/** The listings' part of the market. */
export function createMarketListings(deps: MarketDeps): ListingMarket {
  return {
    postListing: (caller, input) => postListing(deps, caller, input),
    updateListing: (caller, listingId, input) => updateListing(deps, caller, listingId, input),
    readListing: (listingId) => existingListing(deps, listingId),
    browseListings: (filter, sort, page) => browseListings(deps, filter, sort, page),
    ownListings: (caller, page) => ownListings(deps, caller, page),
    matchListings: (caller, taskId, limit) => matchListings(deps, caller, taskId, limit),
    orderListing: (caller, listingId, input) => orderListing(deps, caller, listingId, input),
  }
}
