import { useState, type FormEvent, type ReactNode } from 'react'
import { disputeReasons } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { useDecider } from '../../components/deciders/use-decider.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormEnd } from '../../components/form-end.tsx'
import { Failure } from '../../components/failure.tsx'
import { SelectField, TextAreaField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { showIn } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { submissionMessages } from './messages.ts'

type DisputeProps = {
  readonly task: Output<'tasks.get'>
  readonly submissionId: string
  readonly open: boolean
  readonly onClose: () => void
}
type Draft = { readonly reason: string; readonly description: string }
const empty: Draft = { reason: '', description: '' }

/** Opening a dispute, with a reason; from then on the bounty waits for the decision (spec §4). */
export function DisputeDialog(props: DisputeProps): ReactNode {
  const say = useMessages(submissionMessages)
  return (
    <Dialog open={props.open} title={say('disputeTitle')} onClose={props.onClose}>
      <DisputeForm {...props} />
    </Dialog>
  )
}

function DisputeForm({ task, submissionId, onClose }: DisputeProps): ReactNode {
  const say = useMessages(submissionMessages)
  const tell = useToast()
  const who = useDecider(task)
  const [draft, change, forget] = useDraft<Draft>(`dispute.${submissionId}`, empty)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const dispute = useChange('submissions.dispute', [
    'submissions.get',
    'submissions.list',
    'tasks.get',
    'events.list',
    'disputes.list',
    'workers.tasks',
  ])
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const show = showIn(form, setFaults)
    const reason = disputeReasons.find((one) => one === draft.reason)
    const rest = { submission_id: submissionId, description: draft.description.trim() }
    const found = faultsOf('submissions.dispute', reason === undefined ? rest : { ...rest, reason })
    show(found)
    if (reason === undefined || Object.keys(found).length > 0) return
    const input = { ...rest, reason }
    dispute.mutate(input, {
      onSuccess: () => {
        forget()
        tell(say('disputed'))
        onClose()
      },
      onError: (error) => {
        show(faultsSaid(error))
      },
    })
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <Note tone="warn">
        <p>{say('disputeSays', { who })}</p>
      </Note>
      <SelectField
        label={say('disputeReason')}
        required
        value={draft.reason}
        onChange={(event) => change({ reason: event.target.value })}
        error={faultOf('reason')}
      >
        <option value="">{say('choose')}</option>
        {disputeReasons.map((one) => (
          <option key={one} value={one}>
            {say(`reason.${one}`)}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        label={say('description')}
        required
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
        error={faultOf('description')}
      />
      {dispute.error !== null && <Failure error={dispute.error} />}
      <FormEnd onCancel={onClose} kind="danger" busy={dispute.isPending}>
        {say('confirmDispute')}
      </FormEnd>
    </form>
  )
}
