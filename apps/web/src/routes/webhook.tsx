import { lazy, type ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { WhenNeeded } from '../components/when-needed.tsx'
import { DeliveryLog } from '../features/webhooks/delivery-log.tsx'
import { EndpointActions } from '../features/webhooks/endpoint-actions.tsx'
import type { Endpoint } from '../features/webhooks/endpoint-card.tsx'
import { EndpointFacts } from '../features/webhooks/endpoint-facts.tsx'
import { EndpointStatus } from '../features/webhooks/endpoint-status.tsx'
import { webhookMessages } from '../features/webhooks/messages.ts'
import { RemoveDialog } from '../features/webhooks/remove-dialog.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/webhooks/$webhookId')
const everyMs = 5_000
// The forms bring the schemas along.
const EditDialog = lazy(async () => ({ default: (await import('../features/webhooks/edit-dialog.tsx')).EditDialog }))
const RotateDialog = lazy(async () => ({
  default: (await import('../features/webhooks/rotate-dialog.tsx')).RotateDialog,
}))
const ReplayDialog = lazy(async () => ({
  default: (await import('../features/webhooks/replay-dialog.tsx')).ReplayDialog,
}))

/** One endpoint: its state, what was sent to it, and what came back. */
export function WebhookScreen(): ReactNode {
  const say = useMessages(webhookMessages)
  const common = useMessages(commonMessages)
  const { wallet } = useSession()
  const { webhookId } = route.useParams()
  const { data, error, refetch } = useRead(
    'webhooks.get',
    { webhook_id: webhookId },
    { enabled: typeof wallet === 'string', refetchInterval: everyMs },
  )
  if (wallet === null)
    return (
      <Page title={say('title')}>
        <SignedOut what={say('signedOut')} />
      </Page>
    )
  if (wallet === undefined)
    return (
      <Page title={say('title')}>
        <SessionUnknown />
      </Page>
    )
  if (error instanceof ErgonError && error.is('WEBHOOK_NOT_FOUND'))
    return (
      <Page title={say('lost')}>
        <Empty title={say('lostHelp')}>
          <LinkButton to="/webhooks">{say('toList')}</LinkButton>
        </Empty>
      </Page>
    )
  if (error !== null && data === undefined)
    return (
      <Page title={common('somethingWrong')}>
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      </Page>
    )
  if (data === undefined)
    return (
      <Page title={say('title')}>
        <Loading says={common('loading')} />
      </Page>
    )
  return <OwnEndpoint endpoint={data} />
}

function OwnEndpoint({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const say = useMessages(webhookMessages)
  const closeDialog = useCloseDialog()
  const search = route.useSearch()
  const { do: doing, ...kept } = search
  const close = (): void => {
    closeDialog({ to: '/webhooks/$webhookId', params: { webhookId: endpoint.webhook_id }, search: kept })
  }
  const id = endpoint.webhook_id
  return (
    <Page
      title={hostOf(endpoint.url)}
      lead={<span className="font-mono">{endpoint.url}</span>}
      wide
      actions={
        <Link to="/webhooks" className="link inline-flex min-h-6 items-center">
          {say('toList')}
        </Link>
      }
    >
      <div className="flex flex-wrap items-center gap-3">
        <EndpointStatus status={endpoint.status} />
        {endpoint.description !== null && <span className="wrap-anywhere">{endpoint.description}</span>}
      </div>
      <EndpointActions endpoint={endpoint} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <DeliveryLog endpoint={endpoint} search={search} />
        <EndpointFacts endpoint={endpoint} />
      </div>
      <WhenNeeded needed={doing === 'edit'}>
        <EditDialog endpoint={endpoint} open={doing === 'edit'} onClose={close} />
      </WhenNeeded>
      <WhenNeeded needed={doing === 'rotate'}>
        <RotateDialog webhookId={id} open={doing === 'rotate'} onClose={close} />
      </WhenNeeded>
      <WhenNeeded needed={doing === 'replay'}>
        <ReplayDialog webhookId={id} open={doing === 'replay'} onClose={close} />
      </WhenNeeded>
      <RemoveDialog endpoint={endpoint} open={doing === 'delete'} onClose={close} />
    </Page>
  )
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url
