import { useState, type FormEvent, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Dialog } from '../../../components/dialog.tsx'
import { FormEnd } from '../../../components/form-end.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextAreaField, TextField } from '../../../components/field.tsx'
import { Money } from '../../../components/money.tsx'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { Facts } from '../../../components/surface.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../../lib/form.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useOperatorChange } from '../../../lib/operator.tsx'
import { showIn } from '../../../lib/show-faults.ts'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { assetName, type AssetMoney } from './asset-table.tsx'
import { moneyMessages } from './messages.ts'

export type Sweeps = Output<'admin.sweepFees'>['sweeps']
type DialogProps = {
  readonly asset: AssetMoney | undefined
  readonly onSwept: (sweeps: Sweeps) => void
  readonly onClose: () => void
}
type FormProps = DialogProps & { readonly asset: AssetMoney }
const nobody = { actor: '' }

/** What a sweep moves and where to, before it is sent. */
export function SweepDialog(props: DialogProps): ReactNode {
  const say = useMessages(moneyMessages)
  const { asset, onClose } = props
  const networkTitle = useNetworkTitle()
  return (
    <Dialog
      open={asset !== undefined}
      title={asset === undefined ? '' : say('dialogTitle', { asset: `${asset.token}, ${networkTitle(asset.network)}` })}
      onClose={onClose}
    >
      {asset !== undefined && <SweepForm key={assetName(asset)} {...props} asset={asset} />}
    </Dialog>
  )
}

function SweepForm({ asset: { network, token, fees_accrued_usd: waits }, onSwept, onClose }: FormProps): ReactNode {
  const say = useMessages(moneyMessages)
  const networkTitle = useNetworkTitle()
  const [reason, setReason] = useState('')
  const [{ actor }, changeActor] = useDraft('operator-name', nobody)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const sweep = useOperatorChange('admin.sweepFees', ['service.healthPayments'])
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const show = showIn(form, setFaults)
    const input = {
      network,
      token,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(actor.trim() === '' ? {} : { actor: actor.trim() }),
    }
    const found = faultsOf('admin.sweepFees', input)
    show(found)
    if (Object.keys(found).length > 0) return
    sweep.mutateAsync(input).then(
      ({ sweeps }) => {
        onSwept(sweeps)
        onClose()
      },
      (error: unknown) => {
        show(faultsSaid(error))
      },
    )
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <Facts
        rows={[
          [say('amount'), <Money key="amount" usd={waits} />],
          [say('to'), say('treasury')],
          [say('network'), networkTitle(network)],
          [say('gas'), say('gasBy')],
        ]}
      />
      <p>{say('confirmHelp')}</p>
      <TextAreaField
        label={say('reason')}
        hint={say('reasonHelp')}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={faultOf('reason')}
      />
      <TextField
        label={say('actor')}
        hint={say('actorHelp')}
        autoComplete="off"
        value={actor}
        onChange={({ target }) => changeActor({ actor: target.value })}
        error={faultOf('actor')}
      />
      {sweep.error !== null && <Failure error={sweep.error} />}
      <FormEnd onCancel={onClose} busy={sweep.isPending}>
        {say('confirm')}
      </FormEnd>
    </form>
  )
}
