import type { ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Page } from '../components/page.tsx'
import { ReadFault } from '../components/read-fault.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { browseInput } from '../features/listings/filter.ts'
import { ListingCard } from '../features/listings/listing-card.tsx'
import { ListingFilters } from '../features/listings/listing-filters.tsx'
import { listingMessages } from '../features/listings/messages.ts'
import { useMessages } from '../lib/i18n.tsx'
import { answerKey, useMarket } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/services')

/** Services at a fixed price, to browse. */
export function ServicesScreen(): ReactNode {
  const say = useMessages(listingMessages)
  const search = route.useSearch()
  return (
    <Page
      title={say('title')}
      lead={say('lead')}
      wide
      actions={<LinkButton to="/my/services">{say('mine')}</LinkButton>}
    >
      <ListingFilters search={search} />
      <ListingList />
    </Page>
  )
}

function ListingList(): ReactNode {
  const say = useMessages(listingMessages)
  const common = useMessages(commonMessages)
  const market = useMarket()
  const input = browseInput(route.useSearch())
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...answerKey('listings.browse', input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      market.listings.browse({ ...input, limit: 24, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    // The first page has no place to go on from.
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
  if (data === undefined)
    return error === null ? <Loading says={common('loading')} /> : <ReadFault of={{ error, refetch }} />
  const listings = data.pages.flatMap((page) => page.listings)
  return (
    <div className="grid gap-4">
      <ReadFault of={{ error, refetch }} />
      <p role="status" className="text-quiet">
        {say('found', { n: data.pages[0]?.total ?? listings.length })}
      </p>
      {listings.length === 0 ? (
        <Empty title={say('none')}>
          <LinkButton to="/services" search={{}}>
            {say('clear')}
          </LinkButton>
        </Empty>
      ) : (
        <ul className="grid gap-3 md:grid-cols-2">
          {listings.map((listing) => (
            <ListingCard key={listing.id} listing={listing} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div>
          <Button
            busy={isFetchingNextPage}
            onClick={() => {
              void fetchNextPage()
            }}
          >
            {common('more')}
          </Button>
        </div>
      )}
    </div>
  )
}
