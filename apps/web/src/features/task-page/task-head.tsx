import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { sceneOf } from '../../art/scene-of.ts'
import { Icon } from '../../components/icon.tsx'
import { PersonChip } from '../../components/person.tsx'
import { SceneBanner } from '../../components/scene.tsx'
import { ShareButton } from '../../components/share-button.tsx'
import { StatusBadge } from '../../components/status.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { serviceAddress } from '../../lib/service-address.ts'
import { useTaskTitle } from '../../lib/use-task-title.ts'
import { useTitle } from '../../lib/use-title.ts'
import { wordMessages } from '../../messages/words.ts'

/** The kind of a task, its state, its place and deadline; its title, and whose it is. */
export function TaskHead({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const word = useMessages(wordMessages)
  const { publisher_reputation: reputation } = task
  const by = task.next_action?.by ?? null
  const title = useTaskTitle()(task)
  useTitle(title)
  return (
    <header className="grid gap-4">
      <SceneBanner name={sceneOf[task.category]} className="h-36 w-full rounded-card bg-(--art-sky) wide:h-48" />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-quiet">
        <StatusBadge status={task.status} />
        <span>{word(`category.${task.category}`)}</span>
        {task.location_hint !== null && (
          <span className="inline-flex min-w-0 items-center gap-1">
            <Icon name="map-pin" /> {task.location_hint}
          </span>
        )}
        {by !== null && (
          <span className="inline-flex items-center gap-1">
            <Icon name="clock" /> <TimeLeft until={by} />
          </span>
        )}
        <span className="ml-auto">
          <ShareButton title={title} url={`${serviceAddress()}/tasks/${task.id}`} />
        </span>
      </p>
      <h1 tabIndex={-1} className="wrap-anywhere outline-none">
        {title}
      </h1>
      <Link
        to="/publishers/$wallet"
        params={{ wallet: task.agent_id }}
        className="-mx-2 flex items-center justify-between gap-3 rounded-control px-2 py-1.5 hover:bg-sunken"
      >
        <PersonChip
          address={task.agent_id}
          party={task.publisher_type}
          name={task.publisher_name}
          picture={task.publisher_picture_url}
          size={44}
          rated={{ score: reputation?.avg_score ?? null, count: reputation?.rating_count ?? 0 }}
        />
        <Icon name="caret-right-bold" />
      </Link>
    </header>
  )
}
