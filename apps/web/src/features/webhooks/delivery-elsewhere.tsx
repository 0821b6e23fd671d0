import type { ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { Loading, Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import type { Search } from '../../lib/search.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { DeliveryRow } from './delivery-row.tsx'
import type { Endpoint } from './endpoint-card.tsx'
import { webhookMessages } from './messages.ts'

type ElsewhereProps = {
  readonly endpoint: Endpoint
  readonly deliveryId: string
  readonly search: Search
  readonly onQueued: (deliveryId: string) => void
}

/** A delivery that is linked to and is not in the part of the log that is shown. */
export function DeliveryElsewhere({ endpoint, deliveryId, search, onQueued }: ElsewhereProps): ReactNode {
  const say = useMessages(webhookMessages)
  const common = useMessages(commonMessages)
  const { data, error, refetch } = useRead('webhooks.delivery', {
    webhook_id: endpoint.webhook_id,
    delivery_id: deliveryId,
  })
  // An address that names no delivery at all is refused for its form.
  if (error instanceof ErgonError && error.is('DELIVERY_NOT_FOUND', 'VALIDATION_FAILED'))
    return (
      <Note role="status">
        <p>{say('notHere')}</p>
      </Note>
    )
  if (error !== null)
    return (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  if (data === undefined) return <Loading says={common('loading')} />
  return (
    <div className="grid gap-2">
      <p className="text-sm font-semibold">{say('elsewhere')}</p>
      <ul className="grid min-w-0">
        <DeliveryRow
          delivery={data}
          isOpen
          canReplay={endpoint.verified_at !== null}
          search={search}
          onQueued={onQueued}
        />
      </ul>
    </div>
  )
}
