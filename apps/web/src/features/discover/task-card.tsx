import { memo, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Money } from '../../components/money.tsx'
import { Badge } from '../../components/surface.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Split } from '../../lib/payout.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { earnedMessages } from '../../messages/earned.ts'
import { wordMessages } from '../../messages/words.ts'
import type { Found, Task } from './filters.ts'
import { discoverMessages } from './messages.ts'

type CardProps = Found & { readonly split: ((bountyUsd: number) => Split) | undefined }

/** A task in a list: what it is, what reaches the worker, how long there is, where, and what has to be proven. */
export const TaskCard = memo(function TaskCard({ task, metres, split }: CardProps): ReactNode {
  const say = useMessages(discoverMessages)
  const word = useMessages(wordMessages)
  const format = useFormat()
  return (
    <article className="relative grid gap-3 rounded-2xl border border-line bg-surface p-4 hover:border-brand @lg:grid-cols-[1fr_auto] @lg:gap-x-6 @lg:p-5">
      <div className="grid min-w-0 content-start gap-2">
        <p className="flex flex-wrap gap-2">
          <Badge>{word(`category.${task.category}`)}</Badge>
          {task.target_executor_type !== 'any' && (
            <Badge tone="brand">{word(`party.${task.target_executor_type}`)}</Badge>
          )}
          {task.min_reputation > 0 && <Badge tone="warn">{say('gate', { score: task.min_reputation })}</Badge>}
        </p>
        <h2 className="line-clamp-2 text-lg leading-snug">
          <Link
            to="/tasks/$taskId"
            params={{ taskId: task.id }}
            className="after:absolute after:inset-0 after:rounded-2xl"
          >
            {task.title}
          </Link>
        </h2>
      </div>
      <Amount task={task} split={split} />
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm @lg:col-span-2">
        <Datum name={say('time')}>
          <TimeLeft until={task.deadline} />
        </Datum>
        <Datum name={say('place')}>
          <Place task={task} metres={metres} />
        </Datum>
        <Datum name={say('asks')}>{format.list(task.evidence_required.map((type) => word(`evidence.${type}`)))}</Datum>
        <Datum name={say('publisher')}>
          <PublisherRating task={task} />
        </Datum>
      </dl>
    </article>
  )
})

function Amount({ task, split }: { readonly task: Task; readonly split: CardProps['split'] }): ReactNode {
  const say = useMessages(earnedMessages)
  const format = useFormat()
  if (split === undefined)
    return (
      <p className="@lg:text-right">
        <span className="block text-sm text-quiet">{say('bounty')}</span>
        <Money usd={task.bounty_usd} className="text-2xl" />
      </p>
    )
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 @lg:block @lg:text-right">
      <span className="text-sm text-quiet">{say('youGet')} </span>
      <Money usd={split(task.bounty_usd).payoutUsd} className="text-2xl leading-tight @lg:block" />
      <span className="text-sm text-quiet"> {say('ofBounty', { bounty: format.usd(task.bounty_usd) })}</span>
    </p>
  )
}

function Datum({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-1.5">
      <dt className="text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Place({ task, metres }: { readonly task: Task; readonly metres: number | undefined }): ReactNode {
  const say = useMessages(discoverMessages)
  const format = useFormat()
  const parts = [
    task.location_hint ?? '',
    metres === undefined
      ? task.area === null
        ? ''
        : say('within_', { distance: format.distance(task.area.radius_m) })
      : say('away', { distance: format.distance(metres) }),
  ].filter((part) => part !== '')
  return <span className="line-clamp-1">{parts.length === 0 ? say('placeAnywhere') : parts.join(' · ')}</span>
}

function PublisherRating({ task: { publisher_reputation: reputation } }: { readonly task: Task }): ReactNode {
  const say = useMessages(discoverMessages)
  const common = useMessages(commonMessages)
  return reputation === null || reputation.avg_score === null
    ? common('unrated')
    : say('ratedOf', { score: Math.round(reputation.avg_score), count: reputation.rating_count })
}
