import { useState, type ReactNode } from 'react'
import { newsKinds, type NewsKind } from '@ergon/contract/facts'
import type { Output } from '@ergon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Note } from '../../../components/surface.tsx'
import { useToast } from '../../../components/toast.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages, useSpeech } from '../../../lib/i18n.tsx'
import { answerKey, useChange, useRead } from '../../../lib/market.tsx'
import { KindsChoice } from '../kinds-choice.tsx'
import { pushMessages } from './messages.ts'
import { canShowNotices, idOfDevice, keepId, subscribeDevice, unsubscribeDevice } from './this-device.ts'

type Listed = Output<'push.list'>
type Subscription = Listed['subscriptions'][number]

/** Which devices of a person show notices, and of what. */
export function PushCard(): ReactNode {
  const say = useMessages(pushMessages)
  const { data, error } = useRead('push.list', {})
  if (data === undefined) return error === null ? null : <Failure error={error} />
  const own = data.subscriptions.find(({ subscription_id: id }) => id === idOfDevice())
  const others = data.subscriptions.filter((one) => one !== own)
  return (
    <section aria-labelledby="devices" className="card grid gap-4">
      <div className="grid gap-1">
        <h2 id="devices">{say('title')}</h2>
        <p className="text-sm text-quiet">{say('lead')}</p>
      </div>
      {canShowNotices() ? (
        <ThisDevice key={own?.subscription_id ?? ''} publicKey={data.public_key} own={own} />
      ) : (
        <Note title={say('cannot')} />
      )}
      {others.length > 0 && (
        <div className="grid gap-2">
          <h3>{say('others')}</h3>
          <ul className="grid gap-2">
            {others.map((one) => (
              <Other key={one.subscription_id} subscription={one} />
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

function ThisDevice({
  publicKey,
  own,
}: {
  readonly publicKey: string
  readonly own: Subscription | undefined
}): ReactNode {
  const say = useMessages(pushMessages)
  const tell = useToast()
  const { language } = useSpeech()
  const queries = useQueryClient()
  const [chosen, choose] = useState<readonly NewsKind[]>(own?.kinds ?? newsKinds)
  const subscribe = useChange('push.subscribe')
  const remove = useChange('push.remove')
  const isDenied = Notification.permission === 'denied'
  const turnOn = useMutation({
    mutationFn: async () => {
      const keys = await subscribeDevice(publicKey)
      const made = await subscribe.mutateAsync({ ...keys, kinds: [...chosen], language })
      keepId(made.subscription_id)
    },
    onSuccess: () => tell(say(own === undefined ? 'on' : 'saved')),
    onSettled: () => queries.invalidateQueries({ queryKey: answerKey('push.list') }),
  })
  const turnOff = useMutation({
    mutationFn: async (id: string) => {
      await remove.mutateAsync({ subscription_id: id })
      keepId(null)
      await unsubscribeDevice()
    },
    onSuccess: () => tell(say('off')),
    onSettled: () => queries.invalidateQueries({ queryKey: answerKey('push.list') }),
  })
  if (isDenied) return <Note tone="warn" title={say('denied')} />
  return (
    <div className="grid gap-3">
      {own !== undefined && <Note tone="good" title={say('isOn')} />}
      <KindsChoice chosen={chosen} choose={choose} />
      <Problem error={turnOn.error ?? turnOff.error} ofService={[subscribe.error, remove.error]} />
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          busy={turnOn.isPending}
          disabled={chosen.length === 0}
          onClick={() => {
            turnOn.mutate()
          }}
        >
          {say(own === undefined ? 'turnOn' : 'save')}
        </Button>
        {own !== undefined && (
          <Button
            busy={turnOff.isPending}
            onClick={() => {
              turnOff.mutate(own.subscription_id)
            }}
          >
            {say('turnOff')}
          </Button>
        )}
      </div>
    </div>
  )
}

type ProblemProps = { readonly error: Error | null; readonly ofService: readonly (Error | null)[] }

/** What the service said, or that the browser did not want to. */
function Problem({ error, ofService }: ProblemProps): ReactNode {
  const say = useMessages(pushMessages)
  if (error === null) return null
  return ofService.includes(error) ? <Failure error={error} /> : <Note tone="bad" role="alert" title={say('failed')} />
}

function Other({ subscription }: { readonly subscription: Subscription }): ReactNode {
  const say = useMessages(pushMessages)
  const format = useFormat()
  const tell = useToast()
  const remove = useChange('push.remove', ['push.list'])
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <span className="grid">
        <span className="wrap-anywhere">{subscription.service}</span>
        <span className="text-sm text-quiet">{say('since', { when: format.dateTime(subscription.created_at) })}</span>
      </span>
      <Button
        busy={remove.isPending}
        onClick={() => {
          remove.mutate({ subscription_id: subscription.subscription_id }, { onSuccess: () => tell(say('removed')) })
        }}
      >
        {say('remove')}
        <span className="visually-hidden">: {subscription.service}</span>
      </Button>
      {remove.error !== null && <Failure error={remove.error} />}
    </li>
  )
}
