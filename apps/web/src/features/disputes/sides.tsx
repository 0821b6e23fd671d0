import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Card } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import type { Reader, SeenDispute } from './dispute-view.tsx'
import { disputeMessages } from './messages.ts'
import { PartyChip } from './party-chip.tsx'

/** The two who disagree, each with a face, a name and the way to its record. */
export function Sides({ dispute, task, reader }: SeenDispute): ReactNode {
  const say = useMessages(disputeMessages)
  const you = (side: Reader): string => (side === reader ? ` ${say('you')}` : '')
  return (
    <Card className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-x-4 gap-y-3 sm:gap-x-8">
      <Side role={`${say('publisher')}${you('publisher')}`}>
        <Link to="/publishers/$wallet" params={{ wallet: dispute.publisher_wallet }} className={chipLink}>
          <PartyChip side="publisher" dispute={dispute} task={task} size={44} />
        </Link>
      </Side>
      <Side role={`${say('worker')}${you('worker')}`}>
        <Link to="/people/$workerId" params={{ workerId: dispute.executor_id }} className={chipLink}>
          <PartyChip side="worker" dispute={dispute} task={task} size={44} />
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
