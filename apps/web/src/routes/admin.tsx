import type { ReactNode } from 'react'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Loading, Note } from '../components/surface.tsx'
import { useNow } from '../components/time.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { Attention } from '../features/admin/metrics/attention.tsx'
import { metricsMessages } from '../features/admin/metrics/messages.ts'
import { MoneyByNetwork } from '../features/admin/metrics/money-by-network.tsx'
import { ProcessCounts, WorkCounts } from '../features/admin/metrics/plain-counts.tsx'
import { TasksByStatus } from '../features/admin/metrics/tasks-by-status.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { commonMessages } from '../messages/common-messages.ts'

const everyMs = 15_000

/** How the market and the service are doing, for whoever runs them (spec §5.10). */
export function AdminScreen(): ReactNode {
  const say = useMessages(metricsMessages)
  return (
    <Page title={say('title')} lead={say('lead')} wide>
      <OperatorGate>
        <AdminNav />
        <Metrics />
      </OperatorGate>
    </Page>
  )
}

function Metrics(): ReactNode {
  const say = useMessages(metricsMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const now = useNow()
  const { data, error, refetch } = useOperatorRead('admin.metrics', {}, { refetchInterval: everyMs })
  if (data === undefined)
    return error === null ? (
      <Loading says={common('loading')} rows={5} />
    ) : (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  return (
    <div className="grid gap-8">
      {error !== null && (
        <>
          <Note tone="warn" title={say('notFresh')} />
          <Failure
            error={error}
            retry={() => {
              void refetch()
            }}
          />
        </>
      )}
      <p className="text-sm text-quiet">{say('counted', { ago: format.ago(data.at, now) })}</p>
      <Attention metrics={data} />
      <div className="grid items-start gap-8 lg:grid-cols-2">
        <TasksByStatus tasks={data.tasks} />
        <MoneyByNetwork money={data.money} />
      </div>
      <WorkCounts metrics={data} />
      <ProcessCounts metrics={data} />
    </div>
  )
}
