import type { Category, EvidenceType, ListingAvailability } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { normalSkills, requireRoom, usDollar, type ListingChanges, type ListingView } from '../listings/listing.ts'
import type { Amount } from '../money/amount.ts'
import { networkNamed, type MarketNetwork } from '../network.ts'
import { readBounty } from '../tasks/bounty.ts'
import type { MarketDeps } from './deps.ts'
import { ownsAddressOn, requireOwnOn } from './own-on.ts'

export type NewListing = {
  readonly title: string
  readonly description: string
  readonly category: Category
  /** Exact decimal text. */
  readonly unitPriceUsd: string
  readonly skills: readonly string[]
  readonly evidence: readonly EvidenceType[]
  /** Null means the deployment's preferred network. */
  readonly network: string | null
  /** Null means every network with escrow. */
  readonly acceptedNetworks: readonly string[] | null
}
export type ListingUpdate = {
  readonly availability?: ListingAvailability
  readonly description?: string
  readonly unitPriceUsd?: string
  readonly skills?: readonly string[]
  readonly evidence?: readonly EvidenceType[]
  readonly acceptedNetworks?: readonly string[]
}

/**
 * Posts a listing. A wallet that never worked here becomes a worker of party agent. Nothing is escrowed (spec §1.7).
 */
export async function postListing(deps: MarketDeps, caller: WalletCaller, input: NewListing): Promise<ListingView> {
  const unitPrice = readPrice(deps, input.unitPriceUsd)
  const acceptedNetworks =
    input.acceptedNetworks === null
      ? payableNetworks(deps, caller)
      : checkedNetworks(deps, caller, input.acceptedNetworks)
  const network = defaultNetwork(deps, caller, input.network, acceptedNetworks)
  await deps.identified(caller)
  const now = deps.clock.now()
  const seller = await deps.store.putWorker({ id: deps.ids.next(), wallet: caller.wallet, at: now })
  const listing = {
    id: deps.ids.next(),
    sellerExecutorId: seller.id,
    title: input.title,
    description: input.description,
    category: input.category,
    unitPrice,
    skills: normalSkills(input.skills),
    evidence: input.evidence,
    network,
    acceptedNetworks,
    availability: 'active',
    ordersCount: 0,
    createdAt: now,
    updatedAt: now,
  } as const
  await deps.store.transaction(async (tx) => {
    requireRoom(await tx.lockActiveListings(seller.id))
    await tx.insertListing(listing)
  })
  return {
    ...listing,
    sellerWallet: seller.wallet,
    sellerName: seller.displayName,
    sellerPicture: seller.picture,
    sellerReputation: seller.reputation,
  }
}

/** Changes what was sent. Going back from paused to active needs room like a new listing does. */
export async function updateListing(
  deps: MarketDeps,
  caller: WalletCaller,
  listingId: string,
  input: ListingUpdate,
): Promise<ListingView> {
  const seen = await existingListing(deps, listingId)
  if (seen.sellerWallet !== caller.wallet) throw new MarketError('FORBIDDEN', { listing_id: listingId })
  const changes = changesOf(deps, caller, input)
  if (changes.acceptedNetworks !== undefined) defaultNetwork(deps, caller, seen.network, changes.acceptedNetworks)
  await deps.store.transaction(async (tx) => {
    const active = await tx.lockActiveListings(seen.sellerExecutorId)
    const listing = await tx.lockListing(listingId)
    if (changes.availability === 'active' && listing?.availability === 'paused') requireRoom(active)
    await tx.changeListing(listingId, changes, deps.clock.now())
  })
  return existingListing(deps, listingId)
}

export async function existingListing(deps: MarketDeps, listingId: string): Promise<ListingView> {
  const listing = await deps.store.listing(listingId)
  if (listing === null) throw new MarketError('LISTING_NOT_FOUND', { listing_id: listingId })
  return listing
}

function changesOf(
  deps: MarketDeps,
  caller: WalletCaller,
  { availability, description, unitPriceUsd, skills, evidence, acceptedNetworks }: ListingUpdate,
): ListingChanges {
  return {
    ...(availability === undefined ? {} : { availability }),
    ...(description === undefined ? {} : { description }),
    ...(unitPriceUsd === undefined ? {} : { unitPrice: readPrice(deps, unitPriceUsd) }),
    ...(skills === undefined ? {} : { skills: normalSkills(skills) }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(acceptedNetworks === undefined ? {} : { acceptedNetworks: checkedNetworks(deps, caller, acceptedNetworks) }),
  }
}

/** A price is the bounty of every order, so a price that no task could carry is refused when it is posted. */
function readPrice({ settings }: MarketDeps, text: string): Amount {
  try {
    return readBounty(text, usDollar, settings.paymentMode, settings.bounds)
  } catch (error) {
    throw error instanceof MarketError
      ? new MarketError(error.code, { ...error.details, field: 'unit_price_usd' }, { cause: error })
      : error
  }
}

/** What has no chain id has no rail for a bounty: it pays by the tick. */
const isPayable = ({ settings }: MarketDeps, network: Pick<MarketNetwork, 'hasEscrow' | 'chainId'>): boolean =>
  network.hasEscrow || (settings.paymentMode === 'fase1' && network.chainId !== null)

function payableNetworks(deps: MarketDeps, caller: WalletCaller): readonly string[] {
  return deps.networks
    .filter((one) => isPayable(deps, one) && ownsAddressOn(deps, caller, one.name))
    .map(({ name }) => name)
}

function checkedNetworks(deps: MarketDeps, caller: WalletCaller, names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (!isPayable(deps, networkNamed(deps.networks, name)))
      throw new MarketError('NETWORK_NO_ESCROW', { network: name })
    requireOwnOn(deps, caller, name)
  }
  return names
}

/** The network of an order that names none; one that the seller does not accept would refuse every such order. */
function defaultNetwork(
  deps: MarketDeps,
  caller: WalletCaller,
  given: string | null,
  accepted: readonly string[],
): string {
  const { preferredNetwork } = deps.settings
  const name = given ?? (accepted.includes(preferredNetwork) ? preferredNetwork : (accepted[0] ?? preferredNetwork))
  checkedNetworks(deps, caller, [name])
  if (!accepted.includes(name))
    throw new MarketError(
      'NETWORK_NOT_ACCEPTED',
      { field: 'payment_network', network: name, accepted },
      { message: 'payment_network is not one of the accepted networks of the listing.' },
    )
  return name
}
