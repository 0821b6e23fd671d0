import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { sceneOf } from '../../art/scene-of.ts'
import { Icon } from '../../components/icon.tsx'
import { Money } from '../../components/money.tsx'
import { Portrait } from '../../components/portrait.tsx'
import { Scene } from '../../components/scene.tsx'
import { Badge, Card } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
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
  return (
    <Card as="li" className="grid content-between gap-3">
      <div className="flex items-start gap-3.5">
        <Scene name={sceneOf[listing.category]} className="size-19 flex-none rounded-xl" />
        <div className="grid min-w-0 flex-1 gap-1">
          <div className="flex items-baseline justify-between gap-4">
            <h2 className="min-w-0 font-sans text-base font-strong wrap-anywhere">
              <Link to="/services/$listingId" params={{ listingId: listing.id }} className="hover:underline">
                {listing.title}
              </Link>
            </h2>
            <Money usd={listing.unit_price_usd} look="card" />
          </div>
          <p className="line-clamp-2 text-quiet wrap-anywhere">{listing.description}</p>
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-dashed border-line pt-3 text-sm">
        <span className="flex min-w-0 items-center gap-2">
          <Portrait
            address={listing.seller_wallet}
            name={listing.seller_name}
            picture={listing.seller_picture_url}
            size={24}
          />
          <span className="flex min-w-0 flex-wrap gap-x-2">
            {listing.seller_name ?? say('seller')} <SellerRecord listing={listing} />
          </span>
        </span>
        {listing.availability === 'paused' ? (
          <Badge tone="warn">{say('paused')}</Badge>
        ) : (
          <span className="text-quiet">{say('orders', { n: listing.orders_count })}</span>
        )}
      </div>
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
  const stars = format.number(score / 20, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <span className="numbers inline-flex flex-wrap items-center gap-x-1 text-quiet">
      <Icon name="star-fill" className="star text-[0.85em]" /> {stars}
      {' · '}
      {say('done', { n: listing.seller_reputation.tasks_completed })}
    </span>
  )
}
