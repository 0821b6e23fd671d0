import { lazy, type ReactNode } from 'react'
import { webhookLimits } from '@ergon/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading, Note } from '../components/surface.tsx'
import { Timeline } from '../components/timeline.tsx'
import { WhenNeeded } from '../components/when-needed.tsx'
import { EndpointCard } from '../features/webhooks/endpoint-card.tsx'
import { webhookMessages } from '../features/webhooks/messages.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/webhooks')
// The form brings the schemas along.
const CreateDialog = lazy(async () => ({
  default: (await import('../features/webhooks/create-dialog.tsx')).CreateDialog,
}))

/** The endpoints of the person: where their feed is posted. */
export function WebhooksScreen(): ReactNode {
  const say = useMessages(webhookMessages)
  const { wallet } = useSession()
  return (
    <Page title={say('title')} lead={say('lead')}>
      {wallet === null ? (
        <SignedOut what={say('signedOut')} />
      ) : wallet === undefined ? (
        <SessionUnknown />
      ) : (
        <Endpoints />
      )}
      <div>
        <Link to="/developers" className="link inline-flex min-h-6 items-center">
          {say('how')}
        </Link>
      </div>
    </Page>
  )
}

function Endpoints(): ReactNode {
  const say = useMessages(webhookMessages)
  const common = useMessages(commonMessages)
  const closeDialog = useCloseDialog()
  const { dialog } = route.useSearch()
  const { wallet } = useSession()
  const { data, error, refetch } = useRead('webhooks.list', {}, { enabled: typeof wallet === 'string' })
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
  const most = webhookLimits.endpointsMax
  const isFull = data.webhooks.length >= most
  return (
    <div className="grid gap-4">
      {data.webhooks.length === 0 ? (
        <NoEndpoint />
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p role="status" className="text-quiet">
              {say('count', { n: data.webhooks.length, most })}
            </p>
            {!isFull && <AddButton />}
          </div>
          {isFull && <Note tone="warn" title={say('full', { most })} />}
          <ul className="grid gap-3">
            {data.webhooks.map((endpoint) => (
              <EndpointCard key={endpoint.webhook_id} endpoint={endpoint} />
            ))}
          </ul>
        </>
      )}
      <WhenNeeded needed={dialog === 'new'}>
        <CreateDialog
          open={dialog === 'new'}
          onClose={() => {
            closeDialog({ to: '/webhooks', search: {} })
          }}
        />
      </WhenNeeded>
    </div>
  )
}

function AddButton(): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <LinkButton to="/webhooks" search={{ dialog: 'new' }} resetScroll={false} kind="primary">
      {say('add')}
    </LinkButton>
  )
}

/** Before the first one: the way to it, and what happens from then on. */
function NoEndpoint(): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <>
      <Empty title={say('none')} scene="code">
        <p className="text-quiet">{say('noneHelp')}</p>
        <AddButton />
      </Empty>
      <section className="grid gap-3 pt-4">
        <h2>{say('steps')}</h2>
        <Timeline
          steps={[
            { title: say('step1'), detail: say('step1How'), state: 'now' },
            { title: say('step2'), detail: say('step2How'), state: 'to-come' },
            { title: say('step3'), detail: say('step3How'), state: 'to-come' },
          ]}
        />
      </section>
    </>
  )
}
