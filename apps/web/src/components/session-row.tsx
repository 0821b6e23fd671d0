import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { sceneOf } from '../art/scene-of.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { useTaskTitle } from '../lib/use-task-title.ts'
import { LinkButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { Scene } from './scene.tsx'
import { StatusBadge } from './status.tsx'
import { TimeLeft } from './time-left.tsx'

const rowMessages = defineMessages({
  en: { open: 'See the meter' },
  es: { open: 'Ver el contador' },
})

type RowProps = {
  readonly task: Pick<
    Output<'workers.tasks'>['tasks'][number],
    'id' | 'category' | 'title' | 'instructions' | 'evidence_required' | 'status' | 'deadline' | 'next_action'
  >
  readonly side: 'buyer' | 'worker'
}

/** A session among tasks: what it is about, and the way to its meter. */
export function SessionRow({ task, side }: RowProps): ReactNode {
  const say = useMessages(rowMessages)
  const titleOf = useTaskTitle()
  const { id, status } = task
  const isOver = task.next_action === null
  const to = { to: '/sessions', search: side === 'worker' ? { role: side, id } : { id } } as const
  return (
    <div className="flex flex-wrap items-start gap-x-3.5 gap-y-1.5">
      <Scene name={sceneOf[task.category]} className="size-12 flex-none rounded-xl" />
      <div className="grid min-w-0 grow basis-24 justify-items-start gap-1.5">
        <h3 className="font-sans text-base font-label tracking-normal wrap-anywhere">
          <Link {...to} className="hover:underline">
            {titleOf(task)}
          </Link>
        </h3>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
          {isOver ? (
            <StatusBadge status={status} />
          ) : (
            <span className="inline-flex items-center gap-1">
              <Icon name="clock" /> <TimeLeft until={task.deadline} />
            </span>
          )}
        </p>
        {!isOver && (
          <LinkButton {...to} kind="secondary" className="w-max px-4">
            {say('open')}
          </LinkButton>
        )}
      </div>
    </div>
  )
}
