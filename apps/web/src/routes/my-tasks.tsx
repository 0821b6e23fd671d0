import type { ReactNode } from 'react'
import type { TaskStatus } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { sceneOf } from '../art/scene-of.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { choiceLink } from '../components/choice-link.ts'
import { Money } from '../components/money.tsx'
import { Page } from '../components/page.tsx'
import { ReadFault } from '../components/read-fault.tsx'
import { Scene } from '../components/scene.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SessionRow } from '../components/session-row.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { StatusBadge } from '../components/status.tsx'
import { Card, Empty, Loading } from '../components/surface.tsx'
import { TimeLeft } from '../components/time-left.tsx'
import { TurnNote } from '../components/turn.tsx'
import { myTasksMessages } from '../features/my-tasks/messages.ts'
import { useMessages } from '../lib/i18n.tsx'
import { answerKey, useMarket } from '../lib/market.tsx'
import { readWords, type Search } from '../lib/search.ts'
import { isSession } from '../lib/session-task.ts'
import { isTurnOf } from '../lib/turn.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { turnMessages } from '../messages/turns.ts'
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
          <LinkButton to="/publish/many">{say('many')}</LinkButton>
          <LinkButton to="/my/spend" kind="quiet">
            {say('spend')}
          </LinkButton>
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
  const search = route.useSearch()
  const { show } = search
  const q = readWords(search['q'])
  const filter = filters.find((one) => one === show) ?? 'all'
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...answerKey('tasks.list'), 'mine', wallet, q ?? ''],
    queryFn: ({ pageParam, signal }) =>
      market.tasks.list(
        {
          publisher: wallet,
          limit: perPage,
          ...(q === undefined ? {} : { q }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    // The first page has no place to go on from.
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  })
  if (data === undefined)
    return error === null ? <Loading says={common('loading')} /> : <ReadFault of={{ error, refetch }} />
  const wanted = shown[filter]
  const tasks = data.pages.flatMap((page) => page.tasks).filter(({ status }) => wanted?.includes(status) ?? true)
  return (
    <div className="grid gap-4">
      <ReadFault of={{ error, refetch }} />
      <Words search={search} />
      <FilterLinks filter={filter} search={search} />
      <p role="status" className="text-quiet">
        {say('total', { n: tasks.length })}
      </p>
      {tasks.length === 0 ? (
        <Empty title={say(q === undefined ? 'none' : 'noneFound')}>
          <LinkButton to="/publish">{say('publish')}</LinkButton>
        </Empty>
      ) : (
        <Groups tasks={tasks} />
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

function Words({ search }: { readonly search: Search }): ReactNode {
  const say = useMessages(myTasksMessages)
  const navigate = useNavigate()
  return (
    <SearchField
      label={say('search')}
      words={search['q']}
      onSearch={(q) => {
        void navigate({ to: '/my/tasks', search: { ...search, q }, replace: true, resetScroll: false })
      }}
    />
  )
}

function Groups({ tasks }: { readonly tasks: readonly Task[] }): ReactNode {
  const say = useMessages(myTasksMessages)
  return groupsOf(tasks).map(([name, ofGroup]) => (
    <section key={name} className="grid gap-3">
      <h2 className="text-card">{say(`group.${name}`)}</h2>
      <ul className="grid gap-3">
        {ofGroup.map((task) =>
          isSession(task) ? (
            <Card as="li" key={task.id}>
              <SessionRow task={task} side="buyer" />
            </Card>
          ) : task.publisher_type === 'human' ? (
            <TaskRow key={task.id} task={task} />
          ) : (
            <SoftwareRow key={task.id} task={task} />
          ),
        )}
      </ul>
    </section>
  ))
}

type FilterLinksProps = {
  readonly filter: Filter
  readonly search: Search
}

function FilterLinks({ filter, search }: FilterLinksProps): ReactNode {
  const say = useMessages(myTasksMessages)
  return (
    <nav aria-label={say('filter')} className="chip-row">
      {filters.map((one) => (
        <Link
          {...choiceLink}
          key={one}
          to="/my/tasks"
          search={{ ...search, show: one === 'all' ? undefined : one }}
          aria-current={one === filter ? 'true' : undefined}
        >
          {say(`filter.${one}`)}
        </Link>
      ))}
    </nav>
  )
}

const groups = ['yours', 'others', 'over'] as const
type Group = (typeof groups)[number]

/** What waits for the reader comes first, then what waits for others, then what is over; what is empty is left out. */
function groupsOf(tasks: readonly Task[]): readonly (readonly [Group, readonly Task[]])[] {
  const groupOf = ({ status, next_action: next, publisher_type: party }: Task): Group => {
    // A draft waits for its publisher, and no time runs.
    if (next === null) return status === 'draft' ? 'yours' : 'over'
    return isTurnOf(next, 'publisher') && party === 'human' ? 'yours' : 'others'
  }
  return groups
    .map((name) => [name, tasks.filter((task) => groupOf(task) === name)] as const)
    .filter(([, ofGroup]) => ofGroup.length > 0)
}

function TaskRow({ task }: { readonly task: Task }): ReactNode {
  const { next_action: next } = task
  return (
    <Card as="li" className="grid gap-3">
      <RowHead task={task} to="/my/tasks/$taskId">
        {isTurnOf(next, 'publisher') ? (
          <TurnNote next={next} as="publisher" />
        ) : (
          <>
            <StatusBadge status={task.status} />
            {next !== null && next.by !== null && (
              <span className="text-sm text-quiet">
                <TimeLeft until={next.by} />
              </span>
            )}
          </>
        )}
      </RowHead>
      {isTurnOf(next, 'publisher') && <OwnStep task={task} />}
    </Card>
  )
}

/** The way to what the publisher has to do next. */
function OwnStep({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(myTasksMessages)
  const turn = useMessages(turnMessages)
  const what = task.next_action?.what
  const to = { params: { taskId: task.id }, kind: 'primary', className: 'wide:justify-self-end' } as const
  if (what === 'decide' || what === 'pay')
    return (
      <LinkButton to="/my/tasks/$taskId/review" {...to}>
        {what === 'pay' ? turn('payAward') : say('review')}
      </LinkButton>
    )
  return (
    <LinkButton to="/my/tasks/$taskId" {...to}>
      {what === 'assign'
        ? say('choose', { n: task.applications_count ?? 1 })
        : say(what === 'answer_offer' ? 'answerOffer' : 'open')}
    </LinkButton>
  )
}

type HeadProps = {
  readonly task: Task
  readonly to: '/my/tasks/$taskId' | '/tasks/$taskId'
  readonly children: ReactNode
}

/** What it is, what it costs, who works on it, and its state. */
function RowHead({ task, to, children }: HeadProps): ReactNode {
  const say = useMessages(myTasksMessages)
  return (
    <div className="flex flex-wrap items-start gap-x-3.5 gap-y-1.5">
      <Scene name={sceneOf[task.category]} className="size-[min(3.5rem,16vw)] flex-none rounded-xl" />
      <div className="grid min-w-0 grow basis-24 gap-1.5">
        <div className="flex flex-wrap items-start justify-between gap-x-4">
          <h3 className="min-w-0 grow basis-24 font-sans text-base font-strong wrap-anywhere">
            <Link to={to} params={{ taskId: task.id }} className="hover:underline">
              {task.title}
            </Link>
          </h3>
          <span className="flex-none">
            <Money usd={task.bounty_usd} />
          </span>
        </div>
        {task.executor_name !== null && (
          <p className="text-sm text-quiet">{say('worker', { name: task.executor_name })}</p>
        )}
        <div className="flex flex-wrap items-center gap-2">{children}</div>
      </div>
    </div>
  )
}

/** A session decides nothing about what a signature published (decision 0049), so it offers nothing but to read it. */
function SoftwareRow({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(myTasksMessages)
  return (
    <Card as="li">
      <RowHead task={task} to="/tasks/$taskId">
        <StatusBadge status={task.status} />
        <span className="text-sm text-quiet">{say('bySoftware')}</span>
      </RowHead>
    </Card>
  )
}
