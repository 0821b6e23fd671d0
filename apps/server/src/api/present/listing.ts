import type { Operations, OutputOf } from '@ergon/contract'
import type { Correlation, Listing, ListingView, Task } from '@ergon/core'
import { done, inFlight, type AnswerOf } from '../../dispatch/handlers.ts'
import { presentCorrelation } from './correlation.ts'
import { instant } from './instant.ts'
import { usd } from './money.ts'
import { pictureUrl } from './picture.ts'

/** With what the seller did for the buyer who asks. */
export function presentListing(listing: ListingView, correlation?: Correlation): OutputOf<Operations['listings.get']> {
  const { sellerReputation: seller } = listing
  return {
    id: listing.id,
    seller_executor_id: listing.sellerExecutorId,
    seller_wallet: listing.sellerWallet,
    seller_name: listing.sellerName,
    seller_picture_url: pictureUrl(listing.sellerPicture),
    title: listing.title,
    description: listing.description,
    category: listing.category,
    unit_price_usd: usd(listing.unitPrice),
    skills: [...listing.skills],
    evidence_schema: [...listing.evidence],
    payment_network: listing.network,
    accepted_networks: [...listing.acceptedNetworks],
    availability: listing.availability,
    orders_count: listing.ordersCount,
    seller_reputation: {
      effective_reputation_score: seller.effective,
      onchain_reputation_score: seller.onchain,
      reputation_score: seller.heuristic,
      tasks_completed: seller.tasksCompleted,
      avg_rating: seller.avgRating,
    },
    seller_correlation: presentCorrelation(correlation),
    has_reputation_history: seller.effective !== null,
    created_at: instant(listing.createdAt),
    updated_at: instant(listing.updatedAt),
  }
}

/** What an order answers: the task that it published. */
/** 202 while the lock is in flight. */
export function answerOrder(task: Task, listing: Listing): AnswerOf<Operations['listings.order']> {
  const body = presentOrder(task, listing)
  return task.status === 'assigning' ? inFlight(body) : done(body)
}

function presentOrder(task: Task, listing: Listing): OutputOf<Operations['listings.order']> {
  return {
    task_id: task.id,
    listing_id: listing.id,
    seller_executor_id: listing.sellerExecutorId,
    bounty_usd: usd(task.bounty),
    escrow_status: task.escrowStatus,
    payment_network: task.bounty.asset.network,
    task_status: task.status,
    deadline: instant(task.deadline),
  }
}
