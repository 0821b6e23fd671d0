import type { ReactNode } from 'react'
import { LinkButton } from '../../components/button.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { reviewMessages } from './messages.ts'

/** The part of the address, and the heading, that a decision is found by. */
export const decisionAnchor = 'decision'

/**
 * On a small screen the decision stands below all that is read first: this stays at the lower edge until it is
 * reached. It takes its own room there, and what has the focus is scrolled clear of it (WCAG 2.2, 2.4.11).
 */
export function DecisionBar({
  taskId,
  submissionId,
}: {
  readonly taskId: string
  readonly submissionId: string
}): ReactNode {
  const say = useMessages(reviewMessages)
  const to = { to: '/my/tasks/$taskId/review', params: { taskId } } as const
  return (
    <nav
      aria-label={say('decide')}
      className="bottom-bar -mx-4 mt-6 flex flex-wrap gap-3 border-t border-line bg-page px-4 py-3 sm:-mx-6 sm:px-6 lg:hidden"
    >
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
        className="grow"
        onClick={() => {
          document.getElementById(decisionAnchor)?.focus()
        }}
      >
        {say('otherDecisions')}
      </LinkButton>
    </nav>
  )
}
