import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { LinkButton } from '../../../components/button.tsx'
import { Hashes } from '../../../components/hashes.tsx'
import { Badge, Card, type Tone } from '../../../components/surface.tsx'
import { Moment } from '../../../components/time.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import type { Search } from '../../../lib/search.ts'
import { Detail } from '../detail.tsx'
import { KnownPerson } from '../known-person.tsx'
import { adminReportMessages } from './messages.ts'

export type AdminReport = Output<'admin.reports'>['reports'][number]

const tones: Readonly<Record<AdminReport['state'], Tone>> = {
  open: 'warn',
  dismissed: 'brand',
  hidden: 'bad',
  banned: 'bad',
  taken_down: 'bad',
}

/** One report: what it is about, who says what, and what was done about it. `here` is the list it is in. */
export function ReportRow({ report, here }: { readonly report: AdminReport; readonly here: Search }): ReactNode {
  const say = useMessages(adminReportMessages)
  const name = report.title ?? say('untitled')
  return (
    <Card as="li" className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="wrap-anywhere">
          <About report={report}>{name}</About>
        </h3>
        <div className="flex flex-wrap gap-2">
          {report.is_hidden && report.state !== 'hidden' && <Badge tone="bad">{say('isHidden')}</Badge>}
          {report.is_banned && report.state !== 'banned' && <Badge tone="bad">{say('isBanned')}</Badge>}
          <Badge tone={tones[report.state]}>{say(`state.${report.state}`)}</Badge>
        </div>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-label">{say(`reason.${report.reason}`)}</span>
        <span className="text-sm text-quiet">
          {say(`target.${report.target}`)} · <Moment at={report.created_at} />
        </span>
      </p>
      {report.note !== null && (
        <blockquote className="rounded-control bg-warm px-4 py-3 wrap-anywhere">{report.note}</blockquote>
      )}
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        <Detail name={say('wallet')}>
          {report.wallet_address === null ? say('nobody') : <KnownPerson wallet={report.wallet_address} />}
        </Detail>
        <Detail name={say('reporter')}>
          <KnownPerson wallet={report.reporter} />
        </Detail>
        {report.taken_down !== null && (
          <Detail name={say('hashes')} wide>
            <Hashes taken={report.taken_down} />
          </Detail>
        )}
        {report.operator_note !== null && (
          <Detail name={say('ownNote')} wide>
            {report.operator_note}
          </Detail>
        )}
      </dl>
      <div>
        <LinkButton to="/admin/reports" search={{ ...here, report: report.id }} resetScroll={false}>
          {say('act')}
          <span className="visually-hidden">{`: ${name}`}</span>
        </LinkButton>
      </div>
    </Card>
  )
}

function About({ report, children }: { readonly report: AdminReport; readonly children: ReactNode }): ReactNode {
  const { target, target_id: id, task_id: taskId } = report
  if (taskId !== null)
    return (
      <Link to="/tasks/$taskId" params={{ taskId }} className="hover:underline">
        {children}
      </Link>
    )
  if (target === 'worker')
    return (
      <Link to="/people/$workerId" params={{ workerId: id }} className="hover:underline">
        {children}
      </Link>
    )
  if (target === 'listing')
    return (
      <Link to="/services/$listingId" params={{ listingId: id }} className="hover:underline">
        {children}
      </Link>
    )
  return children
}
