import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Badge, Card, Facts, type Tone } from '../../components/surface.tsx'
import { Moment, useNow } from '../../components/time.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import type { Search } from '../../lib/search.ts'
import { DeliveryAttempt, type Delivery } from './delivery-attempt.tsx'
import { useEventName } from './event-name.ts'
import { LiteralText } from './literal-text.tsx'
import { webhookMessages } from './messages.ts'

const tones: Readonly<Record<Delivery['status'], Tone>> = { pending: 'warn', delivered: 'good', failed: 'bad' }

type RowProps = {
  readonly delivery: Delivery
  readonly isOpen: boolean
  readonly canReplay: boolean
  readonly search: Search
  readonly onQueued: (deliveryId: string) => void
}

/** One line of the log; its whole exchange has an address of its own. */
export function DeliveryRow({ delivery, isOpen, canReplay, search, onQueued }: RowProps): ReactNode {
  const say = useMessages(webhookMessages)
  const format = useFormat()
  const now = useNow()
  const nameOf = useEventName()
  const { delivery_id: id, event_type: type, status, kind, attempts, next_attempt_at: next } = delivery
  return (
    <Card as="li" className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <h3 className="flex flex-wrap items-center gap-2">
            <span>{nameOf(type)}</span>
            {kind === 'replay' && <Badge>{say('kind.replay')}</Badge>}
          </h3>
          <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
            <span className="font-mono">{type}</span>
            <Moment at={delivery.created_at} />
            <span>{say('tries', { n: attempts.length })}</span>
            {next !== null && (
              <time dateTime={next}>
                {say('nextTry', { when: format.relative(next, Math.min(now, Date.parse(next))) })}
              </time>
            )}
          </p>
        </div>
        <div className="flex items-center gap-3">
          <Badge tone={tones[status]}>{say(`delivery.${status}`)}</Badge>
          <Link
            id={delivery.delivery_id}
            to="/webhooks/$webhookId"
            params={{ webhookId: delivery.webhook_id }}
            search={{ ...search, delivery: isOpen ? undefined : id }}
            replace
            resetScroll={false}
            aria-expanded={isOpen}
            className="link inline-flex min-h-6 items-center"
          >
            {say(isOpen ? 'hide' : 'show')}
            <span className="visually-hidden">{`: ${say('ofDelivery', { type: nameOf(type), when: format.dateTime(delivery.created_at) })}`}</span>
          </Link>
        </div>
      </div>
      {isOpen && <Exchange delivery={delivery} canReplay={canReplay} onQueued={onQueued} />}
    </Card>
  )
}

function Exchange({ delivery, canReplay, onQueued }: Pick<RowProps, 'delivery' | 'canReplay' | 'onQueued'>): ReactNode {
  const say = useMessages(webhookMessages)
  const format = useFormat()
  const tell = useToast()
  const replay = useChange('webhooks.replayDelivery', ['webhooks.deliveries'])
  const again = (): void => {
    replay.mutateAsync({ webhook_id: delivery.webhook_id, delivery_id: delivery.delivery_id }).then(
      ({ delivery_id: queued }) => {
        tell(say('againQueued'))
        onQueued(queued)
      },
      () => undefined,
    )
  }
  const id = (value: string): ReactNode => <span className="font-mono text-sm break-all">{value}</span>
  return (
    <div className="grid min-w-0 gap-4 border-t border-line pt-3">
      <Facts
        rows={[
          [say('eventId'), id(delivery.event_id)],
          [say('deliveryId'), id(delivery.delivery_id)],
          [say('queuedAt'), format.dateTime(delivery.created_at)],
        ]}
      />
      <div className="grid gap-1">
        <p className="text-sm font-semibold">{say('requestBody')}</p>
        <LiteralText text={delivery.request_body} label={say('requestBody')} />
      </div>
      {delivery.attempts.length > 0 && (
        <ol className="grid gap-3">
          {delivery.attempts.map((attempt) => (
            <DeliveryAttempt key={attempt.attempt} attempt={attempt} />
          ))}
        </ol>
      )}
      {replay.error !== null && <Failure error={replay.error} />}
      {canReplay && delivery.kind !== 'challenge' && (
        <div>
          <Button busy={replay.isPending} onClick={again}>
            {say('again')}
          </Button>
        </div>
      )}
    </div>
  )
}
