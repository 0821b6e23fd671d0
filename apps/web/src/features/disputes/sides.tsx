import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { PersonChip } from '../../components/person.tsx'
import { Card } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import type { Dispute, DisputedTask, Reader } from './dispute-view.tsx'
import { disputeMessages } from './messages.ts'

type SidesProps = {
  readonly dispute: Dispute
  readonly task: DisputedTask | undefined
  readonly reader: Reader
}

/** The two who disagree, each with a face, a name and the way to its record. */
export function Sides({ dispute, task, reader }: SidesProps): ReactNode {
  const say = useMessages(disputeMessages)
  const { data: worker } = useRead('workers.get', { executor_id: dispute.executor_id }, { staleTime: 600_000 })
  const you = (side: Reader): string => (side === reader ? ` ${say('you')}` : '')
  return (
    <Card className="grid grid-cols-2 gap-x-4 sm:gap-x-8">
      <Side role={`${say('publisher')}${you('publisher')}`}>
        <Link to="/publishers/$wallet" params={{ wallet: dispute.publisher_wallet }} className={chipLink}>
          <PersonChip
            address={dispute.publisher_wallet}
            party={task?.publisher_type}
            name={task?.publisher_name}
            picture={task?.publisher_picture_url}
            size={44}
          />
        </Link>
      </Side>
      <Side role={`${say('worker')}${you('worker')}`}>
        <Link to="/people/$workerId" params={{ workerId: dispute.executor_id }} className={chipLink}>
          <PersonChip
            address={dispute.worker_wallet}
            party={worker?.executor_type}
            name={worker?.display_name ?? task?.executor_name}
            picture={worker?.picture_url ?? task?.executor_picture_url}
            size={44}
          />
        </Link>
      </Side>
    </Card>
  )
}

const chipLink = 'inline-flex min-h-11 max-w-full min-w-0 items-center justify-self-start hover:underline'

function Side({ role, children }: { readonly role: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="grid min-w-0 gap-1.5">
      <p className="text-sm text-quiet">{role}</p>
      {children}
    </div>
  )
}
