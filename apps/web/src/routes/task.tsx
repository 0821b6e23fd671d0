import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { ExactPlace } from '../components/exact-place.tsx'
import { InSlices } from '../components/in-slices.tsx'
import { AreaMap } from '../components/map/area-map.tsx'
import type { MapCircle } from '../components/map/map-view.ts'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { Badge, Loading } from '../components/surface.tsx'
import { TaskWords } from '../components/task-words.tsx'
import { WhenNeeded } from '../components/when-needed.tsx'
import { WrittenWords } from '../components/written-words.tsx'
import { History } from '../features/task-page/history.tsx'
import { taskMessages } from '../features/task-page/messages.ts'
import { MyPartNote } from '../features/task-page/my-part.tsx'
import { Payments } from '../features/task-page/payments.tsx'
import { Proof } from '../features/task-page/proof.tsx'
import { ReliedOn } from '../features/funding/relied-on.tsx'
import { TaskFacts, TaskOffer } from '../features/task-page/task-facts.tsx'
import { TaskMissing } from '../features/task-page/task-missing.tsx'
import { myPartOf, useTaskStory } from '../features/task-page/use-my-part.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useIsWide } from '../lib/use-is-wide.ts'
import { useSplit } from '../lib/use-split.ts'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { wordMessages } from '../messages/words.ts'
import { useSession } from '../wallet/wallet.tsx'

// Most readers open neither, and both bring the schemas of their forms along.
const ApplyDialog = lazy(async () => ({
  default: (await import('../features/task-page/apply-dialog.tsx')).ApplyDialog,
}))
const StepDownDialog = lazy(async () => ({
  default: (await import('../features/task-page/step-down-dialog.tsx')).StepDownDialog,
}))

const MeteredPanel = lazy(async () => ({
  default: (await import('../features/metered/metered-panel.tsx')).MeteredPanel,
}))

const route = getRouteApi('/tasks/$taskId')

/** Everything public of one task, and the one thing the reader can do about it. */
export function TaskScreen(): ReactNode {
  const common = useMessages(commonMessages)
  const say = useMessages(taskMessages)
  const { taskId } = route.useParams()
  const { wallet, isUnread } = useSession()
  const { data: task, error, refetch } = useRead('tasks.get', { task_id: taskId }, { refetchInterval: 15_000 })
  // What the amounts and the one button need is asked for at the same time, so that nothing moves once it is read.
  const fees = useRead('payments.fees', {}, { staleTime: Infinity })
  if (task !== undefined && (wallet !== undefined || isUnread) && !fees.isPending) return <TaskPage task={task} />
  if (error !== null)
    return (
      <TaskMissing
        taskId={taskId}
        error={error}
        isVisitor={wallet === null}
        retry={() => {
          void refetch()
        }}
      />
    )
  return (
    <Page title={say('task')}>
      <Loading says={common('loading')} rows={4} />
    </Page>
  )
}

/** Who may do something about the channel of a task. */
const partOfMeter: Readonly<Record<string, 'publisher' | 'worker'>> = { publisher: 'publisher', assigned: 'worker' }

function TaskPage({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const say = useMessages(taskMessages)
  const word = useMessages(wordMessages)
  const { apply, withdraw } = route.useSearch()
  const closeDialog = useCloseDialog()
  const { wallet } = useSession()
  const { mine, story, error } = useTaskStory(task.id)
  const part = myPartOf(task, wallet, mine)
  // On a phone the work is read before the figures it is made of.
  const isWide = useIsWide()
  const close = (): void => {
    closeDialog({ to: '/tasks/$taskId', params: { taskId: task.id }, search: {} })
  }
  const applies = apply !== undefined && task.status === 'published' && (part === 'visitor' || part === 'none')
  const stepsDown = withdraw !== undefined && part === 'assigned'
  return (
    <Page
      wide
      title={task.title}
      lead={
        <span className="flex flex-wrap gap-2">
          <StatusBadge status={task.status} />
          <Badge>{word(`category.${task.category}`)}</Badge>
        </span>
      }
    >
      <WrittenWords task={task} />
      <InSlices>
        <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem] lg:gap-10">
          <div className="grid gap-4 lg:sticky lg:top-20 lg:order-last">
            <TaskOffer
              task={task}
              action={wallet === undefined ? <SessionUnknown /> : <MyPartNote task={task} part={part} />}
            />
            <ReliedOn task={task} />
            {isWide && <TaskFacts task={task} />}
          </div>
          <div className="grid min-w-0 gap-8">
            <section className="grid gap-3">
              <h2>{say('what')}</h2>
              <TaskWords text={task.instructions} />
            </section>
            {!isWide && <TaskFacts task={task} />}
            <Proof task={task} />
            <Where task={task} />
            <Next task={task} />
            {task.payment_network === 'solana' && (
              <Suspense>
                <MeteredPanel task={task} part={partOfMeter[part ?? 'none'] ?? 'reader'} />
              </Suspense>
            )}
            <Payments task={task} />
            <History story={story} network={task.payment_network} error={error} />
          </div>
        </div>
      </InSlices>
      <WhenNeeded needed={applies}>
        <ApplyDialog taskId={task.id} open={applies} isVisitor={part === 'visitor'} onClose={close} />
      </WhenNeeded>
      <WhenNeeded needed={stepsDown}>
        <StepDownDialog taskId={task.id} open={stepsDown} onClose={close} />
      </WhenNeeded>
    </Page>
  )
}

function Where({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const say = useMessages(taskMessages)
  const format = useFormat()
  // It says the exact place to those who may know it, and the area to everyone else.
  const { data } = useRead('tasks.location', { task_id: task.id }, { enabled: task.area !== null, staleTime: 60_000 })
  const place = data ?? task.area
  const { lat, lng, radius_m: radiusM } = place ?? {}
  const circles = useMemo(
    (): readonly MapCircle[] =>
      lat === undefined || lng === undefined || radiusM === undefined
        ? []
        : [{ id: task.id, lat, lng, radiusM, tone: 'brand' }],
    [task.id, lat, lng, radiusM],
  )
  return (
    <section className="grid gap-3">
      <h2>{say('where')}</h2>
      {task.location_hint !== null && <p>{task.location_hint}</p>}
      {place === null ? (
        task.location_hint === null && <p className="text-quiet">{say('anywhere')}</p>
      ) : (
        <>
          {data?.precision === 'exact' ? (
            <ExactPlace at={data} radiusM={data.radius_m} />
          ) : (
            <p className="text-quiet">{say('about', { distance: format.distance(place.radius_m) })}</p>
          )}
          <AreaMap label={say('where')} circles={circles} />
        </>
      )}
    </section>
  )
}

function Next({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const say = useMessages(taskMessages)
  const format = useFormat()
  const split = useSplit()
  if (task.status !== 'published' || split === undefined) return null
  return (
    <section className="grid gap-3">
      <h2>{say('next')}</h2>
      <ol className="grid list-decimal gap-2 pl-5 marker:font-semibold marker:text-brand">
        <li>{say('next1')}</li>
        <li>{say(task.escrow_status === 'none' ? 'next2Direct' : 'next2Escrow')}</li>
        <li>{say('next3')}</li>
        <li>{say('next4', { amount: format.usd(split(task.bounty_usd).payoutUsd) })}</li>
      </ol>
    </section>
  )
}
