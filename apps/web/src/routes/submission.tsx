import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { DisputeLink } from '../components/dispute-link.tsx'
import { Earned } from '../components/earned.tsx'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { StatusBadge } from '../components/status.tsx'
import { Card, Facts, Loading, Note } from '../components/surface.tsx'
import { Moment } from '../components/time.tsx'
import { Transaction } from '../components/transaction.tsx'
import { TurnNote, WhatIsNext } from '../components/turn.tsx'
import { Rate } from '../features/ratings/rate.tsx'
import { CheckList } from '../features/review/check-list.tsx'
import { EvidenceView } from '../features/review/evidence-view.tsx'
import { reviewMessages } from '../features/review/messages.ts'
import { MaySettle } from '../features/settle/may-settle.tsx'
import { MayTalk } from '../features/talk/may-talk.tsx'
import { Timeline } from '../features/review/timeline.tsx'
import { DisputeDialog } from '../features/submission/dispute-dialog.tsx'
import { submissionMessages } from '../features/submission/messages.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import type { SideNames } from '../lib/turn-words.ts'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/submissions/$submissionId')
const everyMs = 5_000

type Task = Output<'tasks.get'>
type Submission = Output<'submissions.get'>

/** One submission as its worker follows it; its publisher is shown the way to the decision. */
export function SubmissionScreen(): ReactNode {
  const say = useMessages(submissionMessages)
  const common = useMessages(commonMessages)
  const { wallet } = useSession()
  const { submissionId } = route.useParams()
  const isSignedIn = typeof wallet === 'string'
  const found = useRead(
    'submissions.get',
    { submission_id: submissionId },
    { enabled: isSignedIn, refetchInterval: everyMs },
  )
  const task = useRead(
    'tasks.get',
    { task_id: found.data?.task_id ?? '' },
    { enabled: found.data !== undefined, refetchInterval: everyMs },
  )
  if (wallet === null)
    return (
      <Page title={say('title')}>
        <SignedOut what={say('signedOut')} />
      </Page>
    )
  if (wallet === undefined)
    return (
      <Page title={say('title')}>
        <SessionUnknown />
      </Page>
    )
  const failed = found.data === undefined ? found : task
  if (failed.error !== null && failed.data === undefined)
    return (
      <Page title={common('somethingWrong')}>
        <Failure
          error={failed.error}
          retry={() => {
            void failed.refetch()
          }}
        />
      </Page>
    )
  if (found.data === undefined || task.data === undefined)
    return (
      <Page title={say('title')}>
        <Loading says={common('loading')} />
      </Page>
    )
  return <OneSubmission task={task.data} submission={found.data} />
}

function OneSubmission({ task, submission }: { readonly task: Task; readonly submission: Submission }): ReactNode {
  const review = useMessages(reviewMessages)
  const { workerId } = useSession()
  const closeDialog = useCloseDialog()
  const { do: doing } = route.useSearch()
  const isWorker = workerId === submission.executor_id
  const params = { submissionId: submission.id }
  return (
    <Page
      title={task.title}
      wide
      actions={
        isWorker ? (
          <Earned usd={task.bounty_usd} className="text-2xl" />
        ) : (
          <Money usd={task.bounty_usd} className="text-2xl" />
        )
      }
    >
      <div className="flex flex-wrap items-center gap-3">
        {task.next_action === null ? (
          <StatusBadge status={task.status} />
        ) : (
          <TurnNote next={task.next_action} as={isWorker ? 'worker' : 'publisher'} names={namesOf(task)} />
        )}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="grid min-w-0 gap-8 max-lg:order-2">
          <EvidenceView submissionId={submission.id} />
          {submission.notes !== null && submission.notes !== '' && (
            <Note title={review('notes')}>
              <p className="wrap-anywhere whitespace-pre-line">{submission.notes}</p>
            </Note>
          )}
          <MayTalk task={task} side={isWorker ? 'worker' : undefined} />
          <MaySettle task={task} side={isWorker ? 'worker' : undefined} />
          <CheckList submission={submission} isPassedFolded />
          <Timeline taskId={task.id} />
        </div>
        <Standing task={task} submission={submission} isWorker={isWorker} />
      </div>
      <DisputeDialog
        task={task}
        submissionId={submission.id}
        open={doing === 'dispute' && canDispute(task, submission, isWorker)}
        onClose={() => closeDialog({ to: '/submissions/$submissionId', params, search: {} })}
      />
    </Page>
  )
}

