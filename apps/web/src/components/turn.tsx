import type { ReactNode } from 'react'
import type { TaskStatus } from '@ergon/contract'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { isRunning, turnOf } from '../lib/turn.ts'
import { turnMessages } from '../messages/turns.ts'
import { Badge } from './surface.tsx'
import { useNow } from './time.tsx'

const icons = {
  yours: 'hand-pointing-fill',
  publisher: 'hourglass-medium-bold',
  worker: 'hourglass-medium-bold',
  service: 'arrows-clockwise-bold',
  arbiter: 'scales-bold',
  applicants: 'circle-half-bold',
  nobody: 'minus-circle-bold',
} as const

type TurnProps = {
  readonly status: TaskStatus
  readonly deadline: string
  readonly as: 'publisher' | 'worker'
  readonly applicants?: number
}

/** Whose turn it is and how long there is, for one of the two sides. */
export function TurnNote({ status, deadline, as, applicants }: TurnProps): ReactNode {
  const say = useMessages(turnMessages)
  const format = useFormat()
  const now = useNow()
  const turn = turnOf(status, applicants)
  const when = format.relative(deadline, now)
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge
        tone={
          turn === as
            ? 'turn'
            : turn === 'applicants'
              ? 'move'
              : turn === 'arbiter'
                ? 'bad'
                : turn === 'nobody'
                  ? 'over'
                  : 'plain'
        }
        icon={icons[turn === as ? 'yours' : turn]}
      >
        {say(`${as === 'publisher' ? 'p' : 'w'}.${turn}`)}
      </Badge>
      {isRunning(status) && (
        <time dateTime={deadline} className="text-sm text-quiet">
          {say(Date.parse(deadline) > now ? 'left' : 'ended', { when })}
        </time>
      )}
    </span>
  )
}
