import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { settleMessages } from './messages.ts'

// Most who open a task settle nothing, and the card brings what signs along.
const SettleCard = lazy(async () => ({ default: (await import('./settle-card.tsx')).SettleCard }))

type Side = 'publisher' | 'worker'
type Task = Pick<Output<'tasks.get'>, 'id' | 'status' | 'payment_network'>

const everyMs = 15_000
/** From the assignment to the end of a dispute (decision 0167). */
const settleable: readonly string[] = ['accepted', 'in_progress', 'submitted', 'verifying', 'disputed']

/** Where two sides may settle, the way to it; an offer that waits is shown at once. A channel settles by itself. */
export function MaySettle({ task, side }: { readonly task: Task; readonly side: Side | undefined }): ReactNode {
  if (side === undefined || !settleable.includes(task.status) || task.payment_network === 'solana') return null
  return <Settling taskId={task.id} side={side} />
}

function Settling({ taskId, side }: { readonly taskId: string; readonly side: Side }): ReactNode {
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
