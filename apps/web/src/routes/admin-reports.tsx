import type { ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { choiceLink } from '../components/choice-link.ts'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { askedOf, perPage, placeOf, searchFrom } from '../features/admin/list-address.ts'
import { DecideDialog } from '../features/admin/reports/decide-dialog.tsx'
import { adminReportMessages } from '../features/admin/reports/messages.ts'
import { ReportRow } from '../features/admin/reports/report-row.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/admin/reports')
const statuses = ['open', 'closed'] as const
const everyMs = 15_000

/** What people reported, and what the operator does about it (decision 0120). */
export function AdminReportsScreen(): ReactNode {
  const say = useMessages(adminReportMessages)
  return (
    <Page title={say('title')} lead={say('lead')} wide>
      <OperatorGate>
        <AdminNav />
        <Which />
        <Reports />
      </OperatorGate>
    </Page>
  )
}

function Which(): ReactNode {
  const say = useMessages(adminReportMessages)
  const isClosed = route.useSearch()['status'] === 'closed'
  return (
    <nav aria-label={say('which')} className="flex flex-wrap gap-2">
      {statuses.map((status) => (
        <Link
          key={status}
          to="/admin/reports"
          search={status === 'open' ? {} : { status }}
          className={choiceLink.className}
          aria-current={isClosed === (status === 'closed') ? 'page' : undefined}
        >
          {say(status)}
        </Link>
      ))}
    </nav>
  )
}

function Reports(): ReactNode {
  const say = useMessages(adminReportMessages)
  const common = useMessages(commonMessages)
  const search = route.useSearch()
  const closeDialog = useCloseDialog()
  const offset = placeOf(search['from'])
  const here = searchFrom(search, offset)
  const { data, error, refetch } = useOperatorRead(
    'admin.reports',
    askedOf({ ...search, search: undefined }, statuses),
    offset === 0 ? { refetchInterval: everyMs } : {},
  )
  const failure = error !== null && (
    <Failure
      error={error}
      retry={() => {
        void refetch()
      }}
    />
  )
  if (data === undefined) return failure === false ? <Loading says={common('loading')} /> : failure
  return (
    <section aria-labelledby="found" className="grid gap-4">
      <h2 id="found" className="visually-hidden">
        {say('title')}
      </h2>
      {failure}
      <p role="status" className="text-quiet">
        {say('found', { n: data.total })}
      </p>
      {data.reports.length === 0 ? (
        <Empty title={say(search['status'] === 'closed' ? 'noneClosed' : 'none')}>
          <p className="text-quiet">{say('noneHelp')}</p>
        </Empty>
      ) : (
        <ul className="grid gap-3">
          {data.reports.map((report) => (
            <ReportRow key={report.id} report={report} here={here} />
          ))}
        </ul>
      )}
      <Pager
        previous={
          offset === 0 ? undefined : { to: '/admin/reports', search: searchFrom(search, Math.max(0, offset - perPage)) }
        }
        next={data.has_more ? { to: '/admin/reports', search: searchFrom(search, offset + perPage) } : undefined}
      />
      <DecideDialog
        asked={search['report']}
        report={data.reports.find(({ id }) => id === search['report'])}
        onClose={() => {
          closeDialog({ to: '/admin/reports', search: here })
        }}
      />
    </section>
  )
}
