import type { ReactNode } from 'react'
import type { TaskStatus } from '@ergon/contract'
import { useMessages } from '../lib/i18n.tsx'
import { wordMessages } from '../messages/words.ts'
import { Badge, type Tone } from './surface.tsx'

const tones: Readonly<Record<TaskStatus, Tone>> = {
  published: 'brand',
  accepted: 'brand',
  in_progress: 'brand',
  submitted: 'warn',
  verifying: 'warn',
  completed: 'good',
  disputed: 'bad',
  cancelled: 'plain',
  expired: 'plain',
  draft: 'plain',
  assigning: 'warn',
}

/** Where a task stands. */
export function StatusBadge({ status }: { readonly status: TaskStatus }): ReactNode {
  const say = useMessages(wordMessages)
  return <Badge tone={tones[status]}>{say(`status.${status}`)}</Badge>
}
