import { useMemo, type ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Failure } from '../components/failure.tsx'
import { InSlices } from '../components/in-slices.tsx'
import { Page } from '../components/page.tsx'
import { Loading } from '../components/surface.tsx'
import { DiscoverFrame, ViewLinks } from '../features/discover/discover-frame.tsx'
import { isFiltered, readFilters } from '../lib/filters.ts'
import { FoundCount } from '../features/discover/found-count.tsx'
import { discoverMessages } from '../features/discover/messages.ts'
import { NearName } from '../features/discover/near-name.tsx'
import { NothingFound } from '../features/discover/nothing-found.tsx'
import { TaskList } from '../features/discover/task-list.tsx'
import { useOpenTasks } from '../features/discover/use-open-tasks.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/find')

/** The open tasks, for everyone who looks for work. */
export function DiscoverScreen(): ReactNode {
  const say = useMessages(discoverMessages)
  const common = useMessages(commonMessages)
  const search = route.useSearch()
  const filters = useMemo(() => readFilters(search), [search])
  const tasks = useOpenTasks(filters)
  const { found, isLoading, isLoadingMore, isComplete, error } = tasks
  // What reaches the worker is said on every card: asked for at the same time, so that no card is drawn twice.
  const fees = useRead('payments.fees', {}, { staleTime: Infinity })
  const isEmpty = found.length === 0 && isComplete
  return (
    <Page wide title={say('title')} lead={say('lead')} beside actions={<ViewLinks search={search} />}>
      <InSlices>
        <DiscoverFrame
          at="/find"
          search={search}
          count={
            <>
              <FoundCount tasks={tasks} filters={filters} />
              <NearName near={filters.near} />
              {(isFiltered(search) || search['box'] !== undefined) && (
                <Link to="/notifications" search={{ ...search, save: 'yes' }} className="link">
                  {say('saveSearch')}
                </Link>
              )}
            </>
          }
        >
          {(isLoading || (fees.isPending && !isEmpty)) && <Loading says={common('loading')} rows={5} />}
          {isEmpty && <NothingFound at="/find" search={search} />}
          {found.length > 0 && !fees.isPending && (
            <TaskList
              found={found}
              total={isComplete ? found.length : undefined}
              isLoadingMore={isLoadingMore}
              more={tasks.more}
            />
          )}
          {error !== null && <Failure error={error} retry={tasks.retry} />}
        </DiscoverFrame>
      </InSlices>
    </Page>
  )
}
