import { useState, type ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Loading, Note } from '../components/surface.tsx'
import { Moment } from '../components/time.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { assetName, AssetTable } from '../features/admin/money/asset-table.tsx'
import { FindingList } from '../features/admin/money/finding-list.tsx'
import { moneyMessages } from '../features/admin/money/messages.ts'
import { MoneyState } from '../features/admin/money/money-state.tsx'
import { OpenFindings } from '../features/admin/money/open-findings.tsx'
import { SweepDialog, type Sweeps } from '../features/admin/money/sweep-dialog.tsx'
import { SweepOutcome } from '../features/admin/money/sweep-outcome.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/admin/money')
const everyMs = 10_000

/** Where ledger and chains differ and what to do about it, and the fees that wait for the treasury (decision 0059). */
export function AdminMoneyScreen(): ReactNode {
  const say = useMessages(moneyMessages)
  return (
    <Page title={say('title')} lead={say('lead')} wide>
      <OperatorGate>
        <AdminNav />
        <Money />
      </OperatorGate>
    </Page>
  )
}

function Money(): ReactNode {
  const say = useMessages(moneyMessages)
  const common = useMessages(commonMessages)
  const closeDialog = useCloseDialog()
  const { sweep } = route.useSearch()
  const [swept, setSwept] = useState<Sweeps>()
  const metrics = useOperatorRead('admin.metrics', {}, { refetchInterval: everyMs })
  const health = useRead('service.healthPayments', {}, { refetchInterval: everyMs })
  const retry = (): void => {
    void Promise.all([metrics.refetch(), health.refetch()])
  }
  const error = metrics.error ?? health.error
  if (metrics.data === undefined || health.data === undefined)
    return error === null ? <Loading says={common('loading')} /> : <Failure error={error} retry={retry} />
  const { assets, findings, findings_unresolved: open, oldest_finding_at: oldest } = metrics.data.money
  return (
    <>
      {error !== null && <Failure error={error} retry={retry} />}
      <MoneyState health={health.data} />
      <section aria-labelledby="findings" className="grid gap-3">
        <h2 id="findings">{say('findings')}</h2>
        <Note
          tone={open === 0 ? 'good' : 'bad'}
          role="status"
          title={open === 0 ? say('findingsNone') : say('findingsOpen', { n: open })}
        >
          {oldest !== null && (
            <p>
              {say('oldestFinding')} <Moment at={oldest} />
            </p>
          )}
        </Note>
        <p className="max-w-prose text-quiet">{say('where')}</p>
        <OpenFindings everyMs={everyMs} />
        <h3>{say('kinds')}</h3>
        <FindingList counts={findings} />
      </section>
      <section aria-labelledby="fees" className="grid gap-3">
        <h2 id="fees">{say('fees')}</h2>
        <p className="max-w-prose text-quiet">{say('feesHelp')}</p>
        {swept !== undefined && <SweepOutcome sweeps={swept} />}
        <h3>{say('assets')}</h3>
        <AssetTable assets={assets} />
      </section>
      <SweepDialog
        asset={assets.find((asset) => assetName(asset) === sweep && asset.fees_accrued_usd > 0)}
        onSwept={setSwept}
        onClose={() => {
          closeDialog({ to: '/admin/money', search: {} })
        }}
      />
    </>
  )
}
