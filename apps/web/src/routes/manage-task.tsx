import type { ReactNode } from 'react'
import { cancellableStatuses, extendableStatuses } from '@ergon/contract/facts'
import type { Output } from '@ergon/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { DisputeLink } from '../components/dispute-link.tsx'
import { FailedPayment } from '../components/failed-payment.tsx'
import { Failure } from '../components/failure.tsx'
import { OwnTask } from '../components/own-task.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status.tsx'
import { Empty, Note } from '../components/surface.tsx'
import { useNow } from '../components/time.tsx'
import { ToSession } from '../components/to-session.tsx'
import { TurnNote, WhatIsNext } from '../components/turn.tsx'
import { WrittenWords } from '../components/written-words.tsx'
import { ApplicantList } from '../features/assign/applicants.tsx'
import { AssignDialog } from '../features/assign/assign-dialog.tsx'
import { CancelDialog } from '../features/assign/cancel-dialog.tsx'
import { ExtendDialog } from '../features/assign/extend-dialog.tsx'
import { assignMessages } from '../features/assign/messages.ts'
import { TaskFacts } from '../features/assign/task-facts.tsx'
import { MaySettle } from '../features/settle/may-settle.tsx'
import { MayAsk } from '../features/questions/may-ask.tsx'
import { MayShow } from '../features/portfolio/may-show.tsx'
import { MayTalk } from '../features/talk/may-talk.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { isSession } from '../lib/session-task.ts'
import { nextWith } from '../lib/turn.ts'
import { useCloseDialog } from '../lib/way-back.ts'
import { turnMessages } from '../messages/turns.ts'

const route = getRouteApi('/my/tasks/$taskId')
const cancellable: readonly string[] = cancellableStatuses
const extendable: readonly string[] = extendableStatuses
const everyMs = 5_000

type Task = Output<'h2a.get'>

/** One task as its publisher sees it: who applied, whom to choose, and where the money is. */
export function ManageTaskScreen(): ReactNode {
  const say = useMessages(assignMessages)
  const { taskId } = route.useParams()
  return (
    <OwnTask taskId={taskId} signedOut={say('signedOut')} notYours={say('notYours')}>
      {(task) => (isSession(task) ? <ToSession id={task.id} side="buyer" /> : <ManagedTask task={task} />)}
    </OwnTask>
  )
}

function ManagedTask({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(assignMessages)
  const turn = useMessages(turnMessages)
  const now = useNow()
  const { choose, cancel, extend } = route.useSearch()
  const closeDialog = useCloseDialog()
  const applications = useRead(
    'h2a.applications',
    { task_id: task.id, limit: 100 },
    { refetchInterval: task.status === 'published' ? everyMs : false },
  )
  const close = (): void => closeDialog({ to: '/my/tasks/$taskId', params: { taskId: task.id }, search: {} })
  const applicants = applications.data?.applications ?? []
  const next = nextWith(task.next_action, applicants.length)
  const mayExtend = extendable.includes(task.status) && Date.parse(task.deadline) > now
  const owes = next?.who === 'publisher' && next.what === 'pay'
  const isToReview = task.status === 'submitted' || task.status === 'verifying' || owes
  return (
    <Page
      title={task.title}
      wide
      before={
        <div className="flex flex-wrap items-center gap-3">
          <StatusBadge status={task.status} />
          <TurnNote next={next} as="publisher" />
        </div>
      }
    >
      {task.status === 'assigning' ? (
        <Note tone="move" role="status" title={say('locking')} />
      ) : (
        <WhatIsNext next={next} as="publisher" />
      )}
      {task.status === 'published' && <FailedPayment taskId={task.id} says={say('lockFailed')} />}
      <WrittenWords task={task} />
      {isToReview && (
        <div>
          <LinkButton to="/my/tasks/$taskId/review" params={{ taskId: task.id }} kind="primary">
            {owes ? turn('payAward') : say('review')}
          </LinkButton>
        </div>
      )}
      <div className="flex empty:hidden">
        <DisputeLink taskId={task.id} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10">
        <div className="grid min-w-0 gap-6">
          {task.status === 'completed' && <MayShow taskId={task.id} side="publisher" />}
          <Applicants applications={applications} applicants={applicants} task={task} />
          <MayAsk task={task} as="publisher" />
          <MayTalk task={task} side="publisher" />
          <MaySettle task={task} side="publisher" />
        </div>
        <TaskFacts task={task} mayCancel={cancellable.includes(task.status)} mayExtend={mayExtend} />
      </div>
      <AssignDialog
        task={task}
        applicant={
          task.status === 'published' || task.status === 'assigning'
            ? applicants.find(({ executor_id }) => executor_id === choose)
            : undefined
        }
        onClose={close}
      />
      <ExtendDialog taskId={task.id} open={extend === '1' && mayExtend} onClose={close} />
      <CancelDialog taskId={task.id} open={cancel === '1' && cancellable.includes(task.status)} onClose={close} />
    </Page>
  )
}

type ApplicantsProps = {
  readonly applications: Pick<ReturnType<typeof useRead<'h2a.applications'>>, 'data' | 'error' | 'refetch'>
  readonly applicants: Output<'h2a.applications'>['applications']
  readonly task: Task
}

function Applicants({ applications, applicants, task }: ApplicantsProps): ReactNode {
  const say = useMessages(assignMessages)
  const isEmpty = applications.data !== undefined && applicants.length === 0
  return (
    <section aria-labelledby="applicants" className="grid gap-4">
      <h2 id="applicants">{say('applicants')}</h2>
      {applications.error !== null && (
        <Failure
          error={applications.error}
          retry={() => {
            void applications.refetch()
          }}
        />
      )}
      {isEmpty && task.status !== 'published' && <p className="text-quiet">{say('noneEver')}</p>}
      {isEmpty && task.status === 'published' && (
        <Empty title={say('none')}>
          <p className="text-quiet">{say('noneHelp')}</p>
          <Link to="/tasks/$taskId" params={{ taskId: task.id }} className="link">
            {say('publicPage')}
          </Link>
        </Empty>
      )}
      {applicants.length > 0 && (
        <>
          <p role="status" className="text-quiet">
            {say('count', { n: applicants.length })}
          </p>
          <ApplicantList taskId={task.id} applicants={applicants} canChoose={task.status === 'published'} />
        </>
      )}
      {task.status === 'published' && (
        <p className="flex flex-wrap items-center gap-x-4 text-sm text-quiet">
          {say('invite')}
          <Link to="/leaderboard" className="link inline-flex min-h-11 items-center">
            {say('bestRated')}
          </Link>
          <Link to="/agents" className="link inline-flex min-h-11 items-center">
            {say('agents')}
          </Link>
        </p>
      )}
    </section>
  )
}
