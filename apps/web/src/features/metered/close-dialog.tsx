import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { meteredMessages } from './messages.ts'
import type { Meter } from './use-meter.ts'

type Props = {
  readonly taskId: string
  readonly part: 'publisher' | 'worker'
  readonly meter: Meter
  readonly onClose: () => void
}

/** Ends the pay of a task, after saying who gets what. */
export function CloseDialog({ taskId, part, meter, onClose }: Props): ReactNode {
  const say = useMessages(meteredMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const tell = useToast()
  const close = useChange('channels.close', [
    'tasks.get',
    'streams.get',
    'streams.list',
    'payments.events',
    'workers.earnings',
  ])
  const rest = format.usd(meter.remaining_usd)
  return (
    <Dialog open title={say('closeTitle')} onClose={onClose}>
      <div className="grid gap-4">
        <p>
          {part === 'worker'
            ? say('closeLeadWorker', { amount: format.usd(meter.worker_usd) })
            : say('closeLeadPublisher', { amount: format.usd(meter.consumed_usd), rest })}
        </p>
        {close.error !== null && <Failure error={close.error} />}
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            kind="primary"
            busy={close.isPending}
            onClick={() => {
              close.mutate(
                { task_id: taskId },
                {
                  onSuccess: () => {
                    tell(say('closed'))
                    onClose()
                  },
                },
              )
            }}
          >
            {say('closeNow')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
