import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { LinkButton } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Empty } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { TaskCard } from '../../components/task-card.tsx'
import { landingMessages } from './messages.ts'

/** Three tasks that are open, as they are in the list. */
export function OpenNow({ answer }: { readonly answer: Output<'tasks.available'> | undefined }): ReactNode {
  const say = useMessages(landingMessages)
  const split = useSplit()
  if (answer === undefined) return <div className="min-h-64" />
  return (
    <section className="grid gap-5" aria-labelledby="open-now">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="open-now" className="text-[1.625rem]">
          {say('openTitle')}
        </h2>
        {answer.total > 0 && (
          <Link to="/find" className="btn btn-quiet text-sm">
            {say('seeAll', { count: answer.total })}
            <Icon name="arrow-right-bold" />
          </Link>
        )}
      </div>
      {answer.tasks.length === 0 ? (
        <Empty title={say('none')}>
          <p className="text-quiet">{say('noneHow')}</p>
          <LinkButton to="/publish">{say('post')}</LinkButton>
        </Empty>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 wide:grid-cols-3 wide:gap-5">
          {answer.tasks.map((task) => (
            <li key={task.id} className="grid">
              <TaskCard task={task} metres={undefined} split={split} heading="h3" />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
