import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { ReadFault } from '../../components/read-fault.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { isUnderway } from '../../lib/turn.ts'
import { settleMessages } from './messages.ts'
import { useRuling } from './use-ruling.ts'

// Most who open a task settle nothing, and the card brings what signs along.
const SettleCard = lazy(async () => ({ default: (await import('./settle-card.tsx')).SettleCard }))

type Side = 'publisher' | 'worker'
type Task = Pick<Output<'tasks.get'>, 'id' | 'status' | 'payment_network'>

const everyMs = 15_000

/** Where two sides may settle, the way to it; an offer that waits is shown at once. A channel settles by itself. */
export function MaySettle({ task, side }: { readonly task: Task; readonly side: Side | undefined }): ReactNode {
  if (side === undefined || !isUnderway(task.status) || task.payment_network === 'solana') return null
  return task.status === 'disputed' ? (
    <InDispute taskId={task.id} side={side} />
  ) : (
    <Settling taskId={task.id} side={side} />
  )
}

type SettlingProps = { readonly taskId: string; readonly side: Side }

/** After a ruling the parties settle no more, so it is offered once it is known that there is none. */
function InDispute({ taskId, side }: SettlingProps): ReactNode {
  const disputes = useRead('disputes.list', { task_id: taskId, limit: 20 }, { refetchInterval: everyMs })
  const open = disputes.data?.disputes.find(({ status }) => status === 'open')
  const read = useRuling(open?.id ?? '', { enabled: open !== undefined })
  return (
    <>
      <ReadFault of={disputes.error === null ? read : disputes} />
      {open !== undefined && read.ruling === null && <Settling taskId={taskId} side={side} />}
    </>
  )
}

function Settling({ taskId, side }: SettlingProps): ReactNode {
  const say = useMessages(settleMessages)
  const [isAsked, setAsked] = useState(false)
  const { data } = useRead('offers.list', { task_id: taskId }, { refetchInterval: everyMs })
  const isWaiting = data?.offers.some(({ status }) => status === 'open' || status === 'accepted') === true
  if (isAsked || isWaiting)
    return (
      <Suspense>
        <SettleCard taskId={taskId} side={side} />
      </Suspense>
    )
  return (
    <div className="grid gap-2">
      <p className="text-sm text-quiet">{say('lead')}</p>
      <div>
        <Button
          onClick={() => {
            setAsked(true)
          }}
        >
          {say('title')}
        </Button>
      </div>
    </div>
  )
}
