import { useState, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FormEnd } from '../../../components/form-end.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { Money } from '../../../components/money.tsx'
import { StatusBadge } from '../../../components/status.tsx'
import { Facts, Loading, Note } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { useOperatorRead } from '../../../lib/operator.tsx'
import { wordMessages } from '../../../messages/words.ts'
import { commonMessages } from '../../../messages/common-messages.ts'
import { ReasonFields } from '../reason-fields.tsx'
import { forcible } from './forcible.ts'
import { adminTaskMessages } from './messages.ts'
import type { AdminTask } from './task-row.tsx'
import { useForce } from './use-force.ts'

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

/** The task as it is now: the list behind may be older, or may not show it. */
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

function ForceForm({ task, onClose }: { readonly task: AdminTask; readonly onClose: () => void }): ReactNode {
  const say = useMessages(adminTaskMessages)
  const words = useMessages(wordMessages)
  const form = useForce(task, onClose)
  const { draft, change, code, to, isTried } = form
  return (
    <form noValidate onSubmit={form.send} className="grid gap-4">
      <TaskNow task={task} />
      <Note tone="warn">
        <p>{say('forceSays')}</p>
      </Note>
      <SelectField
        label={say('to')}
        required
        value={to ?? ''}
        hint={to === undefined ? undefined : say(`to.${to}`)}
        error={isTried && to === undefined ? say('toMissing') : form.errorOf('status')}
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
        error={form.errorOf('reason')}
        actor={form.actor}
        onActor={form.typeActor}
      />
      <TextField
        label={say('confirm', { code })}
        hint={say('confirmHint')}
        error={isTried && !form.isConfirmed ? say('confirmWrong', { code }) : undefined}
        required
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        value={form.typed}
        onChange={({ target }) => form.setTyped(target.value)}
      />
      {form.refused !== null && <Failure error={form.refused} />}
      <FormEnd onCancel={onClose} kind="danger" busy={form.isPending}>
        {say('send')}
      </FormEnd>
    </form>
  )
}
