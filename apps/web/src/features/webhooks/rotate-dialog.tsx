import { useState, type FormEvent, type ReactNode } from 'react'
import { webhookLimits as limits } from '@ergon/contract'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { faultsOf, type FieldFaults } from '../../lib/form.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { numberTyped } from '../../lib/number-typed.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { webhookMessages } from './messages.ts'
import { SecretOnce } from './secret-once.tsx'

type DialogProps = { readonly webhookId: string; readonly open: boolean; readonly onClose: () => void }

/** Exchanges the secret; for as long as the overlap lasts both sign. */
export function RotateDialog(props: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <Dialog open={props.open} title={say('rotateTitle')} onClose={props.onClose}>
      <RotateForm {...props} />
    </Dialog>
  )
}

function RotateForm({ webhookId, onClose }: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const { locale } = useSpeech()
  const rotate = useChange('webhooks.rotateSecret')
  const [hours, setHours] = useState(String(limits.overlapHoursDefault))
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  if (rotate.data !== undefined) {
    const { secret, old_secret_expires_at: until } = rotate.data
    // Not by this clock: the hours that were sent say whether there is an overlap.
    const hasOverlap = rotate.variables.overlap_hours !== 0
    return (
      <SecretOnce secret={secret} onKept={onClose}>
        <p>{hasOverlap ? say('oldUntil', { when: format.dateTime(until) }) : say('oldOver')}</p>
      </SecretOnce>
    )
  }
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const overlap = numberTyped(hours, locale)
    const found = faultsOf('webhooks.rotateSecret', { webhook_id: webhookId, overlap_hours: overlap ?? '' })
    setFaults(found)
    if (Object.keys(found).length === 0 && typeof overlap === 'number')
      rotate.mutate({ webhook_id: webhookId, overlap_hours: overlap })
    else
      requestAnimationFrame(() => {
        form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      })
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={send}>
      <p>{say('rotateSays')}</p>
      <TextField
        label={say('overlap')}
        hint={say('overlapHint', { most: limits.overlapHoursMax })}
        inputMode="numeric"
        autoComplete="off"
        value={hours}
        error={faultOf('overlap_hours')}
        onChange={({ target }) => {
          setHours(target.value)
        }}
      />
      {rotate.error !== null && <Failure error={rotate.error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" kind="primary" busy={rotate.isPending}>
          {say('rotateNow')}
        </Button>
      </div>
    </form>
  )
}
