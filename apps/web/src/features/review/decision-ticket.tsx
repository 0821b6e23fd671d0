import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useDecider } from '../../components/deciders/use-decider.ts'
import { Icon } from '../../components/icon.tsx'
import { LinkButton } from '../../components/button.tsx'
import { useDue } from '../../components/metered/use-due.ts'
import { Money } from '../../components/money.tsx'
import { SplitBar } from '../../components/split-bar.tsx'
import { Ticket } from '../../components/ticket.tsx'
import { useNow } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { reviewMessages } from './messages.ts'

const hourMs = 3_600_000

type TicketProps = {
  readonly task: Output<'h2a.get'>
  readonly submission: Output<'h2a.submissions'>['submissions'][number]
  readonly worker: string | undefined
}

/** What is paid and to whom, the three ways, and what happens with the money on each, also if nothing is said. */
export function DecisionTicket({ task, submission, worker }: TicketProps): ReactNode {
  const say = useMessages(reviewMessages)
  const who = useDecider(task)
  const to = { to: '/my/tasks/$taskId/review', params: { taskId: task.id }, resetScroll: false } as const
  return (
    <Ticket
      stub={
        <div className="grid gap-3">
          <LinkButton {...to} search={{ submission: submission.id, do: 'approve' }} kind="primary">
            {say('approve')}
          </LinkButton>
          <LinkButton {...to} search={{ submission: submission.id, do: 'changes' }}>
            {say('changes')}
          </LinkButton>
          <p className="text-center text-micro text-quiet">{say('changesMoney')}</p>
          <LinkButton {...to} search={{ submission: submission.id, do: 'reject' }} kind="danger">
            {say('reject')}
          </LinkButton>
          <p className="text-center text-micro text-quiet">{say('rejectMoney', { who })}</p>
        </div>
      }
    >
      <Amounts task={task} worker={worker} />
      <Silence task={task} submittedAt={submission.submitted_at} />
    </Ticket>
  )
}

function Amounts({ task, worker }: Pick<TicketProps, 'task' | 'worker'>): ReactNode {
  const say = useMessages(reviewMessages)
  const format = useFormat()
  const due = useDue(task)
  const feeBps = useRead('payments.fees', {}, { staleTime: Infinity }).data?.fee_bps
  if (due === undefined) return null
  const { isMetered, totalUsd, split } = due
  return (
    <div className="grid gap-3">
      <p className="grid gap-1">
        <span className="text-sm text-quiet">{say(isMetered ? 'youPayAccepted' : 'youPay')}</span>
        <Money usd={totalUsd} look="hero" />
      </p>
      {split !== undefined && feeBps !== undefined && (
        <>
          <SplitBar feeBps={feeBps} />
          <dl className="slip-rows text-[0.9375rem]">
            <div>
              <dt className="text-quiet">{worker === undefined ? say('workerGets') : say('gets', { worker })}</dt>
              <dd>
                <Money usd={split.payoutUsd} />
              </dd>
            </div>
            <div>
              <dt className="text-quiet">{say('feeShare', { share: format.percent(feeBps / 10_000) })}</dt>
              <dd>
                <Money usd={split.feeUsd} />
              </dd>
            </div>
          </dl>
        </>
      )}
    </div>
  )
}

/** How long there is to look, and what saying nothing does then. */
function Silence({
  task,
  submittedAt,
}: {
  readonly task: TicketProps['task']
  readonly submittedAt: string
}): ReactNode {
  const say = useMessages(reviewMessages)
  const format = useFormat()
  const now = useNow()
  const who = useDecider(task)
  const { policy } = task
  if (policy === null) return null
  const ends = new Date(Date.parse(submittedAt) + policy.review_hours * hourMs).toISOString()
  return (
    <p className="mt-4 flex gap-2.5 rounded-control bg-sunken px-4 py-3 text-sm">
      <Icon name="clock" className="mt-0.5 text-[1.1rem]" />
      <span>
        {say(`silence.${policy.on_silence}`, { left: format.relative(ends, now), who })}{' '}
        <time dateTime={ends} className="text-quiet">
          {format.dateTime(ends)}
        </time>
      </span>
    </p>
  )
}
