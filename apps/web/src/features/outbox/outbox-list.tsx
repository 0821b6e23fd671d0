import type { ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Button, LinkButton } from '../../components/button.tsx'
import { useExplanation } from '../../components/failure.tsx'
import { Badge, Card, Note } from '../../components/surface.tsx'
import { useNow } from '../../components/time.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { outboxMessages } from '../../components/outbox/messages.ts'
import { outbox, outboxKey, useDrain, useIsOnline, useParcels } from '../../components/outbox/outbox-keeper.tsx'
import { bytesLeft, isLate, type Parcel } from '../../components/outbox/parcel.ts'
import { Unreadable } from './unreadable.tsx'

type ListProps = {
  readonly wallet: string
  /** Whether the service knows that this wallet is signed in. */
  readonly canSend?: boolean
}

/** What this device still has to hand in for a wallet, where it can be read; sent by itself, and on demand. */
export function OutboxList(props: ListProps): ReactNode {
  return (
    <>
      <Unreadable />
      <Parcels {...props} />
    </>
  )
}

function Parcels({ wallet, canSend = true }: ListProps): ReactNode {
  const say = useMessages(outboxMessages)
  const isOnline = useIsOnline()
  const { data: parcels = [] } = useParcels(wallet)
  const { mutate, isPending } = useDrain(wallet)
  if (parcels.length === 0) return null
  return (
    <section aria-labelledby="outbox" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="outbox">{say('title')}</h2>
        {canSend && parcels.some(({ state }) => state === 'waiting') && (
          <Button
            busy={isPending}
            onClick={() => {
              mutate(true)
            }}
          >
            {say(isPending ? 'sending' : 'now')}
          </Button>
        )}
      </div>
      <ul className="grid gap-3">
        {parcels.map((parcel) => (
          <ParcelRow key={parcel.id} parcel={parcel} isOnline={isOnline} />
        ))}
      </ul>
    </section>
  )
}

function ParcelRow({ parcel, isOnline }: { readonly parcel: Parcel; readonly isOnline: boolean }): ReactNode {
  const say = useMessages(outboxMessages)
  const now = useNow()
  const queries = useQueryClient()
  const { state } = parcel
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: outboxKey(parcel.wallet) })
  return (
    <Card as="li" className="grid gap-2">
      <div role="status" className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-base">{parcel.title}</h3>
        <Badge tone={state === 'sent' ? 'good' : state === 'refused' ? 'bad' : 'warn'}>
          {say(state === 'waiting' && !isOnline ? 'offline' : state)}
        </Badge>
      </div>
      {state === 'waiting' && <KeepOpen parcel={parcel} />}
      {isLate(parcel, now) && <Note tone="warn" title={say('late')} />}
      {parcel.failure !== null && <Reason code={parcel.failure} attempts={parcel.attempts} />}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {state === 'refused' && (
          <LinkButton to="/work/$taskId/submit" params={{ taskId: parcel.taskId }}>
            {say('open')}
          </LinkButton>
        )}
        {state !== 'waiting' && (
          <Button
            kind="quiet"
            onClick={() => {
              void outbox.forget(parcel.id).then(refresh)
            }}
          >
            {say('clear')}
          </Button>
        )}
      </div>
    </Card>
  )
}

/** No browser sends for an app that is closed: whoever closes it hands in nothing. */
function KeepOpen({ parcel }: { readonly parcel: Parcel }): ReactNode {
  const say = useMessages(outboxMessages)
  const mb = Math.round(bytesLeft(parcel) / 1_048_576)
  return <p className="text-quiet text-sm">{mb === 0 ? say('keepOpen') : say('keepOpenFor', { mb })}</p>
}

/** Why the last attempt failed, in the reader's language. */
function Reason({ code, attempts }: { readonly code: string; readonly attempts: number }): ReactNode {
  const say = useMessages(outboxMessages)
  const explanation = useExplanation(code)
  return (
    <div className="grid gap-1 text-sm">
      {explanation !== undefined && (
        <p>
          {explanation.says} {explanation.doNow}
        </p>
      )}
      <p className="text-quiet">{say('attempts', { n: attempts })}</p>
    </div>
  )
}
