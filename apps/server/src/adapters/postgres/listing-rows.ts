import { executorReputation, usDollar, type Listing, type ListingView } from '@ergon/core'

export type ListingRow = {
  id: string
  seller_executor_id: string
  title: string
  description: string
  category: Listing['category']
  unit_price_micro_usd: bigint
  skills: string[]
  evidence: Listing['evidence']
  network: string
  accepted_networks: string[]
  availability: Listing['availability']
  orders_count: number
  created_at: Date
  updated_at: Date
}
/** A listing with its seller beside it. */
export type ListingViewRow = ListingRow & {
  seller_wallet: string
  display_name: string | null
  picture: string | null
  onchain_score: number | null
  tasks_completed: number
}

export function toListing(row: ListingRow): Listing {
  return {
    id: row.id,
    sellerExecutorId: row.seller_executor_id,
    title: row.title,
    description: row.description,
    category: row.category,
    unitPrice: { atomic: row.unit_price_micro_usd, asset: usDollar },
    skills: row.skills,
    evidence: row.evidence,
    network: row.network,
    acceptedNetworks: row.accepted_networks,
    availability: row.availability,
    ordersCount: row.orders_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toListingView(row: ListingViewRow): ListingView {
  return {
    ...toListing(row),
    sellerWallet: row.seller_wallet,
    sellerName: row.display_name,
    sellerPicture: row.picture,
    sellerReputation: executorReputation({ onchain: row.onchain_score, tasksCompleted: row.tasks_completed }),
  }
}
