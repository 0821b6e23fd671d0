import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { Loading } from '../components/surface.tsx'
import { DiscoverFrame, ViewLinks } from '../features/discover/discover-frame.tsx'
import { readFilters } from '../lib/filters.ts'
import { discoverMessages } from '../features/discover/messages.ts'
import { NearName } from '../features/discover/near-name.tsx'
import { NothingFound } from '../features/discover/nothing-found.tsx'
import { TaskList } from '../features/discover/task-list.tsx'
import { TaskMap } from '../features/discover/task-map.tsx'
import { useOpenTasks } from '../features/discover/use-open-tasks.ts'
import { Button } from '../components/button.tsx'
import { writeBox, type Box } from '../lib/geo.ts'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/map')
const nothingMore = (): void => undefined

/** The open tasks that have a place, on a map and beside it in words. */
export function DiscoverMapScreen(): ReactNode {
  const say = useMessages(discoverMessages)
  const common = useMessages(commonMessages)
  const search = route.useSearch()
  const filters = useMemo(() => readFilters(search), [search])
  const { found, total, read, isLoading, isLoadingMore, isComplete, error, retry } = useOpenTasks(filters, true)
  const placed = useMemo(() => found.filter(({ task }) => task.area !== null), [found])
  const [marked, setMarked] = useState<string>()
  const searchBox = useSearchBox()
  const anywhere = found.length - placed.length
  return (
    <Page wide title={say('mapTitle')} lead={say('mapLead')} beside actions={<ViewLinks search={search} />}>
      <DiscoverFrame
        at="/map"
        search={search}
        count={
          <>
            <p role="status" className="numbers min-h-6 text-quiet">
              {total === undefined
                ? ''
                : [
                    say('onMap', { count: placed.length }),
                    ...(isComplete ? [] : [say('lookedThrough', { read, total })]),
                  ].join(' · ')}
            </p>
            <NearName near={filters.near} />
            {filters.box !== undefined && (
              <Button
                onClick={() => {
                  searchBox(undefined)
                }}
              >
                {say('wholeMap')}
              </Button>
            )}
          </>
        }
      >
        {anywhere > 0 && (
          <p className="text-quiet">
            {say('anywhere', { count: anywhere })}{' '}
            <Link to="/find" search={search} className="link">
              {say('seeList')}
            </Link>
          </p>
        )}
        {error !== null && <Failure error={error} retry={retry} />}
        <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-cols-[28rem_minmax(0,1fr)]">
          <div className="min-w-0 wide:sticky wide:top-20 wide:order-last">
            <TaskMap found={placed} filters={filters} marked={marked} onMark={setMarked} onSearchBox={searchBox} />
          </div>
          <div className="min-w-0">
            {isLoading && <Loading says={common('loading')} rows={3} />}
            {isComplete && placed.length === 0 && <NothingFound at="/map" search={search} />}
            {placed.length > 0 && (
              <TaskList
                found={placed}
                total={isComplete ? placed.length : undefined}
                isLoadingMore={isLoadingMore}
                more={nothingMore}
                marked={marked}
                onMark={setMarked}
              />
            )}
          </div>
        </div>
      </DiscoverFrame>
    </Page>
  )
}

/** Puts the part of the map that is searched into the address, or takes it out. */
function useSearchBox(): (box: Box | undefined) => void {
  const search = route.useSearch()
  const navigate = useNavigate()
  return useCallback(
    (box) => {
      const next = { ...search, box: box === undefined ? undefined : writeBox(box) }
      void navigate({ to: '/map', search: next, replace: true, resetScroll: false })
    },
    [navigate, search],
  )
}
