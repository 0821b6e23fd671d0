import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { useDraft } from '../../lib/use-draft.ts'
import { assignMessages } from './messages.ts'

const unsaid = { reason: '' }

/** Taking a task back, with what that does to the money. */
export function CancelDialog({
  taskId,
  open,
  onClose,
}: {
  readonly taskId: string
  readonly open: boolean
  readonly onClose: () => void
}): ReactNode {
  const say = useMessages(assignMessages)
  const tell = useToast()
  const [{ reason }, change, forget] = useDraft(`cancel.${taskId}`, unsaid)
  const cancel = useChange('h2a.cancel', ['h2a.get', 'h2a.list', 'tasks.list', 'tasks.get', 'tasks.available'])
  return (
    <Dialog open={open} title={say('cancelTitle')} onClose={onClose}>
      <div className="grid gap-4">
        <p>{say('cancelSays')}</p>
        <TextField
          label={say('reason')}
          maxLength={500}
          value={reason}
          onChange={({ target }) => {
            change({ reason: target.value })
          }}
        />
        {cancel.error !== null && <Failure error={cancel.error} />}
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{say('keep')}</Button>
          <Button
            kind="danger"
            busy={cancel.isPending}
            onClick={() => {
              cancel.mutate(
                { task_id: taskId, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
                {
                  onSuccess: () => {
                    forget()
                    tell(say('cancelled'))
                    onClose()
                  },
                },
              )
            }}
          >
            {say('cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
