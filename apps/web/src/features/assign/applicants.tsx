import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { LinkButton } from '../../components/button.tsx'
import { PersonChip } from '../../components/person.tsx'
import { Badge, Card } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { assignMessages } from './messages.ts'

export type Applicant = Output<'h2a.applications'>['applications'][number]

type ListProps = {
  readonly taskId: string
  readonly applicants: readonly Applicant[]
  readonly canChoose: boolean
}

/** Who applied: the person first, then what they say, then what is known of them. */
export function ApplicantList({ taskId, applicants, canChoose }: ListProps): ReactNode {
  const say = useMessages(assignMessages)
  return (
    <ul aria-label={say('caption')} className="grid gap-3">
      {applicants.map((applicant) => (
        <ApplicantCard key={applicant.id} taskId={taskId} applicant={applicant} canChoose={canChoose} />
      ))}
    </ul>
  )
}

type CardProps = { readonly taskId: string; readonly applicant: Applicant; readonly canChoose: boolean }

function ApplicantCard({ taskId, applicant, canChoose }: CardProps): ReactNode {
  const say = useMessages(assignMessages)
  const { effective_reputation_score: score, tasks_completed: done } = applicant
  const count = applicant.counterparty_correlation?.total_completed ?? done
  return (
    <Card as="li" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Link
          to="/people/$workerId"
          params={{ workerId: applicant.executor_id }}
          className="inline-flex min-h-11 min-w-0 items-center hover:underline"
        >
          <PersonChip
            address={applicant.wallet_address}
            party={applicant.executor_type}
            name={applicant.display_name}
            picture={applicant.picture_url}
            rated={score === null ? { score: null, count: 0 } : { score, count: Math.max(count, 1) }}
            counted={false}
            size={44}
          />
        </Link>
        <span className="text-sm text-quiet">
          {say('applied')} <Moment at={applicant.created_at} />
        </span>
      </div>
      {applicant.message !== null && (
        <p className="rounded-control bg-warm px-4 py-3 wrap-anywhere whitespace-pre-line">{applicant.message}</p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-quiet">
          <span>{say('doneCount', { n: done })}</span>
          <Correlation applicant={applicant} />
        </p>
        {canChoose && (
          <LinkButton
            to="/my/tasks/$taskId"
            params={{ taskId }}
            search={{ choose: applicant.executor_id }}
            resetScroll={false}
            kind="primary"
            className="max-wide:w-full"
          >
            {say('choose')}
            <span className="visually-hidden">{` ${applicant.display_name ?? ''} ${applicant.wallet_address}`}</span>
          </LinkButton>
        )}
      </div>
    </Card>
  )
}

function Correlation({ applicant: { counterparty_correlation: known } }: { readonly applicant: Applicant }): ReactNode {
  const say = useMessages(assignMessages)
  if (known === null || known.total_completed === 0) return null
  return known.flagged ? (
    <Badge tone="warn" icon="warning-fill">
      {say('flagged', { with: known.tasks_with_this_publisher, total: known.total_completed })}
    </Badge>
  ) : (
    <span>· {say('clear', { distinct: known.distinct_publishers })}</span>
  )
}
