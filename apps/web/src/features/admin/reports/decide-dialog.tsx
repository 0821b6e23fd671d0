import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SelectField } from '../../../components/field.tsx'
import { FormEnd } from '../../../components/form-end.tsx'
import { Note } from '../../../components/surface.tsx'
import { useToast } from '../../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../../lib/form.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useOperatorChange } from '../../../lib/operator.tsx'
import { focusFault } from '../../../lib/show-faults.ts'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { commonMessages } from '../../../messages/common-messages.ts'
import { actorInput, isActorSendable, useActor } from '../actor.ts'
import { ReasonFields } from '../reason-fields.tsx'
import { adminReportMessages } from './messages.ts'
import type { AdminReport } from './report-row.tsx'

type DialogProps = {
  readonly asked: string | undefined
  /** Undefined where the page behind does not show it. */
  readonly report: AdminReport | undefined
  readonly onClose: () => void
}

/** What to do about one report, with a reason for the audit log (decision 0120). */
export function DecideDialog({ asked, report, onClose }: DialogProps): ReactNode {
  const say = useMessages(adminReportMessages)
  const common = useMessages(commonMessages)
  return (
    <Dialog open={asked !== undefined} title={say('actTitle')} onClose={onClose}>
      {asked !== undefined && report === undefined && (
        <div className="grid gap-4">
          <p>{say('gone')}</p>
          <div className="flex justify-end">
            <Button onClick={onClose}>{common('close')}</Button>
          </div>
        </div>
      )}
      {report !== undefined && <DecideForm key={report.id} report={report} onClose={onClose} />}
    </Dialog>
  )
}

/** What can be done to what is reported. */
function actionsFor({ target, is_hidden: isHidden, is_banned: isBanned, wallet_address: wallet }: AdminReport) {
  const isListed = target === 'task' || target === 'listing'
  return [
    'note' as const,
    'dismiss' as const,
    ...(isListed ? [isHidden ? ('show' as const) : ('hide' as const)] : []),
    ...(target === 'submission' || target === 'worker' ? ['take_down' as const] : []),
    ...(wallet === null || isBanned ? [] : ['ban' as const]),
  ]
}

function DecideForm({ report, onClose }: { readonly report: AdminReport; readonly onClose: () => void }): ReactNode {
  const say = useMessages(adminReportMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft(`report.${report.id}`, { action: '', reason: '' })
  const [actor, typeActor] = useActor()
  const [isTried, setIsTried] = useState(false)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const decide = useOperatorChange('admin.decideReport', ['tasks.available', 'listings.browse', 'workers.get'])
  const [actions] = useState(() => actionsFor(report))
  const action = actions.find((one) => one === draft.action)
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const show = (found: FieldFaults): void => {
      setFaults(found)
      focusFault(form)
    }
    const rest = { report_id: report.id, reason: draft.reason.trim(), ...actorInput(actor) }
    const found = faultsOf('admin.decideReport', action === undefined ? rest : { ...rest, action })
    setIsTried(true)
    show(found)
    if (action === undefined || Object.keys(found).length > 0 || !isActorSendable(actor)) return
    decide.mutateAsync({ ...rest, action }).then(
      () => {
        forget()
        tell(say('did'))
        onClose()
      },
      (error: unknown) => {
        show(faultsSaid(error))
      },
    )
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <p className="font-semibold wrap-anywhere">{report.title ?? say('untitled')}</p>
      <ActionField
        target={report.target}
        actions={actions}
        action={action}
        isMissing={isTried && action === undefined}
        onChoose={(chosen) => change({ action: chosen })}
      />
      <ReasonFields
        reason={draft.reason}
        onReason={(reason) => change({ reason })}
        error={faultOf('reason')}
        actor={actor}
        onActor={typeActor}
      />
      {decide.error !== null && <Failure error={decide.error} />}
      <FormEnd onCancel={onClose} kind={isFelt(action) ? 'danger' : 'primary'} busy={decide.isPending}>
        {say('send')}
      </FormEnd>
    </form>
  )
}

type Action = ReturnType<typeof actionsFor>[number]

/** Whether others feel it. */
function isFelt(action: Action | undefined): action is 'hide' | 'ban' | 'take_down' {
  return action === 'hide' || action === 'ban' || action === 'take_down'
}

/** What is taken down of a worker is the picture, of work the evidence. */
const wordOf = <A extends Action>(action: A, target: AdminReport['target']) =>
  action === 'take_down' && target === 'worker' ? ('take_picture' as const) : action

type ActionProps = {
  readonly target: AdminReport['target']
  readonly actions: readonly Action[]
  readonly action: Action | undefined
  readonly isMissing: boolean
  readonly onChoose: (action: string) => void
}

/** What can be done, and what it means where others feel it. */
function ActionField({ target, actions, action, isMissing, onChoose }: ActionProps): ReactNode {
  const say = useMessages(adminReportMessages)
  return (
    <>
      <SelectField
        label={say('action')}
        error={isMissing ? say('actionMissing') : undefined}
        required
        value={action ?? ''}
        onChange={(event) => {
          onChoose(event.target.value)
        }}
      >
        <option value="">{say('choose')}</option>
        {actions.map((one) => (
          <option key={one} value={one}>
            {say(`action.${wordOf(one, target)}`)}
          </option>
        ))}
      </SelectField>
      {isFelt(action) && (
        <Note tone="warn">
          <p>{say(`says.${wordOf(action, target)}`)}</p>
        </Note>
      )}
    </>
  )
}
