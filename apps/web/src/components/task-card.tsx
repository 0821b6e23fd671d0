import { memo, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { sceneOf } from '../art/scene-of.ts'
import { Icon } from './icon.tsx'
import { Money } from './money.tsx'
import { Stars } from './person.tsx'
import { Portrait } from './portrait.tsx'
import { Scene } from './scene.tsx'
import { TimeLeft } from './time-left.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import type { Split } from '../lib/payout.ts'
import { earnedMessages } from '../messages/earned.ts'
import { personMessages } from '../messages/person.ts'
import { placeMessages } from '../messages/place.ts'

type Task = Output<'tasks.available'>['tasks'][number]

type CardProps = {
  readonly task: Task
  readonly metres: number | undefined
  readonly split: ((bountyUsd: number) => Split) | undefined
  readonly heading?: 'h2' | 'h3'
}

/** A task in a list: what reaches the worker, where, what it is, who asks and how long there is. */
export const TaskCard = memo(function TaskCard({ task, metres, split, heading: Heading = 'h2' }: CardProps): ReactNode {
  return (
    <article className="task-card">
      <Scene name={sceneOf[task.category]} className="size-[min(4.75rem,22vw)]" />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5">
        <div className="flex flex-wrap items-start justify-between gap-x-2">
          <Amount task={task} split={split} />
          <Place task={task} metres={metres} />
        </div>
        <Heading className="line-clamp-2 font-sans text-card leading-snug font-strong tracking-[-0.005em]">
          <Link
            to="/tasks/$taskId"
            params={{ taskId: task.id }}
            className="after:absolute after:inset-0 after:rounded-card"
          >
            {task.title}
          </Link>
        </Heading>
      </div>
      <div className="task-card-foot">
        <Publisher task={task} />
        <span className="flex flex-none items-center gap-1 text-quiet">
          <Icon name="clock" /> <TimeLeft until={task.deadline} />
        </span>
      </div>
    </article>
  )
})

function Amount({ task, split }: { readonly task: Task; readonly split: CardProps['split'] }): ReactNode {
  const say = useMessages(earnedMessages)
  return (
    <p>
      <span className="visually-hidden">{say(split === undefined ? 'bounty' : 'youGet')} </span>
      {split === undefined ? (
        <Money usd={task.bounty_usd} look="card" />
      ) : (
        <Money usd={split(task.bounty_usd).payoutUsd} look="card" inCents />
      )}
    </p>
  )
}

/** How far it is where that is known, else where it is in words. */
function Place({ task, metres }: { readonly task: Task; readonly metres: number | undefined }): ReactNode {
  const say = useMessages(placeMessages)
  const format = useFormat()
  const { area, location_hint: hint } = task
  const words =
    metres !== undefined
      ? format.distance(metres)
      : (hint ?? (area === null ? say('placeAnywhere') : say('within_', { distance: format.distance(area.radius_m) })))
  return <p className="line-clamp-2 min-w-0 grow basis-20 pt-0.5 text-end text-sm text-quiet wrap-anywhere">{words}</p>
}

/** Who asks: a name where there is one, else what it is; never an address in a list. */
function Publisher({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(personMessages)
  const {
    agent_id: wallet,
    publisher_name: name,
    publisher_picture_url: picture,
    publisher_type: party,
    publisher_reputation: reputation,
  } = task
  return (
    <span className="flex min-w-0 grow basis-24 items-center gap-2">
      <Portrait address={wallet} party={party} name={name} picture={picture} size={24} />
      <span className="min-w-0 truncate">
        {name ?? say(`kind.${party}`)}{' '}
        <span className="text-micro">
          <Stars plain rated={{ score: reputation?.avg_score ?? null, count: reputation?.rating_count ?? 0 }} />
        </span>
      </span>
    </span>
  )
}
