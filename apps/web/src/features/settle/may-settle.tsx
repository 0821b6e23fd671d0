import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { ReadFault } from '../../components/read-fault.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { isUnderway } from '../../lib/turn.ts'
import { readDraft } from '../../lib/use-draft.ts'
import { settleMessages } from './messages.ts'
import { offerDraft, type OfferDraft } from './offer-draft.ts'
import { useRuling } from './use-ruling.ts'

// Most who open a task settle nothing, and the card brings what signs along.
const SettleCard = lazy(async () => ({ default: (await import('./settle-card.tsx')).SettleCard }))

type Side = 'publisher' | 'worker'
type Task = Pick<Output<'tasks.get'>, 'id' | 'status' | 'payment_network' | 'bounty_usd'>

const everyMs = 15_000

/** Where two sides may settle, the way to it; an offer that waits is shown at once. A channel settles by itself. */
export function MaySettle({ task, side }: { readonly task: Task; readonly side: Side | undefined }): ReactNode {
  if (side === undefined || !isUnderway(task.status) || task.payment_network === 'solana') return null
  return task.status === 'disputed' ? (
    <InDispute taskId={task.id} side={side} disputedUsd={task.bounty_usd} />
  ) : (
    <Settling taskId={task.id} side={side} disputedUsd={task.bounty_usd} />
  )
}

type SettlingProps = { readonly taskId: string; readonly side: Side; readonly disputedUsd: number }

/** After a ruling the parties settle no more, so it is offered once it is known that there is none. */
function InDispute({ taskId, ...rest }: SettlingProps): ReactNode {
  const disputes = useRead('disputes.list', { task_id: taskId, limit: 20 }, { refetchInterval: everyMs })
  const open = disputes.data?.disputes.find(({ status }) => status === 'open')
  const read = useRuling(open?.id ?? '', { enabled: open !== undefined })
  return (
    <>
      <ReadFault of={disputes.error === null ? read : disputes} />
      {open !== undefined && read.ruling === null && <Settling taskId={taskId} {...rest} />}
    </>
  )
}

function Settling({ taskId, ...rest }: SettlingProps): ReactNode {
  const say = useMessages(settleMessages)
  // What was typed before is shown where it was typed.
  const [isAsked, setAsked] = useState(() => readDraft<OfferDraft>(offerDraft(taskId)).share !== undefined)
  const { data } = useRead('offers.list', { task_id: taskId }, { refetchInterval: everyMs })
  const isWaiting = data?.offers.some(({ status }) => status === 'open' || status === 'accepted') === true
  if (isAsked || isWaiting)
    return (
      <Suspense>
        <SettleCard taskId={taskId} {...rest} />
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
