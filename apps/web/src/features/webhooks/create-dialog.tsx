import { useEffect, useState, type ReactNode } from 'react'
import type { Input } from '@ergon/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { webhookMessages } from './messages.ts'
import { SecretOnce } from './secret-once.tsx'

type DialogProps = { readonly open: boolean; readonly onClose: () => void }

/** Asks for a new endpoint, then shows its secret, then leads to it. */
export function CreateDialog({ open, onClose }: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  const navigate = useNavigate()
  const [made, setMade] = useState<string>()
  const leave = (): void => {
    if (made === undefined) onClose()
    else void navigate({ to: '/webhooks/$webhookId', params: { webhookId: made }, replace: true })
  }
  return (
    <Dialog open={open} title={say('addTitle')} onClose={leave}>
      <NewEndpoint onMade={setMade} onLeave={leave} />
    </Dialog>
  )
}

/** Is gone with the dialog, and the secret with it. */
function NewEndpoint({
  onMade,
  onLeave,
}: {
  readonly onMade: (id: string | undefined) => void
  readonly onLeave: () => void
}): ReactNode {
  const create = useChange('webhooks.create', ['webhooks.list'])
  // One dialog is one endpoint: trying again after a failure repeats it, and the same URL later is another one.
  const [reference] = useState(() => crypto.randomUUID())
  // Left by the browser's own way back: the next one begins anew.
  useEffect(
    () => () => {
      onMade(undefined)
    },
    [onMade],
  )
  if (create.data !== undefined) return <SecretOnce secret={create.data.secret} onKept={onLeave} />
  return (
    <EndpointForm
      busy={create.isPending}
      onClose={onLeave}
      send={async (fields) => {
        // `faultsOf` held the fields against the schema of the operation.
        const { webhook_id } = await create.mutateAsync({
          ...(fields as Input<'webhooks.create'>),
          client_ref: reference,
        })
        onMade(webhook_id)
      }}
    >
      {create.error !== null && <Failure error={create.error} />}
    </EndpointForm>
  )
}
