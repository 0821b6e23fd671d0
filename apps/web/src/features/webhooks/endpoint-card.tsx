import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../components/icon.tsx'
import { IconDisc } from '../../components/icon-disc.tsx'
import { Card } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { EndpointStatus } from './endpoint-status.tsx'
import { webhookMessages } from './messages.ts'

export type Endpoint = Output<'webhooks.get'>

/** One of a person's endpoints: where it leads, whether it gets anything, and how that went. */
export function EndpointCard({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const say = useMessages(webhookMessages)
  const format = useFormat()
  const events = endpoint.events.includes('*') ? say('allShort') : say('chosen', { n: endpoint.events.length })
  return (
    <Card as="li" className="relative grid gap-3 hover:border-brand">
      <div className="flex items-start gap-3.5">
        <IconDisc icon="plugs-connected" tone={endpoint.status === 'active' ? 'brand' : 'plain'} />
        <div className="grid min-w-0 flex-1 gap-1">
          <h2 className="min-w-0 text-base">
            <Link
              to="/webhooks/$webhookId"
              params={{ webhookId: endpoint.webhook_id }}
              className="inline-block min-h-6 font-mono text-sm font-label wrap-anywhere after:absolute after:inset-0"
            >
              {endpoint.url}
            </Link>
          </h2>
          {endpoint.description !== null && endpoint.description !== '' && (
            <p className="wrap-anywhere">{endpoint.description}</p>
          )}
          <div>
            <EndpointStatus status={endpoint.status} />
          </div>
        </div>
        <Icon name="caret-right-bold" className="mt-1 flex-none text-quiet" />
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet">
        <span>{`${say('events')}: ${events}`}</span>
        <span className="numbers">
          {endpoint.total_deliveries === 0
            ? say('sentNone')
            : `${say('attempts')}: ${say('attemptsOf', {
                good: format.number(endpoint.successful_deliveries),
                total: format.number(endpoint.total_deliveries),
              })}`}
        </span>
        {endpoint.last_triggered_at !== null && (
          <span>
            {`${say('last')}: `}
            <Moment at={endpoint.last_triggered_at} />
          </span>
        )}
      </p>
    </Card>
  )
}
