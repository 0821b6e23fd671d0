import { useState, type FormEvent, type ReactNode } from 'react'
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
import { reviewMessages } from './messages.ts'

type DecisionProps = {
  readonly task: Output<'h2a.get'>
  readonly submissionId: string
  readonly criteria: readonly string[]
  readonly verdict: 'rejected' | 'needs_revision'
  readonly open: boolean
  readonly onClose: () => void
}
type Draft = { readonly notes: string; readonly criterion: string }
const empty: Draft = { notes: '', criterion: '' }

/** Asking for changes or rejecting: always with a reason, and a rejection names what was not met (spec §4). */
export function DecisionDialog(props: DecisionProps): ReactNode {
  const say = useMessages(reviewMessages)
  return (
    <Dialog
      open={props.open}
      title={say(props.verdict === 'rejected' ? 'rejectTitle' : 'changesTitle')}
      onClose={props.onClose}
    >
      <DecisionForm {...props} />
    </Dialog>
  )
}

function DecisionForm({ task, submissionId, criteria, verdict, onClose }: DecisionProps): ReactNode {
  const say = useMessages(reviewMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft<Draft>(`decide.${verdict}.${submissionId}`, empty)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const decide = useChange('h2a.approve', [
    'h2a.get',
    'h2a.submissions',
    'h2a.list',
    'tasks.list',
    'submissions.get',
    'tasks.get',
    'events.list',
    'disputes.list',
  ])
  const who = useDecider(task)
  const rejects = verdict === 'rejected'
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const why = draft.notes.trim()
    const input = {
      task_id: task.id,
      submission_id: submissionId,
      verdict,
      notes: rejects && draft.criterion !== '' && why !== '' ? `${draft.criterion}: ${why}` : why,
    }
    const show = showIn(form, setFaults)
    const found = faultsOf('h2a.approve', input)
    show(found)
    if (Object.keys(found).length > 0) return
    decide.mutate(input, {
      onSuccess: () => {
        forget()
        tell(say(rejects ? 'rejected' : 'changesSent'))
        onClose()
      },
      onError: (error) => {
        show(faultsSaid(error))
      },
    })
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <Note tone={rejects ? 'bad' : 'plain'}>
        <p>{say(rejects ? 'rejectSays' : 'changesSays', { who })}</p>
      </Note>
      <CriterionField rejects={rejects} criteria={criteria} draft={draft} change={change} />
      <TextAreaField
        label={say('why')}
        required
        value={draft.notes}
        onChange={(event) => change({ notes: event.target.value })}
        error={faultOf('notes')}
      />
      {decide.error !== null && <Failure error={decide.error} />}
      <FormEnd onCancel={onClose} kind={rejects ? 'danger' : 'primary'} busy={decide.isPending}>
        {say(rejects ? 'confirmReject' : 'confirmChanges')}
      </FormEnd>
    </form>
  )
}

type CriterionFieldProps = {
  readonly rejects: boolean
  readonly criteria: readonly string[]
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
}

function CriterionField({ rejects, criteria, draft, change }: CriterionFieldProps): ReactNode {
  const say = useMessages(reviewMessages)
  return (
    <>
      {rejects && criteria.length > 0 && (
        <SelectField
          label={say('criterion')}
          value={draft.criterion}
          onChange={(event) => change({ criterion: event.target.value })}
        >
          <option value="">{say('otherReason')}</option>
          {criteria.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}
