import type { ReactNode } from 'react'
import type { DisputeStatus } from '@ergon/contract'
import type { IconName } from '../../components/icon-names.ts'
import { Badge, type Tone } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { disputeMessages } from './messages.ts'

const looks: Readonly<Record<DisputeStatus, readonly [tone: Tone, icon: IconName]>> = {
  open: ['bad', 'scales-bold'],
  resolving: ['warn', 'hourglass-medium-bold'],
  resolved: ['good', 'check-circle-fill'],
  expired: ['plain', 'minus-circle-bold'],
}

/** The state of a dispute. */
export function DisputeBadge({ status }: { readonly status: DisputeStatus }): ReactNode {
  const say = useMessages(disputeMessages)
  const [tone, icon] = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {say(`status.${status}`)}
    </Badge>
  )
}
