import type { Category, EvidenceType, ListingAvailability } from '@ergon/contract'
import { MarketError } from '../errors.ts'
import type { Amount, Asset } from '../money/amount.ts'
import type { ExecutorReputation } from '../tasks/task.ts'

/**
 * What a worker offers to do for a fixed price. Discovery only: no money is bound to it until it is ordered (spec
 * §1.7).
 */
export type Listing = {
  readonly id: string
  readonly sellerExecutorId: string
  readonly title: string
  readonly description: string
  readonly category: Category
  readonly unitPrice: Amount
  readonly skills: readonly string[]
  readonly evidence: readonly EvidenceType[]
  /** Where an order is paid unless the buyer chooses another of the accepted networks. */
  readonly network: string
  readonly acceptedNetworks: readonly string[]
  readonly availability: ListingAvailability
  readonly ordersCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
}
export type ListingView = Listing & {
  readonly sellerWallet: string
  /** What the seller calls itself. */
  readonly sellerName: string | null
  readonly sellerPicture: string | null
  readonly sellerReputation: ExecutorReputation
}
export type ListingChanges = Partial<
  Pick<Listing, 'availability' | 'description' | 'unitPrice' | 'skills' | 'evidence' | 'acceptedNetworks'>
>

/** A price is in dollars; which stablecoin pays it is known when it is ordered. */
export const usDollar: Asset = { symbol: 'USD', network: 'any', decimals: 6 }

/** Active listings one seller may have; pausing one makes room for another (spec §8). */
const listingsPerSeller = 20

/** @throws LISTING_CAP_REACHED when a seller with this many active listings has no room for one more. */
export function requireRoom(active: number): void {
  if (active >= listingsPerSeller) throw new MarketError('LISTING_CAP_REACHED', { limit: listingsPerSeller, active })
}

/** Skills are compared as lowercase words; said twice is said once. */
export function normalSkills(skills: readonly string[]): readonly string[] {
  return [...new Set(skills.map((skill) => skill.trim().toLowerCase()).filter((skill) => skill !== ''))]
}

const titleMax = 255

/** What an order's task is called, cut where a task's title ends. */
export function orderTitle(listing: Listing): string {
  return Array.from(`Order: ${listing.title}`).slice(0, titleMax).join('')
}

/** The listing's description, then what this buyer asks beyond it. */
export function orderInstructions(listing: Listing, custom: string | null): string {
  return custom === null ? listing.description : `${listing.description}\n\n${custom}`
}
