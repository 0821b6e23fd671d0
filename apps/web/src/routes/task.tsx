import { lazy, Suspense, type ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { InSlices } from '../components/in-slices.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { Loading } from '../components/surface.tsx'
import { ToSession } from '../components/to-session.tsx'
import { useNow } from '../components/time.tsx'
import { WhenNeeded } from '../components/when-needed.tsx'
import { WrittenWords } from '../components/written-words.tsx'
import { ForThoseWhoCheck } from '../features/task-page/for-those-who-check.tsx'
import { taskMessages } from '../features/task-page/messages.ts'
import { MyPartNote } from '../features/task-page/my-part.tsx'
import { Proof } from '../features/task-page/proof.tsx'
import { ReliedOn } from '../features/funding/relied-on.tsx'
import { TaskActionBar } from '../features/task-page/task-action.tsx'
import { TaskOffer } from '../features/task-page/task-facts.tsx'
import { TaskHead } from '../features/task-page/task-head.tsx'
import { WhatHappensNext, WhatToDo } from '../features/task-page/task-story.tsx'
import { canApply, useMyPart, useTaskStory, type MyPart } from '../features/task-page/use-my-part.ts'
import { MayAsk } from '../features/questions/may-ask.tsx'
import { MayTalk } from '../features/talk/may-talk.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { isSession } from '../lib/session-task.ts'
import { useIsWide } from '../lib/use-is-wide.ts'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

// Most readers open none of them, and they bring the schemas of their forms along.
const ApplyDialog = lazy(async () => ({
  default: (await import('../features/task-page/apply-dialog.tsx')).ApplyDialog,
}))
const MeteredPanel = lazy(async () => ({
  default: (await import('../features/metered/metered-panel.tsx')).MeteredPanel,
}))
const AreaPreview = lazy(async () => ({ default: (await import('../components/map/area-preview.tsx')).AreaPreview }))
const MaySettle = lazy(async () => ({ default: (await import('../features/settle/may-settle.tsx')).MaySettle }))
const MayShow = lazy(async () => ({ default: (await import('../features/portfolio/may-show.tsx')).MayShow }))
const ExactPlace = lazy(async () => ({ default: (await import('../components/exact-place.tsx')).ExactPlace }))
const History = lazy(async () => ({ default: (await import('../features/task-page/history.tsx')).History }))
const Payments = lazy(async () => ({ default: (await import('../features/task-page/payments.tsx')).Payments }))
const RepeatButton = lazy(async () => ({
  default: (await import('../features/publish/repeat-button.tsx')).RepeatButton,
}))
const TaskMissing = lazy(async () => ({
  default: (await import('../features/task-page/task-missing.tsx')).TaskMissing,
}))
const StepDownDialog = lazy(async () => ({
  default: (await import('../features/task-page/step-down-dialog.tsx')).StepDownDialog,
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
  if (task !== undefined && typeof wallet === 'string' && isSession(task))
    return <ToSession id={task.id} side={task.agent_id.toLowerCase() === wallet ? 'buyer' : 'worker'} />
  if (task !== undefined && (wallet !== undefined || isUnread) && !fees.isPending) return <TaskPage task={task} />
  if (error !== null)
    return (
      <Suspense>
        <TaskMissing
          taskId={taskId}
          error={error}
          isVisitor={wallet === null}
          retry={() => {
            void refetch()
          }}
        />
      </Suspense>
    )
  return (
    <Page title={say('task')}>
      <Loading says={common('loading')} rows={4} />
    </Page>
  )
}

const sideOf = (part: MyPart): 'publisher' | 'worker' | undefined =>
  part === 'publisher' ? part : part === 'assigned' ? 'worker' : undefined

const askerOf = (part: MyPart): 'publisher' | 'asker' | undefined =>
  part === 'publisher' ? part : part === 'visitor' || part === undefined ? undefined : 'asker'

/** What the two sides settle, what was asked about it, and what they write to one another. */
function WhatIsSaid({ task, part }: { readonly task: Output<'tasks.get'>; readonly part: MyPart }): ReactNode {
  const side = sideOf(part)
  return (
    <>
      {side !== undefined && (
        <Suspense>
          <MaySettle task={task} side={side} />
          {task.status === 'completed' && <MayShow taskId={task.id} side={side} />}
        </Suspense>
      )}
      <MayAsk task={task} as={askerOf(part)} />
      <MayTalk task={task} side={side} />
    </>
  )
}

function TaskPage({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const { apply, withdraw } = route.useSearch()
  const closeDialog = useCloseDialog()
  const { wallet } = useSession()
  const { mine, story, error } = useTaskStory(task.id)
  const part = useMyPart(task, wallet, mine)
  const [isWide, now] = [useIsWide(), useNow()]
  const close = (): void => {
    closeDialog({ to: '/tasks/$taskId', params: { taskId: task.id }, search: {} })
  }
  const applies = apply !== undefined && task.status === 'published' && (part === 'visitor' || part === 'none')
  const waits = part === 'applied' && task.status === 'published'
  const leaves = withdraw !== undefined && (part === 'assigned' || waits)
  const action =
    wallet === undefined ? (
      <SessionUnknown />
    ) : (
      <MyPartNote
        task={task}
        part={part}
        ofOwn={
          <Suspense>
            <RepeatButton task={task} />
          </Suspense>
        }
      />
    )
  // On a phone, applying is the bar under the thumb; what only says something is in the ticket.
  const isForBar = !isWide && canApply(task, part, now)
  const isTaken = task.status !== 'published'
  return (
    <div className="mx-auto w-full max-w-[76rem] px-(--gutter) pt-3 pb-14 wide:pt-10">
      <div className="task-page">
        <TaskHead task={task} />
        <div className="task-page-side grid gap-4">
          <TaskOffer task={task} action={isForBar ? null : action} />
          {isWide && <ReliedOn task={task} />}
        </div>
        <InSlices>
          <div className="grid min-w-0 gap-8">
            <WrittenWords task={task} />
            <WhatToDo task={task} />
            <Proof task={task} />
            {!isWide && <ReliedOn task={task} />}
            <Where task={task} />
            {task.payment_network === 'solana' && (
              <Suspense>
                <MeteredPanel task={task} part={sideOf(part) ?? 'reader'} />
              </Suspense>
            )}
            <WhatIsSaid task={task} part={part} />
            <WhatHappensNext task={task} hasApplied={part === 'applied'} />
            <Suspense>{isTaken && <Payments task={task} />}</Suspense>
            <Suspense>{isTaken && <History story={story} network={task.payment_network} error={error} />}</Suspense>
            <ForThoseWhoCheck task={task} />
          </div>
        </InSlices>
      </div>
      {isForBar && <TaskActionBar task={task}>{action}</TaskActionBar>}
      <WhenNeeded needed={applies}>
        <ApplyDialog taskId={task.id} open={applies} isVisitor={part === 'visitor'} onClose={close} />
      </WhenNeeded>
      <WhenNeeded needed={leaves}>
        <StepDownDialog taskId={task.id} open={leaves} isChosen={part === 'assigned'} onClose={close} />
      </WhenNeeded>
    </div>
  )
}

function Where({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const say = useMessages(taskMessages)
  const format = useFormat()
  // It says the exact place to those who may know it, and the area to everyone else.
  const { data } = useRead('tasks.location', { task_id: task.id }, { enabled: task.area !== null, staleTime: 60_000 })
  const place = data ?? task.area
  return (
    <section className="grid gap-3">
      <h2>{say('where')}</h2>
      {place === null ? (
        <p className={task.location_hint === null ? 'text-quiet' : ''}>{task.location_hint ?? say('anywhere')}</p>
      ) : (
        <div className="card overflow-hidden p-0">
          <div className="[&>*]:rounded-none [&_p]:px-5">
            <Suspense fallback={<div className="h-56" />}>
              <AreaPreview label={say('where')} id={task.id} at={place} radiusM={place.radius_m} />
            </Suspense>
          </div>
          <div className="grid gap-1 p-5 text-sm">
            {task.location_hint !== null && <p className="font-label">{task.location_hint}</p>}
            {data?.precision === 'exact' ? (
              <Suspense>
                <ExactPlace at={data} radiusM={data.radius_m} />
              </Suspense>
            ) : (
              <p className="text-quiet">{say('about', { distance: format.distance(place.radius_m) })}</p>
            )}
          </div>
        </div>
      )}
    </section>
  )
}
