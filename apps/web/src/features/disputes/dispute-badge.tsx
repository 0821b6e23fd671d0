import type { ReactNode } from 'react'
import type { DisputeStatus } from '@ergon/contract'
import { Badge, type Tone } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { disputeMessages } from './messages.ts'

const tones: Readonly<Record<DisputeStatus, Tone>> = {
  open: 'bad',
  resolving: 'warn',
  resolved: 'good',
  expired: 'plain',
}

/** Where a dispute stands. */
export function DisputeBadge({ status }: { readonly status: DisputeStatus }): ReactNode {
  const say = useMessages(disputeMessages)
  return <Badge tone={tones[status]}>{say(`status.${status}`)}</Badge>
}
