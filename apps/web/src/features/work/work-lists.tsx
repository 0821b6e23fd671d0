import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { sceneOf } from '../../art/scene-of.ts'
import { LinkButton } from '../../components/button.tsx'
import { Earned } from '../../components/earned.tsx'
import { Icon } from '../../components/icon.tsx'
import { Money } from '../../components/money.tsx'
import { ReadFault } from '../../components/read-fault.tsx'
import { Scene } from '../../components/scene.tsx'
import { SessionRow } from '../../components/session-row.tsx'
import { StatusBadge } from '../../components/status.tsx'
import { Badge, Card, Empty, Loading, Note, type Tone } from '../../components/surface.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { useNow } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { isSession } from '../../lib/session-task.ts'
import { isUnpaid } from '../../lib/is-unpaid.ts'
import { isTurnOf } from '../../lib/turn.ts'
import { turnSaid } from '../../lib/turn-words.ts'
import { useSplit } from '../../lib/use-split.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { earnedMessages } from '../../messages/earned.ts'
import { turnMessages } from '../../messages/turns.ts'
import { readApplication, type ApplicationRow } from './application-row.ts'
import { workMessages } from './messages.ts'
import { NextTask } from './next-task.tsx'
import { useWaits } from './use-waits.ts'

type Task = Output<'workers.tasks'>['tasks'][number]
type Submission = Output<'submissions.list'>['submissions'][number]
const everyMs = 15_000
const tones: Readonly<Record<Submission['status'] | ApplicationRow['status'], Tone>> = {
  pending_review: 'plain',
  approved: 'good',
  rejected: 'bad',
  pending: 'plain',
  accepted: 'good',
  withdrawn: 'plain',
}

/** The tasks that a worker was assigned: the next thing to do, what else is theirs, what waits, what is over. */
export function AssignedTasks({ executorId }: { readonly executorId: string | null }): ReactNode {
  const say = useMessages(workMessages)
  const common = useMessages(commonMessages)
  const { data, error, refetch } = useRead(
    'workers.tasks',
    { executor_id: executorId ?? '', limit: 100 },
    { enabled: executorId !== null, refetchInterval: everyMs },
  )
  const handedIn = useRead(
    'submissions.list',
    { status: 'rejected', limit: 100 },
    { enabled: executorId !== null, refetchInterval: everyMs },
  )
  const fault = <ReadFault of={{ error, refetch }} />
  if (executorId !== null && data === undefined) return error === null ? <Loading says={common('loading')} /> : fault
  const tasks = (data?.tasks ?? []).toSorted((a, b) => Number(isMine(b)) - Number(isMine(a)))
  if (tasks.length === 0)
    return (
      <Empty title={say('noTasks')}>
        <LinkButton to="/find" kind="primary">
          {say('find')}
        </LinkButton>
      </Empty>
    )
  const askedFor = (task: Task): string | null => askedOf(task, handedIn.data?.submissions, executorId)
  const [first] = tasks
  return (
    <div className="grid gap-8">
      {fault}
      {first !== undefined && isMine(first) && (
        <ul>
          <NextTask task={first} asked={askedFor(first)} />
        </ul>
      )}
      {partsOf(tasks).map(([part, ofPart]) =>
        ofPart.length === 0 ? null : (
          <section key={part} aria-labelledby={`work-${part}`} className="grid gap-3">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <h2 id={`work-${part}`}>{say(`part.${part}`)}</h2>
              <p className="text-sm text-quiet">
                {say(part === 'sessions' ? 'countSessions' : 'count', { n: ofPart.length })}
              </p>
            </div>
            <ul className="card rows py-1">
              {ofPart.map((task) =>
                isSession(task) ? (
                  <li key={task.id}>
                    <SessionRow task={task} side="worker" />
                  </li>
                ) : (
                  <TaskRow key={task.id} task={task} asked={isMine(task) ? askedFor(task) : null} />
                ),
              )}
            </ul>
          </section>
        ),
      )}
    </div>
  )
}

/** By whose turn it is; the first of one's own is shown before all of them. */
function partsOf(tasks: readonly Task[]) {
  const live = tasks.filter(({ next_action: next }) => next !== null)
  return [
    ['also', tasks.filter(isMine).slice(1)],
    ['sessions', live.filter(isSession)],
    ['waiting', live.filter((task) => !isSession(task) && !isMine(task))],
    ['over', tasks.filter(({ next_action: next }) => next === null)],
  ] as const
}

/** In a session nothing is handed in, whatever is next to a task. */
const isMine = (task: Task): boolean => !isSession(task) && isTurnOf(task.next_action, 'worker')

/** What the publisher wrote when it asked for changes. */
function askedOf(task: Task, returned: readonly Submission[] | undefined, executorId: string | null): string | null {
  return returned?.find((one) => one.task_id === task.id && one.executor_id === executorId)?.rejection_reason ?? null
}

type RowProps = { readonly task: Task; readonly asked: string | null }

