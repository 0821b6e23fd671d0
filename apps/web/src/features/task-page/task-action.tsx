import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Money } from '../../components/money.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { earnedMessages } from '../../messages/earned.ts'
import { MeteredPrice } from '../../components/metered/metered-price.tsx'

type ActionProps = { readonly task: Output<'tasks.get'>; readonly children: ReactNode }

/** On a phone the one action of the screen, in the place of the bar: what one gets, and the button. */
export function TaskActionBar({ task, children }: ActionProps): ReactNode {
  const say = useMessages(earnedMessages)
  const split = useSplit()
  return (
    <div className="action-bar flex items-center gap-4">
      <div className="flex-none" aria-hidden="true">
        <MeteredPrice task={task} look="card">
          {split !== undefined && (
            <p className="grid">
              <span className="text-micro text-quiet">{say('youGet')}</span>
              <Money usd={split(task.bounty_usd).payoutUsd} look="card" inCents />
            </p>
          )}
        </MeteredPrice>
      </div>
      <div className="grid grow">{children}</div>
    </div>
  )
}
