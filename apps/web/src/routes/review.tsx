import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { FailedPayment } from '../components/failed-payment.tsx'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { OwnTask } from '../components/own-task.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status.tsx'
import { Card, Empty, Loading, Note } from '../components/surface.tsx'
import { TaskWords } from '../components/task-words.tsx'
import { TurnNote, WhatIsNext } from '../components/turn.tsx'
import { Rate } from '../features/ratings/rate.tsx'
import { ApproveDialog } from '../features/review/approve-dialog.tsx'
import { CheckList } from '../features/review/check-list.tsx'
import { Conditions } from '../features/review/conditions.tsx'
import { DecisionBar } from '../features/review/decision-bar.tsx'
import { DecisionCard } from '../features/review/decision-card.tsx'
import { DecisionDialog } from '../features/review/decision-dialogs.tsx'
import { DecisionTicket } from '../features/review/decision-ticket.tsx'
import { DistanceNote } from '../features/review/distance-note.tsx'
import { EvidenceView } from '../features/review/evidence-view.tsx'
import { reviewMessages } from '../features/review/messages.ts'
import { Timeline } from '../features/review/timeline.tsx'
import { readCriteria } from '../lib/criteria.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { turnMessages } from '../messages/turns.ts'

const route = getRouteApi('/my/tasks/$taskId/review')
const everyMs = 5_000

type Task = Output<'h2a.get'>
type Submission = Output<'h2a.submissions'>['submissions'][number]

/** What was handed in, held against what was asked, and the publisher's decision. */
export function ReviewScreen(): ReactNode {
  const say = useMessages(reviewMessages)
  const { taskId } = route.useParams()
  return (
    <OwnTask taskId={taskId} title={say('review')} signedOut={say('signedOut')} notYours={say('notYours')}>
      {(task) => <Submissions task={task} />}
    </OwnTask>
  )
}

/** The submissions are read by the publisher alone. */
function Submissions({ task }: { readonly task: Task }): ReactNode {
  const common = useMessages(commonMessages)
  const found = useRead('h2a.submissions', { task_id: task.id }, { refetchInterval: everyMs })
  if (found.error !== null && found.data === undefined)
    return (
      <Page title={task.title}>
        <Failure
          error={found.error}
          retry={() => {
            void found.refetch()
          }}
        />
      </Page>
    )
  if (found.data === undefined)
    return (
      <Page title={task.title}>
        <Loading says={common('loading')} />
      </Page>
    )
  return <Review task={task} submissions={found.data.submissions} />
}

function Review({
  task,
  submissions,
}: {
  readonly task: Task
  readonly submissions: readonly Submission[]
}): ReactNode {
  const say = useMessages(reviewMessages)
  const search = route.useSearch()
  const sorted = [...submissions].sort((one, other) => one.submitted_at.localeCompare(other.submitted_at))
  // What the service asks a signature for is this one, whichever is shown.
  const current = sorted.findLast(({ status }) => status === 'pending_review') ?? sorted.at(-1)
  const submission = sorted.find(({ id }) => id === search['submission']) ?? current
  return (
    <Page title={task.title} wide actions={<Money usd={task.bounty_usd} className="text-2xl" />}>
      <div className="flex flex-wrap items-center gap-3">
        <StatusBadge status={task.status} />
        <TurnNote next={task.next_action} as="publisher" />
        <Link to="/my/tasks/$taskId" params={{ taskId: task.id }} className="link">
          {say('manage')}
        </Link>
      </div>
      <WhatIsNext next={task.next_action} as="publisher" />
      {submission === undefined && (
        <Empty title={say('none')}>
          <p className="text-quiet">{say('noneHelp')}</p>
        </Empty>
      )}
      {sorted.length > 1 && (
        <nav aria-label={say('others')} className="flex flex-wrap gap-2">
          {sorted.map(({ id }, at) => (
            <LinkButton
              key={id}
              to="/my/tasks/$taskId/review"
              params={{ taskId: task.id }}
              search={{ submission: id }}
              activeOptions={{ exact: true, includeSearch: true }}
              aria-current={id === submission?.id ? 'true' : undefined}
              kind={id === submission?.id ? 'secondary' : 'quiet'}
            >
              {say('number', { n: at + 1 })}
            </LinkButton>
          ))}
        </nav>
      )}
      {submission !== undefined && (
        <OneSubmission
          key={submission.id}
          task={task}
          submission={submission}
          isCurrent={submission.id === current?.id}
        />
      )}
    </Page>
  )
}

