import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { Money } from '../../components/money.tsx'
import { Badge, Card } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { listingMessages } from './messages.ts'

export type Listing = Output<'listings.get'>

/** One service in a list; `children` is what its owner can do with it. */
export function ListingCard({
  listing,
  children,
}: {
  readonly listing: Listing
  readonly children?: ReactNode
}): ReactNode {
  const say = useMessages(listingMessages)
  const words = useMessages(wordMessages)
  return (
    <Card as="li" className="grid content-start gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="min-w-0 text-base wrap-anywhere">
          <Link to="/services/$listingId" params={{ listingId: listing.id }} className="hover:underline">
            {listing.title}
          </Link>
        </h2>
        <Money usd={listing.unit_price_usd} className="text-lg" />
      </div>
      <p className="line-clamp-2 text-quiet wrap-anywhere">{listing.description}</p>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {listing.availability === 'paused' && <Badge tone="warn">{say('paused')}</Badge>}
        <Badge>{words(`category.${listing.category}`)}</Badge>
        <SellerRecord listing={listing} />
        <span className="text-quiet">{say('orders', { n: listing.orders_count })}</span>
      </p>
      {children}
    </Card>
  )
}

/** What is known of the seller; a seller without history is new, not bad. */
export function SellerRecord({ listing }: { readonly listing: Listing }): ReactNode {
  const say = useMessages(listingMessages)
  const format = useFormat()
  const score = listing.seller_reputation.effective_reputation_score
  if (!listing.has_reputation_history || score === null) return <span className="text-quiet">{say('newSeller')}</span>
  return (
    <span>{`${say('reputation')} ${format.number(score, { maximumFractionDigits: 0 })} · ${say('done', { n: listing.seller_reputation.tasks_completed })}`}</span>
  )
}
