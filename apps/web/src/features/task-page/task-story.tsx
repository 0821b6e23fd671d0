import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useDecider } from '../../components/deciders/use-decider.ts'
import { Icon } from '../../components/icon.tsx'
import { Timeline, type Step } from '../../components/timeline.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { readCriteria } from '../../lib/criteria.ts'
import { useSplit } from '../../lib/use-split.ts'
import { taskMessages } from './messages.ts'

type Task = Output<'tasks.get'>

/** What has to be done, and what it is held against. */
export function WhatToDo({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(taskMessages)
  const { instructions, criteria } = readCriteria(task.instructions)
  return (
    <>
      <section className="grid gap-3">
        <h2>{say('what')}</h2>
        <p className="max-w-prose wrap-anywhere whitespace-pre-line">{instructions}</p>
      </section>
      {criteria.length > 0 && (
        <section className="grid gap-3">
          <h2>{say('acceptedWhen')}</h2>
          <ul className="grid gap-2.5">
            {criteria.map((one, index) => (
              <li key={index} className="flex gap-3">
                <Icon name="check-bold" className="mt-0.5 text-brand" />
                <span className="min-w-0 wrap-anywhere">{one}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** What happens from applying to being paid, and what silence does; said before anybody applies. */
export function WhatHappensNext({
  task,
  hasApplied,
}: {
  readonly task: Task
  readonly hasApplied: boolean
}): ReactNode {
  const say = useMessages(taskMessages)
  const format = useFormat()
  const split = useSplit()
  const who = useDecider(task)
  if (task.status !== 'published' || split === undefined) return null
  const { policy } = task
  const steps: readonly Step[] = [
    { title: say(hasApplied ? 'next1Done' : 'next1'), detail: say('next1How'), state: hasApplied ? 'done' : 'now' },
    {
      title: say('next2'),
      detail: say(task.escrow_status === 'none' ? 'next2Direct' : 'next2Escrow', {
        bounty: format.usd(task.bounty_usd),
      }),
      state: hasApplied ? 'now' : 'to-come',
    },
    { title: say('next3'), detail: say('next3How', { when: format.dateTime(task.deadline) }), state: 'to-come' },
    {
      title: say('next4', { amount: format.cents(split(task.bounty_usd).payoutUsd) }),
      detail:
        policy === null
          ? say('silenceNone')
          : say(policy.on_silence === 'release' ? 'silencePays' : 'silenceAsks', { hours: policy.review_hours, who }),
      state: 'to-come',
    },
  ]
  return (
    <section className="grid gap-3">
      <h2>{say('next')}</h2>
      <Timeline steps={steps} />
    </section>
  )
}
