import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { AuditFilter } from '../features/admin/audit/audit-filter.tsx'
import { AuditList } from '../features/admin/audit/audit-list.tsx'
import { auditMessages } from '../features/admin/audit/messages.ts'
import { readAddress, toAddress } from '../features/admin/audit/page-address.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/admin/audit')
const perPage = 20
const everyMs = 15_000

/** What was done with the admin key (spec §4). */
export function AdminAuditScreen(): ReactNode {
  const say = useMessages(auditMessages)
  return (
    <Page title={say('title')} lead={say('lead')} wide>
      <OperatorGate>
        <AdminNav />
        <AuditLog />
      </OperatorGate>
    </Page>
  )
}

function AuditLog(): ReactNode {
  const say = useMessages(auditMessages)
  const common = useMessages(commonMessages)
  const { subject, offset } = readAddress(route.useSearch())
  // The latest page moves on by itself; an older page stays as it is.
  const { data, error, refetch } = useOperatorRead(
    'admin.audit',
    { limit: perPage, offset, ...(subject === undefined ? {} : { subject }) },
    offset === 0 ? { refetchInterval: everyMs } : {},
  )
  const at = (to: number): { readonly to: '/admin/audit'; readonly search: Record<string, string> } => ({
    to: '/admin/audit',
    search: toAddress({ subject, offset: to }),
  })
  return (
    <>
      <AuditFilter key={subject ?? ''} subject={subject} />
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {data === undefined && error === null && <Loading says={common('loading')} />}
      {data !== undefined && (
        <section className="grid gap-4">
          <h2 className="visually-hidden">{say('list')}</h2>
          <p role="status" className="text-quiet [overflow-wrap:anywhere]">
            {subject === undefined ? say('found', { n: data.total }) : say('foundOf', { n: data.total, subject })}
          </p>
          {data.lines.length > 0 && <AuditList lines={data.lines} subject={subject} />}
          {data.lines.length === 0 && data.total > 0 && (
            <Empty title={say('beyond')}>
              <LinkButton {...at(0)}>{say('latest')}</LinkButton>
            </Empty>
          )}
          {data.total === 0 && (
            <Empty title={say(subject === undefined ? 'none' : 'noneOf')}>
              <p className="text-quiet">{say('noneHelp')}</p>
            </Empty>
          )}
          {data.total > perPage && data.lines.length > 0 && (
            <p className="text-sm text-quiet">
              {say('pages', { first: offset + 1, last: offset + data.lines.length, total: data.total })}
            </p>
          )}
          <Pager
            previous={offset > 0 && data.lines.length > 0 ? at(Math.max(0, offset - perPage)) : undefined}
            next={data.has_more ? at(offset + perPage) : undefined}
          />
        </section>
      )}
    </>
  )
}
