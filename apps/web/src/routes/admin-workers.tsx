import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Loading } from '../components/surface.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { askedOf, perPage, placeOf, searchFrom } from '../features/admin/list-address.ts'
import { ListFilters, NothingFound } from '../features/admin/list-filters.tsx'
import { anyWallet, BanDialog } from '../features/admin/workers/ban-dialog.tsx'
import { adminWorkerMessages } from '../features/admin/workers/messages.ts'
import { WorkerRow } from '../features/admin/workers/worker-row.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'

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
  const common = useMessages(commonMessages)
  const search = route.useSearch()
  const offset = placeOf(search['from'])
  const { data, error, refetch } = useOperatorRead('admin.workers', askedOf(search, statuses))
  if (data === undefined)
    return error === null ? (
      <Loading says={common('loading')} />
    ) : (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  return (
    <>
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      <p role="status" className="text-quiet">
        {say('found', { n: data.total })}
      </p>
      {data.workers.length === 0 ? (
        <NothingFound to="/admin/workers" search={search} none={say('none')} noneAtAll={say('noneAtAll')} />
      ) : (
        <ul className="grid gap-3">
          {data.workers.map((known) => (
            <WorkerRow key={known.wallet_address} known={known} here={searchFrom(search, offset)} />
          ))}
        </ul>
      )}
      <Pager
        previous={
          offset === 0 ? undefined : { to: '/admin/workers', search: searchFrom(search, Math.max(0, offset - perPage)) }
        }
        next={data.has_more ? { to: '/admin/workers', search: searchFrom(search, offset + perPage) } : undefined}
      />
    </>
  )
}
