import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Money } from '../../components/money.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { publishMessages } from './messages.ts'
import { steps, type PublishStep } from './steps.ts'

/** How far one is: a bar and a word for each step, and a way to each. */
export function StepProgress({
  step,
  go,
}: {
  readonly step: PublishStep
  readonly go: (step: PublishStep) => void
}): ReactNode {
  const say = useMessages(publishMessages)
  const at = steps.indexOf(step)
  return (
    <nav aria-label={say('steps')} className="max-w-2xl">
      <ol className="flex flex-wrap gap-1.5">
        {steps.map((one, place) => (
          <li key={one} className="flex-1">
            <button
              type="button"
              aria-current={one === step ? 'step' : undefined}
              className="step-link"
              data-reached={place <= at}
              onClick={() => {
                go(one)
              }}
            >
              <span className="visually-hidden">{say('stepOf', { n: place + 1 })} </span>
              {say(`step.${one}`)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

type EndProps = {
  /** What the amount is to whoever pays it. */
  readonly says: string
  readonly bountyUsd: number | undefined
  readonly back: (() => void) | undefined
  /** What takes the place of the button, where it cannot act yet. */
  readonly instead?: ReactNode
  readonly busy: boolean
  readonly children: ReactNode
}

/** The one action of the step: on a phone at the lower edge, with what one pays beside it. */
export function StepEnd({ says, bountyUsd, back, instead, busy, children }: EndProps): ReactNode {
  const say = useMessages(publishMessages)
  return (
    <div className="action-bar flex items-center gap-3">
      {bountyUsd !== undefined && (
        <p className="grid flex-none wide:hidden" aria-hidden="true">
          <span className="text-micro text-quiet">{says}</span>
          <Money usd={bountyUsd} look="card" />
        </p>
      )}
      {back !== undefined && (
        <Button onClick={back} className="px-3 wide:px-4">
          {say('back')}
        </Button>
      )}
      {instead ?? (
        <Button kind="primary" type="submit" busy={busy} className="grow px-3 wide:min-w-56 wide:grow-0">
          {children}
        </Button>
      )}
    </div>
  )
}
