import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { sceneOf } from '../../art/scene-of.ts'
import { BeginButton } from '../../components/begin-button.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Money } from '../../components/money.tsx'
import { SceneBanner } from '../../components/scene.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { earnedMessages } from '../../messages/earned.ts'
import { actSaid, otherwiseSaid, turnSaid } from '../../lib/turn-words.ts'
import { turnMessages } from '../../messages/turns.ts'
import { workMessages } from './messages.ts'
import { useWaits } from './use-waits.ts'

type NextProps = {
  readonly task: Output<'workers.tasks'>['tasks'][number]
  /** What the publisher asked to be changed, where it did. */
  readonly asked: string | null
}

/** The next thing to do, as the one dark band of the screen: what, how long there is, what it pays, and the verb. */
export function NextTask({ task, asked }: NextProps): ReactNode {
  const say = useMessages(workMessages)
  const turn = useMessages(turnMessages)
  const waits = useWaits(task.id)
  const { next_action: next } = task
  const otherwise = next === null ? undefined : otherwiseSaid(turn, next)
  const earned = useMessages(earnedMessages)
  const format = useFormat()
  const split = useSplit()?.(task.bounty_usd)
  return (
    <li className="night grid gap-4">
      <SceneBanner name={sceneOf[task.category]} className="h-36 w-full bg-(--art-sky)" />
      <p className="flex flex-wrap items-center gap-3 text-sm">
        <span className="badge bg-on-night-brand text-[#04261c]">
          <Icon name="hand-pointing-fill" />
          {turnSaid(turn, next, 'worker')}
        </span>
        <span className="night-quiet inline-flex items-center gap-1">
          <Icon name="clock" /> <TimeLeft until={next?.by ?? task.deadline} />
        </span>
      </p>
      <h2 className="text-2xl leading-[1.15]">
        <Link to="/tasks/$taskId" params={{ taskId: task.id }} className="hover:underline">
          {task.title}
        </Link>
      </h2>
      {waits && <p>{say('kept')}</p>}
      {next !== null && !waits && (
        <p className="grid gap-0.5">
          <span>{actSaid(turn, next, 'worker')}</span>
          {otherwise !== undefined && <span className="night-quiet text-sm">{otherwise}</span>}
        </p>
      )}
      {task.escrow_status === 'authorized' && (
        <p className="night-quiet">{say('aside', { bounty: format.usd(task.bounty_usd) })}</p>
      )}
      {asked !== null && (
        <p className="flex gap-2.5 rounded-control bg-warn-soft px-4 py-3 text-sm text-warn">
          <Icon name="arrow-u-up-left-bold" className="mt-0.5" />
          <span className="wrap-anywhere">{say('changes', { reason: asked })}</span>
        </p>
      )}
      <div className="flex flex-wrap items-end justify-between gap-4">
        <p className="grid">
          <span className="night-quiet text-sm">{earned(split === undefined ? 'bounty' : 'youGet')}</span>
          <Money usd={split?.payoutUsd ?? task.bounty_usd} look="hero" inCents={split !== undefined} />
        </p>
        {!waits && <Step task={task} asked={asked} />}
      </div>
    </li>
  )
}

/** The one verb; where the work has to be begun first, handing it in is the quieter way. */
function Step({ task, asked }: NextProps): ReactNode {
  const say = useMessages(workMessages)
  const what = task.next_action?.what
  const params = { taskId: task.id }
  const grown = 'grow sm:grow-0'
  if (what === 'answer_offer')
    return (
      <LinkButton to="/tasks/$taskId" params={params} kind="night" className={grown}>
        {say('answerOffer')}
      </LinkButton>
    )
  return (
    <>
      <BeginButton task={task} kind="night" className={grown} />
      <LinkButton
        to="/work/$taskId/submit"
        params={params}
        kind={what === 'begin' ? 'secondary' : 'night'}
        className={what === 'begin' ? `night-outline ${grown}` : grown}
      >
        <Icon name="camera-bold" />
        {say(asked === null ? 'do' : 'again')}
      </LinkButton>
    </>
  )
}
