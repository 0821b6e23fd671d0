import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { askedOf, placeOf, searchFrom } from '../features/admin/list-address.ts'
import { FoundList } from '../features/admin/found-list.tsx'
import { ListFilters } from '../features/admin/list-filters.tsx'
import { anyWallet, BanDialog } from '../features/admin/workers/ban-dialog.tsx'
import { adminWorkerMessages } from '../features/admin/workers/messages.ts'
import { WorkerRow } from '../features/admin/workers/worker-row.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { useCloseDialog } from '../lib/way-back.ts'

const route = getRouteApi('/admin/workers')
const statuses = ['active', 'banned'] as const

/** Who works here and who is banned, and the way to ban a wallet or let it in again (spec §5.10). */
export function AdminWorkersScreen(): ReactNode {
  const say = useMessages(adminWorkerMessages)
  return (
    <Page title={say('title')} lead={say('lead')} wide>
      <OperatorGate>
        <AdminNav />
        <Workers />
      </OperatorGate>
    </Page>
  )
}

function Workers(): ReactNode {
  const say = useMessages(adminWorkerMessages)
  const search = route.useSearch()
  const closeDialog = useCloseDialog()
  const here = searchFrom(search, placeOf(search['from']))
  return (
    <div className="grid gap-4">
      <ListFilters
        to="/admin/workers"
        search={search}
        statuses={statuses.map((status) => [status, say(status)])}
        searchHint={say('searchHint')}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <LinkButton to="/admin/workers" search={{ ...here, ban: anyWallet }} resetScroll={false}>
          {say('banWallet')}
        </LinkButton>
        <p className="text-sm text-quiet">{say('banWalletHelp')}</p>
      </div>
      <section aria-labelledby="found" className="grid gap-4">
        <h2 id="found" className="visually-hidden">
          {say('title')}
        </h2>
        <Found />
      </section>
      <BanDialog
        asked={search['ban']}
        onClose={() => {
          closeDialog({ to: '/admin/workers', search: here })
        }}
      />
    </div>
  )
}

function Found(): ReactNode {
  const say = useMessages(adminWorkerMessages)
  const search = route.useSearch()
  const read = useOperatorRead('admin.workers', askedOf(search, statuses))
  return (
    <FoundList
      read={read}
      to="/admin/workers"
      search={search}
      say={({ total }) => ({ found: say('found', { n: total }), none: say('none'), noneAtAll: say('noneAtAll') })}
      rows={({ workers }) =>
        workers.length === 0 ? null : (
          <ul className="grid gap-3">
            {workers.map((known) => (
              <WorkerRow key={known.wallet_address} known={known} here={searchFrom(search, placeOf(search['from']))} />
            ))}
          </ul>
        )
      }
    />
  )
}
