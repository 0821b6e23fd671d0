import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { PersonChip } from '../../components/person.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Badge } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { assignMessages } from './messages.ts'

export type Applicant = Output<'h2a.applications'>['applications'][number]

const cell =
  'block py-1 align-top before:mr-2 before:text-sm before:text-quiet before:content-[attr(data-name)] md:table-cell md:px-3 md:py-3 md:before:content-none'

/** Applicants side by side on a wide screen, one after the other on a narrow one; the same table for every reader. */
export function ApplicantTable({
  taskId,
  applicants,
  canChoose,
}: {
  readonly taskId: string
  readonly applicants: readonly Applicant[]
  readonly canChoose: boolean
}): ReactNode {
  const say = useMessages(assignMessages)
  const columns = ['person', 'reputation', 'completed', 'rating', 'correlation', 'note'] as const
  return (
    <table className="block w-full text-left md:table">
      <caption className="visually-hidden">{say('caption')}</caption>
      <thead className="hidden md:table-header-group">
        <tr className="border-b border-line text-sm text-quiet">
          {columns.map((name) => (
            <th key={name} scope="col" className="px-3 py-2 font-semibold">
              {say(name)}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">{say('choose')}</span>
          </th>
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {applicants.map((applicant) => (
          <ApplicantRow key={applicant.id} taskId={taskId} applicant={applicant} canChoose={canChoose} />
        ))}
      </tbody>
    </table>
  )
}

function ApplicantRow({
  taskId,
  applicant,
  canChoose,
}: {
  readonly taskId: string
  readonly applicant: Applicant
  readonly canChoose: boolean
}): ReactNode {
  const say = useMessages(assignMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const { effective_reputation_score: score, avg_rating: rating } = applicant
  return (
    <tr className="mb-3 block rounded-xl border border-line p-3 md:mb-0 md:table-row md:border-0 md:border-b md:p-0">
      <th scope="row" data-name="" className="block font-normal md:table-cell md:px-3 md:py-3 md:align-top">
        <Link
          to="/people/$workerId"
          params={{ workerId: applicant.executor_id }}
          className="inline-flex min-h-11 items-center wrap-anywhere hover:underline"
        >
          <PersonChip address={applicant.wallet_address} name={applicant.display_name} />
        </Link>
        <span className="block text-sm text-quiet">
          {say('applied')} <Moment at={applicant.created_at} />
        </span>
      </th>
      <td data-name={say('reputation')} className={`${cell} numbers`}>
        {score === null
          ? common('unrated')
          : say('outOf100', { score: format.number(score, { maximumFractionDigits: 1 }) })}
      </td>
      <td data-name={say('completed')} className={`${cell} numbers`}>
        {format.number(applicant.tasks_completed)}
      </td>
      <td data-name={say('rating')} className={`${cell} numbers`}>
        {rating === null
          ? common('unrated')
          : say('outOf5', { score: format.number(rating, { maximumFractionDigits: 1 }) })}
      </td>
      <td data-name={say('correlation')} className={cell}>
        <Correlation applicant={applicant} />
      </td>
      <td data-name={say('note')} className={`${cell} whitespace-pre-line`}>
        {applicant.message ?? '–'}
      </td>
      <td className="block pt-2 md:table-cell md:py-3 md:align-top">
        {canChoose && (
          <LinkButton
            to="/my/tasks/$taskId"
            params={{ taskId }}
            search={{ choose: applicant.executor_id }}
            resetScroll={false}
            kind="primary"
          >
            {say('choose')}
            <span className="visually-hidden">{` ${applicant.display_name ?? ''} ${applicant.wallet_address}`}</span>
          </LinkButton>
        )}
      </td>
    </tr>
  )
}

function Correlation({ applicant: { counterparty_correlation: known } }: { readonly applicant: Applicant }): ReactNode {
  const say = useMessages(assignMessages)
  if (known === null || known.total_completed === 0) return say('noHistory')
  return known.flagged ? (
    <Badge tone="warn">{say('flagged', { with: known.tasks_with_this_publisher, total: known.total_completed })}</Badge>
  ) : (
    say('clear', { distinct: known.distinct_publishers })
  )
}
