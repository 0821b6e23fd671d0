import { limits, type InputOf, type Operations } from '@ergon/contract'
import type { Caller, ListingUpdate, ListingView, NewListing, OrderInput } from '@ergon/core'
import { done, type Call, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { answerOrder, presentListing } from './present/listing.ts'
import { movingPageRequest, pageFields, pageRequest, sliceFields, sliceOf } from './present/page.ts'

export function createListingHandlers({ market }: ApiDeps): HandlersOf<'listings'> {
  const presented = async (
    caller: Caller,
    listings: readonly ListingView[],
  ): Promise<ReturnType<typeof presentListing>[]> => {
    const known = await market.correlations(
      caller,
      listings.map((one) => one.sellerExecutorId),
    )
    return listings.map((one) => presentListing(one, known.get(one.sellerExecutorId)))
  }
  return {
    'listings.create': async (call, input) =>
      done(presentListing(await market.postListing(call.caller, newListing(call, input)))),
    'listings.browse': async (call, input) => {
      const filter = {
        category: input.category ?? null,
        skills: input.skills?.split(',') ?? null,
        seller: input.seller?.toLowerCase() ?? null,
        minReputation: input.min_reputation ?? null,
        maxPriceUsd: call.exact('max_price_usd') ?? null,
      }
      const page = await market.browseListings(filter, input.sort ?? 'recent', movingPageRequest(input))
      return done({ listings: await presented(call.caller, page.rows), ...pageFields(page) })
    },
    'listings.mine': async ({ caller }, input) => {
      const page = await market.ownListings(caller, pageRequest(input))
      return done({ listings: page.rows.map((one) => presentListing(one)), ...pageFields(page) })
    },
    'listings.match': async ({ caller }, input) => {
      const found = await market.matchListings(caller, input.task_id, sliceOf(input))
      return done({ task_id: input.task_id, listings: await presented(caller, found.rows), ...sliceFields(found) })
    },
    'listings.get': async ({ caller }, input) => {
      const listing = await market.readListing(input.listing_id)
      const [shown = presentListing(listing)] = await presented(caller, [listing])
      return done(shown)
    },
    'listings.update': async (call, input) =>
      done(presentListing(await market.updateListing(call.caller, input.listing_id, listingUpdate(call, input)))),
    'listings.order': async (call, input) => {
      const { task, listing } = await market.orderListing(call.caller, input.listing_id, orderInput(call, input))
      return answerOrder(task, listing)
    },
  }
}

function newListing(call: Call<unknown>, input: InputOf<Operations['listings.create']>): NewListing {
  return {
    title: input.title,
    description: input.description,
    category: input.category,
    unitPriceUsd: call.exact('unit_price_usd') ?? String(input.unit_price_usd),
    skills: input.skills ?? [],
    evidence: input.evidence_schema ?? ['text_response'],
    network: input.payment_network ?? null,
    acceptedNetworks: input.accepted_networks ?? null,
  }
}

/** Only what was sent changes. */
function listingUpdate(
  call: Call<unknown>,
  {
    availability,
    description,
    unit_price_usd,
    skills,
    evidence_schema,
    accepted_networks,
  }: InputOf<Operations['listings.update']>,
): ListingUpdate {
  return {
    ...(availability === undefined ? {} : { availability }),
    ...(description === undefined ? {} : { description }),
    ...(unit_price_usd === undefined ? {} : { unitPriceUsd: call.exact('unit_price_usd') ?? String(unit_price_usd) }),
    ...(skills === undefined ? {} : { skills }),
    ...(evidence_schema === undefined ? {} : { evidence: evidence_schema }),
    ...(accepted_networks === undefined ? {} : { acceptedNetworks: accepted_networks }),
  }
}

function orderInput(call: Call<unknown>, input: InputOf<Operations['listings.order']>): OrderInput {
  return {
    bountyUsd: call.exact('bounty_usd_override') ?? null,
    deadlineHours: input.deadline_hours ?? limits.deadlineHoursDefault,
    instructions: input.custom_instructions ?? null,
    network: input.payment_network ?? null,
    paymentAuth: input.payment_auth ?? null,
  }
}