/** The worker is the one who reads this page most, so it is the publisher who is named. */
const namesOf = ({ publisher_name: publisher }: Task): SideNames => ({ publisher })

const canDispute = (task: Task, { status }: Submission, isWorker: boolean): boolean =>
  isWorker && status === 'pending_review' && (task.status === 'submitted' || task.status === 'verifying')

function Standing({
  task,
  submission,
  isWorker,
}: {
  readonly task: Task
  readonly submission: Submission
  readonly isWorker: boolean
}): ReactNode {
  const say = useMessages(submissionMessages)
  const review = useMessages(reviewMessages)
  const { status } = submission
  const isBack = isWorker && status === 'rejected' && (task.status === 'accepted' || task.status === 'in_progress')
  const isDecided = status !== 'pending_review'
  return (
    <Card as="section" className="grid gap-3 lg:sticky lg:top-20">
      <h2>{review(`status.${status}`)}</h2>
      <HandedIn task={task} submission={submission} />
      {submission.rejection_reason !== null && (
        <Note tone="warn" title={review('reason')}>
          <p className="wrap-anywhere whitespace-pre-line">{submission.rejection_reason}</p>
        </Note>
      )}
      <h3>{say('next')}</h3>
      <div role="status" className="grid gap-2">
        {isDecided && <p>{say(`next.${status}`)}</p>}
        {!isDecided && submission.verification === 'pending' && <p>{say('next.checking')}</p>}
        <WhatIsNext next={task.next_action} as={isWorker ? 'worker' : 'publisher'} names={namesOf(task)} />
      </div>
      <DisputeLink taskId={task.id} />
      {isBack && (
        <LinkButton to="/work/$taskId/submit" params={{ taskId: task.id }} kind="primary">
          {say('again')}
        </LinkButton>
      )}
      {!isWorker && task.publisher_type === 'human' && (
        <LinkButton
          to="/my/tasks/$taskId/review"
          params={{ taskId: task.id }}
          search={{ submission: submission.id }}
          kind="primary"
        >
          {review('review')}
        </LinkButton>
      )}
      {isWorker && task.status === 'completed' && status === 'approved' && <Rate taskId={task.id} whom="agent" />}
      {canDispute(task, submission, isWorker) && (
        <LinkButton
          to="/submissions/$submissionId"
          params={{ submissionId: submission.id }}
          search={{ do: 'dispute' }}
          resetScroll={false}
          kind="danger"
        >
          {say('dispute')}
        </LinkButton>
      )}
    </Card>
  )
}

type HandedInProps = {
  readonly task: Task
  readonly submission: Submission
}

function HandedIn({ task, submission }: HandedInProps): ReactNode {
  const say = useMessages(submissionMessages)
  const review = useMessages(reviewMessages)
  return (
    <Facts
      rows={[
        [
          say('task'),
          <Link key="task" to="/tasks/$taskId" params={{ taskId: task.id }} className="link">
            {say('seeTask')}
          </Link>,
        ],
        [review('handedIn'), <Moment key="at" at={submission.submitted_at} />],
        ...(submission.decided_at === null
          ? []
          : [[review('decided'), <Moment key="decided" at={submission.decided_at} />] as const]),
        ...(submission.payment_tx === null
          ? []
          : [
              [
                say('payment'),
                <Transaction key="tx" hash={submission.payment_tx} network={task.payment_network} />,
              ] as const,
            ]),
      ]}
    />
  )
}
