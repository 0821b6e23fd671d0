import type { ReactNode } from 'react'
import { webhookDeliveryStatuses, type WebhookDeliveryStatus } from '@ergon/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { LinkButton } from '../../components/button.tsx'
import { choiceLink } from '../../components/choice-link.ts'
import { Failure } from '../../components/failure.tsx'
import { Empty, Loading } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import type { Search } from '../../lib/search.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { DeliveryElsewhere } from './delivery-elsewhere.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import type { Endpoint } from './endpoint-card.tsx'
import { webhookMessages } from './messages.ts'

const everyMs = 3_000

// An open delivery in the address does not make the list another one.
const currentIf = (isCurrent: boolean): { readonly 'aria-current'?: 'page' } =>
  isCurrent ? { 'aria-current': 'page' } : {}

type LogProps = { readonly endpoint: Endpoint; readonly search: Search }

/** What was sent to an endpoint and what came back. */
export function DeliveryLog({ endpoint, search }: LogProps): ReactNode {
  const say = useMessages(webhookMessages)
  const common = useMessages(commonMessages)
  const navigate = useNavigate()
  const to = logOf(endpoint.webhook_id)
  const status = webhookDeliveryStatuses.find((one) => one === search['status'])
  const { cursor, delivery: opened } = search
  const log = useRead(
    'webhooks.deliveries',
    {
      webhook_id: endpoint.webhook_id,
      limit: 20,
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    },
    { refetchInterval: everyMs },
  )
  const rows = log.data?.deliveries ?? []
  const next = log.data?.next_cursor ?? null
  const kept = status === undefined ? {} : { status }
  const place = { ...kept, ...(cursor === undefined ? {} : { cursor }) }
  const onQueued = (queued: string): void => {
    // What was pressed closes with its row: on with the new one.
    void navigate({ ...to, search: { delivery: queued }, resetScroll: false }).then(() =>
      requestAnimationFrame(() => {
        document.getElementById(queued)?.focus()
      }),
    )
  }
  return (
    <section aria-labelledby="log" className="grid min-w-0 gap-4">
      <LogHead endpoint={endpoint} kept={kept} />
      <StatusChoice webhookId={endpoint.webhook_id} status={status} />
      {log.error !== null && (
        <Failure
          error={log.error}
          retry={() => {
            void log.refetch()
          }}
        />
      )}
      {log.data === undefined && log.error === null && <Loading says={common('loading')} />}
      {log.data !== undefined && opened !== undefined && !rows.some((one) => one.delivery_id === opened) && (
        <DeliveryElsewhere endpoint={endpoint} deliveryId={opened} search={place} onQueued={onQueued} />
      )}
      {log.data !== undefined && rows.length === 0 && (
        <Empty title={say(status === undefined ? 'logNone' : 'logNoneOf')} scene="code">
          {status === undefined && <p>{say('logNoneHelp')}</p>}
        </Empty>
      )}
      {rows.length > 0 && (
        <ul className="grid min-w-0 gap-3">
          {rows.map((one) => (
            <DeliveryRow
              key={one.delivery_id}
              delivery={one}
              isOpen={one.delivery_id === opened}
              canReplay={endpoint.verified_at !== null}
              search={place}
              onQueued={onQueued}
            />
          ))}
        </ul>
      )}
      <LogPages webhookId={endpoint.webhook_id} kept={kept} cursor={cursor} next={next} />
    </section>
  )
}

const logOf = (webhookId: string) => ({ to: '/webhooks/$webhookId', params: { webhookId } }) as const

/** The choice that holds for what is read next. */
type Kept = { readonly status?: WebhookDeliveryStatus }

function LogHead({ endpoint, kept }: { readonly endpoint: Endpoint; readonly kept: Kept }): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <div className="grid gap-1">
        <h2 id="log">{say('log')}</h2>
        <p className="text-sm text-quiet">{say('logHelp')}</p>
      </div>
      {endpoint.verified_at !== null && (
        <LinkButton {...logOf(endpoint.webhook_id)} search={{ ...kept, do: 'replay' }} resetScroll={false}>
          {say('replay')}
        </LinkButton>
      )}
    </div>
  )
}

type ChoiceProps = { readonly webhookId: string; readonly status: WebhookDeliveryStatus | undefined }

function StatusChoice({ webhookId, status }: ChoiceProps): ReactNode {
  const say = useMessages(webhookMessages)
  const to = logOf(webhookId)
  return (
    <nav aria-label={say('filter')} className="flex flex-wrap gap-2">
      <Link {...to} search={{}} {...choiceLink} {...currentIf(status === undefined)}>
        {say('any')}
      </Link>
      {webhookDeliveryStatuses.map((one) => (
        <Link key={one} {...to} search={{ status: one }} {...choiceLink} {...currentIf(status === one)}>
          {say(`delivery.${one}`)}
        </Link>
      ))}
    </nav>
  )
}

type PagesProps = {
  readonly webhookId: string
  readonly kept: Kept
  readonly cursor: string | undefined
  readonly next: string | null
}

/** The way to older deliveries and back to the newest. */
function LogPages({ webhookId, kept, cursor, next }: PagesProps): ReactNode {
  const say = useMessages(webhookMessages)
  const to = logOf(webhookId)
  if (cursor === undefined && next === null) return null
  return (
    <nav aria-label={say('log')} className="flex gap-3">
      {cursor !== undefined && (
        <LinkButton {...to} search={kept}>
          {say('newest')}
        </LinkButton>
      )}
      {next !== null && (
        <LinkButton {...to} search={{ ...kept, cursor: next }}>
          {say('older')}
        </LinkButton>
      )}
    </nav>
  )
}
