import type { ReactNode } from 'react'
import { LinkButton } from '../../components/button.tsx'
import { Copyable } from '../../components/copyable.tsx'
import { Card, Facts } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Endpoint } from './endpoint-card.tsx'
import { useEventName } from './event-name.ts'
import { webhookMessages } from './messages.ts'

/** What the service knows about an endpoint, and the ways to change it. */
export function EndpointFacts({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const say = useMessages(webhookMessages)
  const format = useFormat()
  const nameOf = useEventName()
  const { events, failing_since: since } = endpoint
  const to = { to: '/webhooks/$webhookId', params: { webhookId: endpoint.webhook_id }, resetScroll: false } as const
  return (
    <Card as="section" className="grid min-w-0 gap-4">
      <div className="flex items-center justify-between gap-3">
        <h2>{say('facts')}</h2>
        <LinkButton {...to} search={{ do: 'edit' }} kind="quiet" className="-me-5 min-h-11">
          {say('edit')}
        </LinkButton>
      </div>
      <Facts
        rows={[
          [
            say('events'),
            events.includes('*') ? (
              say('all')
            ) : (
              <ul key="events" className="grid gap-1">
                {events.map((type) => (
                  <li key={type}>{nameOf(type)}</li>
                ))}
              </ul>
            ),
          ],
          [say('created'), format.dateTime(endpoint.created_at)],
          [say('verifiedAt'), endpoint.verified_at === null ? say('never') : format.dateTime(endpoint.verified_at)],
          [
            say('last'),
            endpoint.last_triggered_at === null ? say('never') : <Moment key="last" at={endpoint.last_triggered_at} />,
          ],
          [
            say('attempts'),
            endpoint.total_deliveries === 0
              ? say('attemptsNone')
              : say('attemptsOf', {
                  good: format.number(endpoint.successful_deliveries),
                  total: format.number(endpoint.total_deliveries),
                }),
          ],
          ...(since === null
            ? []
            : [
                [
                  say('failing'),
                  <span key="since">
                    {format.dateTime(since)}
                    <br />
                    {say('failures', { n: endpoint.failure_count })}
                  </span>,
                ] as const,
              ]),
        ]}
      />
      <div className="grid min-w-0 gap-1">
        <h3>{say('publicKey')}</h3>
        <p className="text-sm text-quiet">{say('publicKeyHint')}</p>
        <Copyable text={endpoint.public_key} label={say('publicKey')} />
      </div>
      <Further id={endpoint.webhook_id} />
    </Card>
  )
}

/** What is seldom done, and not by the way. */
function Further({ id }: { readonly id: string }): ReactNode {
  const say = useMessages(webhookMessages)
  const to = { to: '/webhooks/$webhookId', params: { webhookId: id }, resetScroll: false } as const
  return (
    <div className="flex flex-wrap justify-between gap-3 border-t border-line pt-4">
      <LinkButton {...to} search={{ do: 'rotate' }} className="min-h-11">
        {say('rotate')}
      </LinkButton>
      <LinkButton {...to} search={{ do: 'delete' }} kind="danger" className="min-h-11">
        {say('remove')}
      </LinkButton>
    </div>
  )
}