/** Undefined while nobody knows; a service that cannot say it hides no decision. */
function useIsPaying(taskId: string): boolean | undefined {
  const { data, error } = useRead('payments.get', { task_id: taskId }, { refetchInterval: everyMs })
  return data === undefined && error === null ? undefined : data?.status === 'releasing'
}

type OneProps = { readonly task: Task; readonly submission: Submission; readonly isCurrent: boolean }

function OneSubmission({ task, submission, isCurrent }: OneProps): ReactNode {
  const say = useMessages(reviewMessages)
  const turn = useMessages(turnMessages)
  const closeDialog = useCloseDialog()
  const { do: doing } = route.useSearch()
  const { criteria } = readCriteria(task.instructions)
  const applications = useRead('h2a.applications', { task_id: task.id, limit: 100 }, { staleTime: 60_000 })
  const hired = applications.data?.applications.find(({ executor_id }) => executor_id === submission.executor_id)
  const worker = hired?.wallet_address
  const isOpen = submission.status === 'pending_review'
  const isPaying = useIsPaying(task.id)
  const canDecide = isOpen && isPaying !== true && (task.status === 'submitted' || task.status === 'verifying')
  const owes = isCurrent && task.next_action?.what === 'pay'
  const close = (): void => {
    closeDialog({ to: '/my/tasks/$taskId/review', params: { taskId: task.id }, search: { submission: submission.id } })
  }
  const decision = { task, submissionId: submission.id, criteria, onClose: close }
  return (
    <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="min-w-0">
        <Work taskId={task.id} submission={submission} criteria={isOpen ? criteria : []} />
        {canDecide && <DecisionBar task={task} submissionId={submission.id} />}
      </div>
      <div className="grid min-w-0 gap-4 lg:sticky lg:top-20">
        {applications.error !== null && (
          <Failure error={applications.error} retry={() => void applications.refetch()} />
        )}
        <DecisionCard
          task={task}
          submission={submission}
          worker={hired}
          isPaying={isPaying === true}
          canDecide={canDecide}
        >
          {task.status === 'completed' && submission.status === 'approved' && <Rate taskId={task.id} whom="worker" />}
        </DecisionCard>
        {(canDecide || owes) && <FailedPayment taskId={task.id} says={say('payFailed')} />}
        {canDecide && <DecisionTicket task={task} submission={submission} worker={hired?.display_name ?? undefined} />}
        {owes && isPaying !== true && (
          <LinkButton
            to="/my/tasks/$taskId/review"
            params={{ taskId: task.id }}
            search={{ submission: submission.id, do: 'approve' }}
            resetScroll={false}
            kind="primary"
          >
            {turn('payAward')}
          </LinkButton>
        )}
        <Card as="section" className="grid gap-3">
          <h2>{say('instructions')}</h2>
          <TaskWords text={task.instructions} />
        </Card>
      </div>
      <ApproveDialog
        title={owes ? turn('payAward') : say('approveTitle')}
        task={task}
        submissionId={submission.id}
        workerWallet={worker}
        workerName={hired?.display_name ?? undefined}
        workerPicture={hired?.picture_url}
        isPaying={isPaying}
        open={(isOpen || owes) && doing === 'approve'}
        onClose={close}
      />
      <DecisionDialog {...decision} verdict="needs_revision" open={isOpen && doing === 'changes'} />
      <DecisionDialog {...decision} verdict="rejected" open={isOpen && doing === 'reject'} />
    </div>
  )
}

type WorkProps = { readonly taskId: string; readonly submission: Submission; readonly criteria: readonly string[] }

/** What was handed in, and what speaks for it and against it. */
function Work({ taskId, submission, criteria }: WorkProps): ReactNode {
  const say = useMessages(reviewMessages)
  return (
    <div className="grid gap-8">
      <EvidenceView submissionId={submission.id} />
      {submission.notes !== null && submission.notes !== '' && (
        <Note title={say('notes')}>
          <p className="whitespace-pre-line">{submission.notes}</p>
        </Note>
      )}
      <Conditions criteria={criteria} />
      <DistanceNote taskId={taskId} evidence={submission.evidence} />
      <CheckList submission={submission} />
      <Timeline taskId={taskId} />
    </div>
  )
}
