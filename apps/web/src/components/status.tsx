import type { ReactNode } from 'react'
import type { TaskStatus } from '@ergon/contract'
import { useMessages } from '../lib/i18n.tsx'
import { wordMessages } from '../messages/words.ts'
import type { IconName } from './icon-names.ts'
import { Badge, type Tone } from './surface.tsx'

const looks: Readonly<Record<TaskStatus, readonly [tone: Tone, icon: IconName]>> = {
  published: ['move', 'circle-half-bold'],
  assigning: ['move', 'lock-key-bold'],
  accepted: ['plain', 'hourglass-medium-bold'],
  in_progress: ['plain', 'hourglass-medium-bold'],
  submitted: ['plain', 'hourglass-medium-bold'],
  verifying: ['plain', 'hourglass-medium-bold'],
  completed: ['good', 'check-circle-fill'],
  disputed: ['bad', 'scales-bold'],
  cancelled: ['over', 'minus-circle-bold'],
  expired: ['over', 'minus-circle-bold'],
  draft: ['over', 'minus-circle-bold'],
}

const isKnown = (status: string): status is TaskStatus => Object.hasOwn(looks, status)
/** A state that only a newer service knows. */
const unknown = ['plain', 'hourglass-medium-bold'] as const

/** The state of a task. */
export function StatusBadge({ status }: { readonly status: TaskStatus }): ReactNode {
  const say = useMessages(wordMessages)
  const [tone, icon] = isKnown(status) ? looks[status] : unknown
  return (
    <Badge tone={tone} icon={icon}>
      {say(`status.${status}`)}
    </Badge>
  )
}
