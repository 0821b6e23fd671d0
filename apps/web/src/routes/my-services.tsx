import type { ReactNode } from 'react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading, Note } from '../components/surface.tsx'
import { ListingCard, type Listing } from '../features/listings/listing-card.tsx'
import { EditListingDialog, NewListingDialog } from '../features/listings/listing-dialogs.tsx'
import { listingMessages } from '../features/listings/messages.ts'
import { useManageListings, type Manage } from '../features/listings/use-manage-listings.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/my/services')
/** Of one seller at once (spec §8); the service counts for itself. */
const listingsMax = 20

/** The services of the person, paused ones included. */
export function MyServicesScreen(): ReactNode {
  const say = useMessages(listingMessages)
  const { wallet } = useSession()
  return (
    <Page title={say('mineTitle')} lead={say('mineLead', { most: listingsMax })}>
      {wallet === null ? (
        <SignedOut what={say('mineOut')} />
      ) : wallet === undefined ? (
        <SessionUnknown />
      ) : (
        <OwnServices />
      )}
    </Page>
  )
}

function OwnServices(): ReactNode {
  const say = useMessages(listingMessages)
  const common = useMessages(commonMessages)
  const navigate = useNavigate()
  const closeDialog = useCloseDialog()
  const { dialog, offset } = route.useSearch()
  const from = Math.max(0, Math.trunc(Number(offset ?? 0)) || 0)
  const { data, error, refetch } = useRead('listings.mine', { limit: 100, offset: from })
  const manage = useManageListings()
  if (error !== null && data === undefined)
    return (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  if (data === undefined) return <Loading says={common('loading')} />
  const active = data.listings.filter((one) => one.availability === 'active').length
  const isFull = active >= listingsMax
  const edited = data.listings.find((one) => one.id === dialog)
  const go = (search: { dialog: string }): void => {
    void navigate({ to: '/my/services', search, resetScroll: false })
  }
  const close = (): void => {
    closeDialog({ to: '/my/services', search: {} })
  }
  return (
    <div className="grid gap-4">
      {data.listings.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="text-quiet">
            {say('cap', { n: active, most: listingsMax })}
          </p>
          <Button kind="primary" disabled={isFull} onClick={() => go({ dialog: 'new' })}>
            {say('offer')}
          </Button>
        </div>
      )}
      {isFull && <Note tone="warn" title={say('capFull', { most: listingsMax })} />}
      {manage.error !== undefined && dialog === undefined && <Failure error={manage.error} />}
      {data.listings.length === 0 ? (
        <Empty title={say('mineNone')}>
          <p>{say('mineNoneHelp')}</p>
          <Button kind="primary" onClick={() => go({ dialog: 'new' })}>
            {say('offer')}
          </Button>
        </Empty>
      ) : (
        <ul className="grid gap-3">
          {data.listings.map((listing) => (
            <ListingCard key={listing.id} listing={listing}>
              <OwnActions listing={listing} manage={manage} isFull={isFull} onEdit={() => go({ dialog: listing.id })} />
            </ListingCard>
          ))}
        </ul>
      )}
      {data.has_more && (
        <div>
          <LinkButton to="/my/services" search={{ offset: String(from + data.count) }}>
            {common('more')}
          </LinkButton>
        </div>
      )}
      <NewListingDialog open={dialog === 'new'} manage={manage} onClose={close} />
      <EditListingDialog listing={edited} manage={manage} onClose={close} />
    </div>
  )
}

type ActionsProps = {
  readonly listing: Listing
  readonly manage: Manage
  readonly isFull: boolean
  readonly onEdit: () => void
}

function OwnActions({ listing, manage, isFull, onEdit }: ActionsProps): ReactNode {
  const say = useMessages(listingMessages)
  const isPaused = listing.availability === 'paused'
  const toggle = (): void => {
    manage.update(
      say(isPaused ? 'resumeIntent' : 'pauseIntent', { title: listing.title }),
      { listing_id: listing.id, availability: isPaused ? 'active' : 'paused' },
      () => undefined,
    )
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={onEdit}>{say('edit')}</Button>
      <Button busy={manage.busy === listing.id} disabled={isPaused && isFull} onClick={toggle}>
        {say(isPaused ? 'resume' : 'pause')}
      </Button>
      <LinkButton to="/services/$listingId" params={{ listingId: listing.id }} kind="quiet">
        {say('see')}
      </LinkButton>
    </div>
  )
}
