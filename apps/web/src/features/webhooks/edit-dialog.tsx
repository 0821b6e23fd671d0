import type { ReactNode } from 'react'
import type { Input } from '@ergon/sdk'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import type { Endpoint } from './endpoint-card.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { webhookMessages } from './messages.ts'

type DialogProps = { readonly endpoint: Endpoint; readonly open: boolean; readonly onClose: () => void }

export function EditDialog(props: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <Dialog open={props.open} title={say('editTitle')} onClose={props.onClose}>
      <EditForm {...props} />
    </Dialog>
  )
}

function EditForm({ endpoint, onClose }: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  const tell = useToast()
  const update = useChange('webhooks.update', ['webhooks.get', 'webhooks.list'])
  return (
    <EndpointForm
      endpoint={endpoint}
      busy={update.isPending}
      onClose={onClose}
      send={async (fields) => {
        // `faultsOf` held the fields against the schema of the operation.
        await update.mutateAsync(fields as Input<'webhooks.update'>)
        tell(say('saved'))
        onClose()
      }}
    >
      {update.error !== null && <Failure error={update.error} />}
    </EndpointForm>
  )
}
