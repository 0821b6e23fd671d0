import { useCallback, useEffect, useMemo } from 'react'
import type { Party } from '@ergon/contract'
import type { OperationsClient, Output } from '@ergon/sdk'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { keepPlace, readPlace, watchPlace } from '../../lib/live-place.ts'
import { answerKey, useMarket, useRead } from '../../lib/market.tsx'
import type { Titled } from '../../lib/session-task.ts'
import { useSession } from '../../wallet/wallet.tsx'
import { isNews, partIn, type NewsEvent, type Part, type Sides } from './news.ts'

const perRead = 500
/** A longer past is not gone through; the list then begins where the person last read. */
const mostReads = 10

type Read = {
  readonly events: readonly NewsEvent[]
  /** Behind everything here. */
  readonly place: string
  readonly isCut: boolean
}
export type News = NewsEvent & {
  readonly part: Part | undefined
  /** What it happened to, as far as that has a title. */
  readonly about: Titled | undefined
  readonly isOwnStep: boolean
  /** Whom it is about, beside the reader. */
  readonly other: Other | undefined
}
/** The other side: a worker is known by its id, the publisher of a task of the reader by what the task says. */
export type Other =
  | { readonly workerId: string }
  | {
      readonly name: string | null
      readonly wallet: string
      readonly party: Party
      readonly picture: string | null
    }

async function readFrom(market: OperationsClient, from: string | undefined, signal: AbortSignal): Promise<Read> {
  const events: NewsEvent[] = []
  let place = from
  for (let reads = 0; ; reads += 1) {
    const page: Output<'events.list'> = await market.events.list(
      { scope: 'mine', limit: perRead, ...(place === undefined ? {} : { cursor: place }) },
      { signal },
    )
    // The catalogue of the contract says which types there are.
    events.push(...(page.events as readonly NewsEvent[]))
    place = page.next_cursor
    if (!page.has_more || reads + 1 >= mostReads) return { events, place, isCut: page.has_more }
  }
}

/**
 * What happened behind the place up to which this person has read in this browser; a first visit begins with nothing
 * new.
 */
function useUnreadEvents(wallet: string): UseQueryResult<Read> {
  const market = useMarket()
  const queries = useQueryClient()
  const key = useMemo(() => [...answerKey('events.list'), 'unread', wallet], [wallet])
  useEffect(
    () =>
      watchPlace('read', wallet, () => {
        void queries.invalidateQueries({ queryKey: key })
      }),
    [queries, key, wallet],
  )
  return useQuery<Read>({
    queryKey: key,
    async queryFn({ signal }) {
      const read = readPlace('read', wallet)
      if (read !== undefined) return readFrom(market, read, signal)
      const { next_cursor: place } = await market.events.list({ cursor: 'now', limit: 1 }, { signal })
      keepPlace('read', wallet, place)
      return { events: [], place, isCut: false }
    },
  })
}

type Known = { readonly sides: Sides; readonly tasks: ReadonlyMap<string, Output<'tasks.list'>['tasks'][number]> }

/** The tasks of the reader, on either side: what they are called, and which side it is. */
function useOwnTasks(isNeeded: boolean): Known & { readonly isSettled: boolean } {
  const { wallet, workerId } = useSession()
  const published = useRead(
    'tasks.list',
    { publisher: wallet ?? '', limit: 100 },
    { enabled: isNeeded && typeof wallet === 'string' },
  )
  const worked = useRead(
    'workers.tasks',
    { executor_id: workerId ?? '', limit: 100 },
    { enabled: isNeeded && workerId !== null },
  )
  const known = useMemo<Known>(() => {
    const [own, theirs] = [published.data?.tasks ?? [], worked.data?.tasks ?? []]
    return {
      tasks: new Map([...theirs, ...own].map((task) => [task.id, task])),
      sides: { workerId, published: new Set(own.map(({ id }) => id)), worked: new Set(theirs.map(({ id }) => id)) },
    }
  }, [published.data, worked.data, workerId])
  return { ...known, isSettled: !published.isLoading && !worked.isLoading }
}

/** How much is new: undefined while nobody knows. */
export function useUnreadCount(wallet: string): { readonly count: number | undefined; readonly isMore: boolean } {
  const { data } = useUnreadEvents(wallet)
  const { sides, isSettled } = useOwnTasks(data !== undefined && data.events.length > 0)
  if (data === undefined || !isSettled) return { count: undefined, isMore: false }
  return { count: data.events.filter((event) => isNews(event, partIn(event, sides))).length, isMore: data.isCut }
}

export type NewsFeed = {
  readonly news: readonly News[] | undefined
  readonly error: Error | null
  readonly retry: () => void
  readonly isCut: boolean
  readonly unread: ReadonlySet<string>
  readonly markRead: () => void
}

/** Everything that concerns the reader, newest first. */
export function useNews(wallet: string): NewsFeed {
  const market = useMarket()
  const queries = useQueryClient()
  const unread = useUnreadEvents(wallet)
  const { data, error, refetch } = useQuery<Read>({
    queryKey: [...answerKey('events.list'), 'news', wallet],
    async queryFn({ signal }) {
      const all = await readFrom(market, undefined, signal)
      return all.isCut
        ? { ...(await readFrom(market, readPlace('read', wallet) ?? all.place, signal)), isCut: true }
        : all
    },
  })
  const { sides, tasks, isSettled } = useOwnTasks(true)
  const news = useMemo(
    () =>
      data === undefined || !isSettled
        ? undefined
        : data.events.map((event) => newsOf(event, sides, tasks)).toReversed(),
    [data, isSettled, sides, tasks],
  )
  const place = unread.data?.place
  const markRead = useCallback(() => {
    if (place === undefined) return
    keepPlace('read', wallet, place)
    void queries.invalidateQueries({ queryKey: [...answerKey('events.list'), 'unread', wallet] })
  }, [place, wallet, queries])
  const ids = useMemo(() => new Set(unread.data?.events.map(({ id }) => id)), [unread.data])
  return {
    news,
    error,
    retry: () => {
      void refetch()
    },
    isCut: data?.isCut ?? false,
    unread: ids,
    markRead,
  }
}

function newsOf(event: NewsEvent, sides: Sides, tasks: Known['tasks']): News {
  const part = partIn(event, sides)
  const { task_id: taskId, title = event.data['name'], executor_id: workerId } = event.data
  const task = typeof taskId === 'string' ? tasks.get(taskId) : undefined
  return {
    ...event,
    part,
    about: typeof title === 'string' ? (task?.title === title ? task : { title }) : task,
    isOwnStep: !isNews(event, part),
    other: part === undefined ? undefined : otherOf(task, part, typeof workerId === 'string' ? workerId : undefined),
  }
}

function otherOf(
  task: Output<'tasks.list'>['tasks'][number] | undefined,
  part: Part,
  named: string | undefined,
): Other | undefined {
  if (part === 'publisher') {
    const workerId = named ?? task?.executor_id
    return typeof workerId === 'string' ? { workerId } : undefined
  }
  return task === undefined
    ? undefined
    : {
        name: task.publisher_name,
        wallet: task.agent_id,
        party: task.publisher_type,
        picture: task.publisher_picture_url,
      }
}
