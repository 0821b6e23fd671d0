import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Icon } from '../../components/icon.tsx'
import { Money } from '../../components/money.tsx'
import { Scene } from '../../components/scene.tsx'
import { Ticket } from '../../components/ticket.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { personMessages } from '../../messages/person.ts'
import { landingMessages } from './messages.ts'

type ShotProps = { readonly tasks: Output<'tasks.available'>['tasks'] | undefined }

/** The scene, and before it the ticket of a task that is open now; without one, the scene alone. */
export function Shot({ tasks }: ShotProps): ReactNode {
  const say = useMessages(landingMessages)
  const person = useMessages(personMessages)
  const split = useSplit()
  const task = tasks?.[0]
  return (
    <div className="relative pb-20">
      <Scene name="hero" className="aspect-square w-full rounded-sheet" />
      {task !== undefined && split !== undefined && (
        <div className="absolute inset-x-4 bottom-0 mx-auto max-w-96">
          <Ticket
            stub={
              <div className="flex items-center gap-3 text-sm">
                <Icon
                  name={task.escrow_status === 'none' ? 'hand-coins' : 'lock-key'}
                  className="text-[1.4rem] text-brand"
                />
                <span>
                  <span className="block font-strong">{say('openNow')}</span>
                  <span className="text-quiet">{say(task.escrow_status === 'none' ? 'paysDirect' : 'waitsAside')}</span>
                </span>
              </div>
            }
          >
            <div className="flex items-start justify-between gap-4">
              <div className="grid gap-1">
                <p className="line-clamp-2 leading-tight font-strong">{task.title}</p>
                <p className="text-sm text-quiet">{person(`kind.${task.publisher_type}`)}</p>
              </div>
              <Money usd={split(task.bounty_usd).payoutUsd} look="card" inCents />
            </div>
          </Ticket>
        </div>
      )}
    </div>
  )
}
