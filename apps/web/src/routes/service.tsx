import { useState, type ReactNode } from 'react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { PersonChip } from '../components/person.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Badge, Card, Facts, Loading, Note } from '../components/surface.tsx'
import { Moment } from '../components/time.tsx'
import { SellerRecord, type Listing } from '../features/listings/listing-card.tsx'
import { OrderDialog } from '../features/listings/order-dialog.tsx'
import { listingMessages } from '../features/listings/messages.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { wordMessages } from '../messages/words.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/services/$listingId')

/** One service: what the buyer gets, from whom, for how much. */
export function ServiceScreen(): ReactNode {
  const common = useMessages(commonMessages)
  const { listingId } = route.useParams()
  const { data: listing, error, refetch } = useRead('listings.get', { listing_id: listingId })
  if (error !== null && listing === undefined)
    return (
      <Page title={common('notFound')}>
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      </Page>
    )
  if (listing === undefined)
    return (
      <Page title={common('loading')}>
        <Loading says={common('loading')} />
      </Page>
    )
  return <OneService listing={listing} />
}

function OneService({ listing }: { readonly listing: Listing }): ReactNode {
  const say = useMessages(listingMessages)
  const words = useMessages(wordMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  return (
    <Page title={listing.title} wide actions={<Money usd={listing.unit_price_usd} className="text-2xl" />}>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <Card as="section" className="grid gap-4">
          <h2>{say('gets')}</h2>
          <p className="whitespace-pre-wrap wrap-anywhere">{listing.description}</p>
          <Facts
            rows={[
              [say('category'), words(`category.${listing.category}`)],
              [say('proof'), format.list(listing.evidence_schema.map((one) => words(`evidence.${one}`)))],
              ...(listing.skills.length === 0 ? [] : [[say('skillsTitle'), format.list(listing.skills)] as const]),
              [say('networks'), format.list(listing.accepted_networks.map(networkTitle))],
              [say('changed'), <Moment key="changed" at={listing.updated_at} />],
            ]}
          />
        </Card>
        <div className="grid gap-4">
          <OrderPart listing={listing} />
          <Card as="section" className="grid gap-2">
            <h2>{say('seller')}</h2>
            <Seller workerId={listing.seller_executor_id} wallet={listing.seller_wallet} />
            <p>
              <SellerRecord listing={listing} />
            </p>
            <p className="text-quiet">{say('orders', { n: listing.orders_count })}</p>
            <div className="flex flex-wrap gap-2">
              <LinkButton to="/people/$workerId" params={{ workerId: listing.seller_executor_id }}>
                {say('report')}
              </LinkButton>
            </div>
          </Card>
        </div>
      </div>
    </Page>
  )
}

/** Who sells, by name; the address is on the profile. */
function Seller({ workerId, wallet }: { readonly workerId: string; readonly wallet: string }): ReactNode {
  const { data } = useRead('workers.get', { executor_id: workerId }, { staleTime: 60_000 })
  return (
    <PersonChip
      address={wallet}
      party={data?.executor_type}
      name={data?.display_name}
      picture={data?.picture_url}
      size={44}
    />
  )
}

function OrderPart({ listing }: { readonly listing: Listing }): ReactNode {
  const say = useMessages(listingMessages)
  const format = useFormat()
  const navigate = useNavigate()
  const closeDialog = useCloseDialog()
  const { wallet } = useSession()
  const { dialog } = route.useSearch()
  // The price that was seen is what is agreed to; it does not follow a change of the listing.
  const [agreedUsd, setAgreedUsd] = useState(listing.unit_price_usd)
  if (listing.availability === 'paused')
    return (
      <Note tone="warn" title={<Badge tone="warn">{say('paused')}</Badge>}>
        <p>{say('pausedSays')}</p>
      </Note>
    )
  if (wallet === undefined) return <SessionUnknown />
  if (wallet === null) return <SignedOut what={say('signInToOrder')} />
  if (wallet === listing.seller_wallet.toLowerCase())
    return (
      <Note tone="move" title={say('yours')}>
        <div className="mt-1">
          <LinkButton to="/my/services">{say('mine')}</LinkButton>
        </div>
      </Note>
    )
  return (
    <>
      <Button
        kind="primary"
        onClick={() => {
          setAgreedUsd(listing.unit_price_usd)
          void navigate({
            to: '/services/$listingId',
            params: { listingId: listing.id },
            search: { dialog: 'order' },
            resetScroll: false,
          })
        }}
      >
        {say('order', { amount: format.usd(listing.unit_price_usd) })}
      </Button>
      <OrderDialog
        open={dialog === 'order'}
        listing={listing}
        agreedUsd={agreedUsd}
        buyer={wallet}
        onClose={() => {
          closeDialog({ to: '/services/$listingId', params: { listingId: listing.id }, search: {} })
        }}
      />
    </>
  )
}
