import type { ReactNode } from 'react'
import type { TaskStatus } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { choiceLink } from '../components/choice-link.ts'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { StatusBadge } from '../components/status.tsx'
import { Card, Empty, Loading } from '../components/surface.tsx'
import { TurnNote } from '../components/turn.tsx'
import { myTasksMessages } from '../features/my-tasks/messages.ts'
import { useMessages } from '../lib/i18n.tsx'
import { answerKey, useMarket } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/my/tasks')
const filters = ['all', 'open', 'running', 'review', 'over'] as const
type Filter = (typeof filters)[number]
const shown: Readonly<Record<Filter, readonly TaskStatus[] | undefined>> = {
  all: undefined,
  open: ['published', 'draft'],
  running: ['assigning', 'accepted', 'in_progress'],
  review: ['submitted', 'verifying', 'disputed'],
  over: ['completed', 'cancelled', 'expired'],
}
const perPage = 50

type Task = Output<'tasks.list'>['tasks'][number]

/**
 * The tasks of the wallet, newest first: what the person published, and what software published with the same wallet.
 */
export function MyTasksScreen(): ReactNode {
  const say = useMessages(myTasksMessages)
  const { wallet } = useSession()
  return (
    <Page
      title={say('title')}
      lead={say('lead')}
      actions={
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/publish" kind="primary">
            {say('publish')}
          </LinkButton>
          <LinkButton to="/my/spend">{say('spend')}</LinkButton>
        </div>
      }
    >
      {wallet === null && <SignedOut what={say('signedOut')} />}
      {wallet === undefined && <SessionUnknown />}
      {typeof wallet === 'string' && <TaskList wallet={wallet} />}
    </Page>
  )
}

function TaskList({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(myTasksMessages)
  const common = useMessages(commonMessages)
  const market = useMarket()
  const { show } = route.useSearch()
  const filter = filters.find((one) => one === show) ?? 'all'
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...answerKey('tasks.list'), 'mine', wallet],
    queryFn: ({ pageParam, signal }) =>
      market.tasks.list(
        { publisher: wallet, limit: perPage, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    // The first page has no place to go on from.
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: 15_000,
  })
  if (error !== null)
    return (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  if (data === undefined) return <Loading says={common('loading')} />
  const wanted = shown[filter]
  const tasks = data.pages.flatMap((page) => page.tasks).filter(({ status }) => wanted?.includes(status) ?? true)
  return (
    <div className="grid gap-4">
      <FilterLinks filter={filter} />
      <p role="status" className="text-quiet">
        {say('total', { n: tasks.length })}
      </p>
      {tasks.length === 0 ? (
        <Empty title={say('none')}>
          <LinkButton to="/publish">{say('publish')}</LinkButton>
        </Empty>
      ) : (
        <ul className="grid gap-3">
          {tasks.map((task) =>
            task.publisher_type === 'human' ? (
              <TaskRow key={task.id} task={task} />
            ) : (
              <SoftwareRow key={task.id} task={task} />
            ),
          )}
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

type FilterLinksProps = {
  readonly filter: Filter
}

function FilterLinks({ filter }: FilterLinksProps): ReactNode {
  const say = useMessages(myTasksMessages)
  return (
    <nav aria-label={say('filter')} className="flex flex-wrap gap-2">
      {filters.map((one) => (
        <Link
          {...choiceLink}
          key={one}
          to="/my/tasks"
          search={one === 'all' ? {} : { show: one }}
          aria-current={one === filter ? 'true' : undefined}
        >
          {say(`filter.${one}`)}
        </Link>
      ))}
    </nav>
  )
}

function TaskRow({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(myTasksMessages)
  const isToReview = task.status === 'submitted' || task.status === 'verifying'
  const applicants = task.status === 'published' ? (task.applications_count ?? 0) : 0
  return (
    <Card as="li" className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-base">
          <Link to="/my/tasks/$taskId" params={{ taskId: task.id }} className="hover:underline">
            {task.title}
          </Link>
        </h2>
        <Money usd={task.bounty_usd} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap items-center gap-2">
          <StatusBadge status={task.status} />
          <TurnNote status={task.status} deadline={task.deadline} as="publisher" applicants={applicants} />
        </span>
        {applicants > 0 && (
          <LinkButton to="/my/tasks/$taskId" params={{ taskId: task.id }} kind="primary">
            {say('choose', { n: applicants })}
          </LinkButton>
        )}
        {isToReview && (
          <LinkButton to="/my/tasks/$taskId/review" params={{ taskId: task.id }} kind="primary">
            {say('review')}
          </LinkButton>
        )}
      </div>
    </Card>
  )
}

/** A session decides nothing about what a signature published (decision 0049), so it offers nothing but to read it. */
function SoftwareRow({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(myTasksMessages)
  return (
    <Card as="li" className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-base">
          <Link to="/tasks/$taskId" params={{ taskId: task.id }} className="hover:underline">
            {task.title}
          </Link>
        </h2>
        <Money usd={task.bounty_usd} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge status={task.status} />
        <span className="text-sm text-quiet">{say('bySoftware')}</span>
      </div>
    </Card>
  )
}
