import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { LinkButton } from '../../components/button.tsx'
import { useDue } from '../../components/metered/use-due.ts'
import { Money } from '../../components/money.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { reviewMessages } from './messages.ts'

/** The part of the address, and the heading, that a decision is found by. */
export const decisionAnchor = 'decision'

/**
 * On a small screen the decision comes below all that is read first: this stays at the lower edge until it is
 * reached. It takes its own room there, and what has the focus is scrolled clear of it (WCAG 2.2, 2.4.11).
 */
export function DecisionBar({
  task,
  submissionId,
}: {
  readonly task: Output<'h2a.get'>
  readonly submissionId: string
}): ReactNode {
  const say = useMessages(reviewMessages)
  const due = useDue(task)
  const to = { to: '/my/tasks/$taskId/review', params: { taskId: task.id } } as const
  return (
    <nav
      aria-label={say('decide')}
      className="bottom-bar -mx-(--gutter) mt-6 flex flex-wrap items-center gap-3 border-t border-line bg-surface px-(--gutter) py-3 lg:hidden"
    >
      <p className="grid flex-none" aria-hidden="true">
        <span className="text-micro text-quiet">{say('pays')}</span>
        {due !== undefined && <Money usd={due.totalUsd} look="card" />}
      </p>
      <LinkButton
        {...to}
        search={{ submission: submissionId, do: 'approve' }}
        resetScroll={false}
        kind="primary"
        className="grow"
      >
        {say('approve')}
      </LinkButton>
      <LinkButton
        {...to}
        search={{ submission: submissionId }}
        hash={decisionAnchor}
        kind="quiet"
        className="px-2"
        onClick={() => {
          document.getElementById(decisionAnchor)?.focus()
        }}
      >
        {say('otherDecisions')}
      </LinkButton>
    </nav>
  )
}
