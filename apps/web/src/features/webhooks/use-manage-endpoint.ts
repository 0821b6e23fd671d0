import { useNavigate } from '@tanstack/react-router'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import type { Endpoint } from './endpoint-card.tsx'
import { webhookMessages } from './messages.ts'

type ManageEndpoint = {
  readonly verify: Pick<ReturnType<typeof useChange<'webhooks.verify'>>, 'error' | 'isPending'>
  readonly update: Pick<ReturnType<typeof useChange<'webhooks.update'>>, 'error' | 'isPending'>
  readonly test: Pick<ReturnType<typeof useChange<'webhooks.test'>>, 'error' | 'isPending'>
  readonly set: (next: 'active' | 'paused') => void
  readonly sendChallenge: () => void
  readonly sendTest: () => void
}

/** What an owner does with one endpoint at once: prove it, switch it, try it. */
export function useManageEndpoint({ webhook_id }: Endpoint): ManageEndpoint {
  const say = useMessages(webhookMessages)
  const tell = useToast()
  const navigate = useNavigate()
  const verify = useChange('webhooks.verify', ['webhooks.get', 'webhooks.list', 'webhooks.deliveries'])
  const update = useChange('webhooks.update', ['webhooks.get', 'webhooks.list'])
  const test = useChange('webhooks.test', ['webhooks.deliveries'])
  const set = (next: 'active' | 'paused'): void => {
    update.mutateAsync({ webhook_id, status: next }).then(
      () => {
        tell(say(next === 'active' ? 'resumedNow' : 'pausedNow'))
      },
      () => undefined,
    )
  }
  const sendChallenge = (): void => {
    verify.mutateAsync({ webhook_id }).then(
      () => {
        tell(say('verified'))
      },
      () => undefined,
    )
  }
  const sendTest = (): void => {
    test.mutateAsync({ webhook_id }).then(
      ({ delivery_id }) => {
        tell(say('testQueued'))
        return navigate({
          to: '/webhooks/$webhookId',
          params: { webhookId: webhook_id },
          search: { delivery: delivery_id },
          resetScroll: false,
        })
      },
      () => undefined,
    )
  }
  return { verify, update, test, set, sendChallenge, sendTest }
}
