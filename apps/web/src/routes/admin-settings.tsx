import type { ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Card, Facts, Loading } from '../components/surface.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { settingsMessages } from '../features/admin/settings/messages.ts'
import { SettingDialog } from '../features/admin/settings/setting-dialog.tsx'
import { SettingTable } from '../features/admin/settings/setting-table.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/admin/settings')
const everyMs = 15_000
const feeUnit = 10_000

/** What can be changed while the service runs, within which bounds (decision 0058). */
export function AdminSettingsScreen(): ReactNode {
  const say = useMessages(settingsMessages)
  return (
    <Page title={say('title')} lead={say('lead')} wide>
      <OperatorGate>
        <AdminNav />
        <Settings />
      </OperatorGate>
    </Page>
  )
}

function Settings(): ReactNode {
  const say = useMessages(settingsMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const closeDialog = useCloseDialog()
  const { change, back } = route.useSearch()
  const { data, error, refetch } = useOperatorRead('admin.readConfig', {}, { refetchInterval: everyMs })
  if (error !== null && data === undefined)
    return (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  if (data === undefined) return <Loading says={common('loading')} />
  const { settings, fixed } = data
  const isBack = back !== undefined
  return (
    <>
      <SettingTable settings={settings} />
      <p>
        <Link to="/admin/audit" className="link inline-flex min-h-6 items-center">
          {say('log')}
        </Link>
      </p>
      <Card as="section" className="grid max-w-3xl gap-3">
        <h2>{say('fixed')}</h2>
        <p className="text-quiet">{say('fixedSays')}</p>
        <Facts
          rows={[
            [say('fee'), format.number(fixed.fee_bps / feeUnit, { style: 'percent', maximumFractionDigits: 2 })],
            [say('mode'), say(`mode.${fixed.payment_mode}`)],
          ]}
        />
      </Card>
      <SettingDialog
        setting={settings.find(({ key, changed }) => (isBack ? key === back && changed : key === change))}
        settings={settings}
        isBack={isBack}
        onClose={() => {
          closeDialog({ to: '/admin/settings', search: {} })
        }}
      />
    </>
  )
}
