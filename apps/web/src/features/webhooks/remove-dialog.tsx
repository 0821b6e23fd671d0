import type { ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import type { Endpoint } from './endpoint-card.tsx'
import { webhookMessages } from './messages.ts'

type DialogProps = { readonly endpoint: Endpoint; readonly open: boolean; readonly onClose: () => void }

/** Asks once more: the log and the secrets go with the endpoint. */
export function RemoveDialog(props: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <Dialog open={props.open} title={say('removeTitle')} onClose={props.onClose}>
      <RemoveForm {...props} />
    </Dialog>
  )
}

function RemoveForm({ endpoint, onClose }: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  const common = useMessages(commonMessages)
  const tell = useToast()
  const navigate = useNavigate()
  const remove = useChange('webhooks.remove', ['webhooks.list'])
  const send = (): void => {
    remove.mutateAsync({ webhook_id: endpoint.webhook_id }).then(
      () => {
        tell(say('removed'))
        return navigate({ to: '/webhooks', replace: true })
      },
      () => undefined,
    )
  }
  return (
    <div className="grid gap-4">
      <p>{say('removeSays', { url: endpoint.url })}</p>
      {remove.error !== null && <Failure error={remove.error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button kind="danger" busy={remove.isPending} onClick={send}>
          {say('removeNow')}
        </Button>
      </div>
    </div>
  )
}
