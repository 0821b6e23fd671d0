import type { ReactNode } from 'react'
import { limits } from '@ergon/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { isOpen } from '../features/tools/cap-words.ts'
import { EndAllDialog, EndDialog } from '../features/tools/end-dialog.tsx'
import { FirstTool, NoTools } from '../features/tools/first-tool.tsx'
import { toolMessages } from '../features/tools/messages.ts'
import { ToolCard } from '../features/tools/tool-card.tsx'
import { ToolLog } from '../features/tools/tool-log.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/account/tools')
const perPage = 20
/** A tool is used elsewhere; the page follows. */
const everyMs = 30_000

/** The tools that act for the wallet, and the way to take that back. */
export function ToolsScreen(): ReactNode {
  const say = useMessages(toolMessages)
  const { wallet } = useSession()
  return (
    <Page title={say('title')} lead={say('lead')}>
      {wallet === null && <SignedOut what={say('signedOut')} />}
      {wallet === undefined && <SessionUnknown />}
      {typeof wallet === 'string' && <WhereOn />}
    </Page>
  )
}

/** Asks first whether tools are let in at all: where they are not, there is nothing to ask for. */
function WhereOn(): ReactNode {
  const common = useMessages(commonMessages)
  const { data, error } = useRead('auth.info', {})
  if (error !== null && data === undefined) return <Failure error={error} />
  if (data === undefined) return <Loading says={common('loading')} />
  const isOn = data.modes.some(({ name, enabled }) => name === 'oauth' && enabled)
  if (isOn) return <Tools />
  return <NoTools />
}

function Tools(): ReactNode {
  const say = useMessages(toolMessages)
  const common = useMessages(commonMessages)
  const { offset: asked = '', before } = route.useSearch()
  const offset = /^\d{1,6}$/.test(asked) ? Math.min(Number(asked), limits.offsetMax) : 0
  const { data, error, refetch } = useRead(
    'grants.list',
    { limit: perPage, offset },
    offset === 0 ? { refetchInterval: everyMs } : {},
  )
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
  if (data.total === 0) return <FirstTool />
  const at = (to: number): { readonly to: '/account/tools'; readonly search: Record<string, string> } => ({
    to: '/account/tools',
    search: to === 0 ? {} : { offset: String(to) },
  })
  return (
    <>
      <Grants grants={data.grants} />
      {data.count === 0 && (
        <Empty title={say('beyond')}>
          <LinkButton {...at(0)}>{say('latest')}</LinkButton>
        </Empty>
      )}
      <Pager
        previous={offset > 0 && data.count > 0 ? at(Math.max(0, offset - perPage)) : undefined}
        next={data.has_more ? at(offset + perPage) : undefined}
      />
      <ToolLog before={before} />
      <div>
        <Link to="/developers" hash="connect" className="link inline-flex min-h-6 items-center">
          {say('how')}
        </Link>
      </div>
    </>
  )
}

type GrantsProps = { readonly grants: readonly Parameters<typeof ToolCard>[0]['grant'][] }

/** Those that can do something first, whatever came after them. */
function Grants({ grants }: GrantsProps): ReactNode {
  const say = useMessages(toolMessages)
  const { end, ...rest } = route.useSearch()
  const closeDialog = useCloseDialog()
  const close = (): void => {
    closeDialog({ to: '/account/tools', search: rest })
  }
  const open = grants.filter(isOpen)
  const over = grants.filter((one) => !isOpen(one))
  const meant = grants.find(({ grant_id: id }) => id === end)
  return (
    <>
      <section aria-labelledby="tools-open" className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="tools-open">{say('count', { n: open.length })}</h2>
          {open.length > 1 && (
            <LinkButton to="/account/tools" search={{ ...rest, end: 'all' }} resetScroll={false} kind="danger">
              {say('endAll')}
            </LinkButton>
          )}
        </div>
        {open.length > 0 && (
          <ul className="grid gap-3">
            {open.map((grant) => (
              <ToolCard key={grant.grant_id} grant={grant} />
            ))}
          </ul>
        )}
      </section>
      {over.length > 0 && (
        <section aria-labelledby="tools-over" className="grid gap-3">
          <h2 id="tools-over">{say('earlier')}</h2>
          <ul className="grid gap-3">
            {over.map((grant) => (
              <ToolCard key={grant.grant_id} grant={grant} />
            ))}
          </ul>
        </section>
      )}
      <EndAllDialog open={end === 'all'} onClose={close} />
      <EndDialog grant={meant} open={end !== undefined && end !== 'all'} onClose={close} />
    </>
  )
}
