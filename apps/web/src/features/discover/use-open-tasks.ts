import { useEffect, useMemo } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { answerKey, useMarket } from '../../lib/market.tsx'
import { askedOf, isNarrowed, narrow, type Filters, type Found } from '../../lib/filters.ts'

const rowsPerPage = 25
/** How many tasks the app goes through by itself when it has to look at each. */
const mostLookedThrough = 1_000

export type OpenTasks = {
  readonly found: readonly Found[]
  /** How many the service counts, before place and evidence are looked at. */
  readonly total: number | undefined
  /** How many were looked through so far. */
  readonly read: number
  readonly isComplete: boolean
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  readonly error: Error | null
  readonly more: () => void
  readonly retry: () => void
}

/** The open tasks that fit; `whole` reads on by itself until there are no more, as a map needs them. */
export function useOpenTasks(filters: Filters, whole = false): OpenTasks {
  const market = useMarket()
  const asked = askedOf(filters)
  const readsOn = whole || isNarrowed(filters)
  const pages = useInfiniteQuery({
    queryKey: [...answerKey('tasks.available', asked), 'pages', readsOn],
    queryFn: ({ pageParam, signal }) =>
      market.tasks.available(
        { ...asked, limit: readsOn ? 100 : rowsPerPage, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    // The type of a first page parameter cannot be inferred from undefined alone.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.has_more ? (last.next_cursor ?? undefined) : undefined),
    refetchOnWindowFocus: false,
  })
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = pages
  // A task that moved between two pages is shown once.
  const tasks = useMemo(
    () => [...new Map((data?.pages ?? []).flatMap((page) => page.tasks).map((task) => [task.id, task])).values()],
    [data],
  )
  const readsMore = readsOn && hasNextPage && !isFetchNextPageError && tasks.length < mostLookedThrough
  useEffect(() => {
    if (readsMore && !isFetchingNextPage) void fetchNextPage()
  }, [readsMore, isFetchingNextPage, fetchNextPage])
  const found = useMemo(() => narrow(tasks, filters), [tasks, filters])
  return {
    found,
    total: data?.pages[0]?.total,
    read: tasks.length,
    isComplete: data !== undefined && !hasNextPage,
    isLoading: pages.isPending,
    isLoadingMore: isFetchingNextPage,
    error: pages.error,
    more: () => {
      if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
    },
    retry: () => {
      void (data === undefined ? refetch() : fetchNextPage())
    },
  }
}
