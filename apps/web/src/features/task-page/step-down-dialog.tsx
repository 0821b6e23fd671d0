import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { faultsOf, useDraft } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { faultMessages } from '../../messages/faults.ts'
import { taskMessages } from './messages.ts'

const empty = { reason: '' }

/**
 * Takes an application back, or gives an assigned task back: the bounty returns to the publisher first then, so it may
 * take a moment.
 */
export function StepDownDialog({
  taskId,
  open,
  isChosen,
  onClose,
}: {
  readonly taskId: string
  readonly open: boolean
  readonly isChosen: boolean
  readonly onClose: () => void
}): ReactNode {
  const say = useMessages(taskMessages)
  const common = useMessages(commonMessages)
  const wrong = useMessages(faultMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft(`stepDown.${taskId}`, empty)
  const withdraw = useChange('tasks.withdraw', [
    'events.list',
    'tasks.get',
    'tasks.application',
    'payments.events',
    'account.export',
  ])
  const reason = draft.reason.trim()
  const input = { task_id: taskId, ...(reason === '' ? {} : { reason }) }
  const fault = faultsOf('tasks.withdraw', input)['reason']
  return (
    <Dialog open={open} title={say(isChosen ? 'stepDownTitle' : 'takeBackTitle')} onClose={onClose}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (withdraw.isPending || fault !== undefined) return
          withdraw.mutate(input, {
            onSuccess: ({ state }) => {
              tell(say(!isChosen ? 'tookBack' : state === 'withdrawn' ? 'steppedDown' : 'steppingDown'))
              forget()
              onClose()
            },
          })
        }}
      >
        <p>{say(isChosen ? 'stepDownLead' : 'takeBackLead')}</p>
        <TextAreaField
          label={say('reason')}
          hint={say('reasonHint')}
          value={draft.reason}
          error={
            fault === undefined ? undefined : wrong(fault.rule, fault.limit === undefined ? {} : { limit: fault.limit })
          }
          onChange={({ target }) => {
            change({ reason: target.value })
          }}
        />
        {withdraw.error !== null && <Failure error={withdraw.error} />}
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="danger" busy={withdraw.isPending}>
            {say(isChosen ? 'stepDown' : 'takeBack')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