/** One task in a line: what it is, whose turn it is, and what arrives; nothing does where it ended unpaid. */
function TaskRow({ task, asked }: RowProps): ReactNode {
  const say = useMessages(workMessages)
  const earned = useMessages(earnedMessages)
  const turn = useMessages(turnMessages)
  const payout = useSplit()?.(task.bounty_usd).payoutUsd
  const { next_action: next } = task
  return (
    <li className="flex flex-wrap items-start gap-x-3.5 gap-y-1.5">
      <Scene name={sceneOf[task.category]} className="size-12 flex-none" />
      {/* Large letters leave no room beside the rest: then it takes the line below. */}
      <div className="grid min-w-0 grow basis-24 justify-items-start gap-1.5">
        <h3 className="font-sans text-base font-label tracking-normal wrap-anywhere">
          <Link to="/tasks/$taskId" params={{ taskId: task.id }} className="hover:underline">
            {task.title}
          </Link>
        </h3>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
          {!isMine(task) && <StatusBadge status={task.status} />}
          {next !== null && !isMine(task) && turnSaid(turn, next, 'worker', { publisher: task.publisher_name })}
          {next !== null && (
            <span className="inline-flex items-center gap-1">
              <Icon name="clock" /> <TimeLeft until={next.by ?? task.deadline} />
            </span>
          )}
        </p>
        {asked !== null && <Note tone="warn" title={say('changes', { reason: asked })} />}
        {isMine(task) && <OwnStep task={task} asked={asked} />}
      </div>
      {!isUnpaid(task) && (
        <p className="ms-auto flex-none">
          <span className="visually-hidden">{earned(payout === undefined ? 'bounty' : 'youGet')} </span>
          <Money usd={payout ?? task.bounty_usd} inCents={payout !== undefined} />
        </p>
      )}
    </li>
  )
}

/** The way to what the worker has to do next; on a narrow screen it reaches below the amount. */
function OwnStep({ task, asked }: RowProps): ReactNode {
  const say = useMessages(workMessages)
  const waits = useWaits(task.id)
  const to = { params: { taskId: task.id }, kind: 'secondary', className: 'w-max px-4' } as const
  if (task.next_action?.what === 'answer_offer')
    return (
      <LinkButton to="/tasks/$taskId" {...to}>
        {say('answerOffer')}
      </LinkButton>
    )
  if (waits) return <p className="text-sm">{say('kept')}</p>
  return (
    <LinkButton to="/work/$taskId/submit" {...to}>
      {say(asked === null ? 'do' : 'again')}
    </LinkButton>
  )
}

/** What the person applied for; no other read than that of the whole account says it. */
export function Applications(): ReactNode {
  const say = useMessages(workMessages)
  const common = useMessages(commonMessages)
  const { data, error, refetch } = useRead('account.export', {}, { staleTime: 30_000 })
  if (data === undefined)
    return error === null ? <Loading says={common('loading')} /> : <ReadFault of={{ error, refetch }} />
  const applications = data.applications
    .map(readApplication)
    .filter((one) => one !== undefined)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  if (applications.length === 0)
    return (
      <Empty title={say('noApplications')}>
        <LinkButton to="/find" kind="primary">
          {say('find')}
        </LinkButton>
      </Empty>
    )
  return (
    <div className="grid gap-3">
      <ReadFault of={{ error, refetch }} />
      <ul className="grid gap-3">
        {applications.map((one) => (
          <ApplicationCard key={one.id} application={one} />
        ))}
      </ul>
    </div>
  )
}

function ApplicationCard({ application }: { readonly application: ApplicationRow }): ReactNode {
  const say = useMessages(workMessages)
  const format = useFormat()
  const now = useNow()
  return (
    <Card as="li" className="grid gap-2">
      <TaskName taskId={application.taskId} />
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[application.status]}>{say(`application.${application.status}`)}</Badge>
        <span className="text-sm text-quiet">{say('applied', { when: format.ago(application.createdAt, now) })}</span>
      </div>
    </Card>
  )
}

export function Submissions({ executorId }: { readonly executorId: string | null }): ReactNode {
  const say = useMessages(workMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const now = useNow()
  const { data, error, refetch } = useRead('submissions.list', { limit: 100 }, { refetchInterval: everyMs })
  if (data === undefined)
    return error === null ? <Loading says={common('loading')} /> : <ReadFault of={{ error, refetch }} />
  // The list holds what the caller received as a publisher as well.
  const own = data.submissions.filter((one) => one.executor_id === executorId)
  if (own.length === 0) return <Empty title={say('noSubmissions')} />
  return (
    <ul className="grid gap-3">
      {own.map((one) => (
        <Card as="li" key={one.id} className="grid gap-2">
          <TaskName taskId={one.task_id} />
          <div className="flex flex-wrap items-center gap-2">
            <Badge tone={tones[one.status]}>{say(`submission.${one.status}`)}</Badge>
            <span className="text-sm text-quiet">
              {say(one.verification === 'pending' ? 'checking' : 'ready')} ·{' '}
              {say('handedIn', { when: format.ago(one.submitted_at, now) })}
            </span>
          </div>
          <div>
            <LinkButton to="/submissions/$submissionId" params={{ submissionId: one.id }}>
              {say('seeSubmission')}
            </LinkButton>
          </div>
        </Card>
      ))}
    </ul>
  )
}

/** Rows that carry no title ask for the task; where it is gone, the way to it remains. */
function TaskName({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(workMessages)
  const { data } = useRead('tasks.get', { task_id: taskId }, { staleTime: 60_000 })
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 className="font-sans text-base font-strong tracking-normal">
        <Link to="/tasks/$taskId" params={{ taskId }} className="hover:underline">
          {data?.title ?? say('see')}
        </Link>
      </h2>
      {data !== undefined && !isUnpaid(data) && <Earned usd={data.bounty_usd} />}
    </div>
  )
}
