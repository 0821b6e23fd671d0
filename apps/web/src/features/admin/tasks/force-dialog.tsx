import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FormEnd } from '../../../components/form-end.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { Money } from '../../../components/money.tsx'
import { StatusBadge } from '../../../components/status.tsx'
import { Facts, Loading, Note } from '../../../components/surface.tsx'
import { useToast } from '../../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../../lib/form.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useOperatorChange, useOperatorRead } from '../../../lib/operator.tsx'
import { focusFault } from '../../../lib/show-faults.ts'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { wordMessages } from '../../../messages/words.ts'
import { commonMessages } from '../../../messages/common-messages.ts'
import { actorInput, isActorSendable, useActor } from '../actor.ts'
import { ReasonFields } from '../reason-fields.tsx'
import { forcible } from './forcible.ts'
import { adminTaskMessages } from './messages.ts'
import type { AdminTask } from './task-row.tsx'

/** Puts a task into another status by hand, with a reason and a typed confirmation (decision 0057). */
export function ForceDialog({
  taskId,
  onClose,
}: {
  readonly taskId: string | undefined
  readonly onClose: () => void
}): ReactNode {
  const say = useMessages(adminTaskMessages)
  return (
    <Dialog open={taskId !== undefined} title={say('forceTitle')} onClose={onClose}>
      {taskId !== undefined && <AskedTask taskId={taskId} onClose={onClose} />}
    </Dialog>
  )
}

/** The task as it stands now: the list behind may be older, or may not show it. */
function AskedTask({ taskId, onClose }: { readonly taskId: string; readonly onClose: () => void }): ReactNode {
  const say = useMessages(adminTaskMessages)
  const common = useMessages(commonMessages)
  const { data, error, refetch } = useOperatorRead('admin.tasks', { search: taskId, limit: 1 })
  const close = (
    <div className="mt-4 flex justify-end">
      <Button onClick={onClose}>{common('close')}</Button>
    </div>
  )
  if (data === undefined)
    return error === null ? (
      <Loading says={common('loading')} rows={2} />
    ) : (
      <>
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
        {close}
      </>
    )
  const task = data.tasks.find(({ id }) => id === taskId)
  if (task === undefined)
    return (
      <>
        <p>{say('forceGone')}</p>
        {close}
      </>
    )
  return <FirstSeen key={taskId} given={task} onClose={onClose} />
}

/** The dialog stays with the status it was opened at while the answer is on its way. */
function FirstSeen({ given, onClose }: { readonly given: AdminTask; readonly onClose: () => void }): ReactNode {
  const say = useMessages(adminTaskMessages)
  const common = useMessages(commonMessages)
  const [task] = useState(given)
  if (forcible[task.status].length > 0) return <ForceForm task={task} onClose={onClose} />
  return (
    <div className="grid gap-4">
      <TaskNow task={task} />
      <p>{say('forceNone')}</p>
      <div className="flex justify-end">
        <Button onClick={onClose}>{common('close')}</Button>
      </div>
    </div>
  )
}

function TaskNow({ task }: { readonly task: AdminTask }): ReactNode {
  const say = useMessages(adminTaskMessages)
  return (
    <div className="grid gap-2">
      <p className="font-semibold">{task.title}</p>
      <Facts
        rows={[
          [say('status'), <StatusBadge key="status" status={task.status} />],
          [say('bounty'), <Money key="bounty" usd={task.bounty_usd} />],
          [say('money'), say(`escrow.${task.escrow_status}`)],
        ]}
      />
    </div>
  )
}

const empty = { status: '', reason: '' }

function ForceForm({ task, onClose }: { readonly task: AdminTask; readonly onClose: () => void }): ReactNode {
  const say = useMessages(adminTaskMessages)
  const words = useMessages(wordMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft(`force.${task.id}`, empty)
  const [actor, typeActor] = useActor()
  const [typed, setTyped] = useState('')
  const [isTried, setIsTried] = useState(false)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const force = useOperatorChange('admin.forceTask', ['tasks.get', 'h2a.get', 'tasks.available', 'disputes.list'])
  const code = task.id.slice(0, 8)
  const to = forcible[task.status].find((one) => one === draft.status)
  const isConfirmed = typed.trim().toLowerCase() === code
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const show = (found: FieldFaults): void => {
      setFaults(found)
      focusFault(form)
    }
    const rest = { task_id: task.id, reason: draft.reason.trim(), ...actorInput(actor) }
    const found = faultsOf('admin.forceTask', to === undefined ? rest : { ...rest, status: to })
    setIsTried(true)
    show(found)
    if (to === undefined || Object.keys(found).length > 0 || !isConfirmed || !isActorSendable(actor)) return
    force.mutateAsync({ ...rest, status: to }).then(
      ({ state }) => {
        forget()
        tell(say(state))
        onClose()
      },
      (error: unknown) => {
        show(faultsSaid(error))
      },
    )
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <TaskNow task={task} />
      <Note tone="warn">
        <p>{say('forceSays')}</p>
      </Note>
      <SelectField
        label={say('to')}
        required
        value={to ?? ''}
        hint={to === undefined ? undefined : say(`to.${to}`)}
        error={isTried && to === undefined ? say('toMissing') : faultOf('status')}
        onChange={({ target }) => change({ status: target.value })}
      >
        <option value="">{say('choose')}</option>
        {forcible[task.status].map((one) => (
          <option key={one} value={one}>
            {words(`status.${one}`)}
          </option>
        ))}
      </SelectField>
      <ReasonFields
        reason={draft.reason}
        onReason={(reason) => change({ reason })}
        error={faultOf('reason')}
        actor={actor}
        onActor={typeActor}
      />
      <TextField
        label={say('confirm', { code })}
        hint={say('confirmHint')}
        error={isTried && !isConfirmed ? say('confirmWrong', { code }) : undefined}
        required
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {force.error !== null && <Failure error={force.error} />}
      <FormEnd onCancel={onClose} kind="danger" busy={force.isPending}>
        {say('send')}
      </FormEnd>
    </form>
  )
}
