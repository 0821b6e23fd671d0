import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { DisputeLink } from '../../components/dispute-link.tsx'
import { PersonChip } from '../../components/person.tsx'
import { Card, Facts, Note } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useAnchor } from '../../lib/use-anchor.ts'
import { decisionAnchor } from './decision-bar.tsx'
import { reviewMessages } from './messages.ts'

type CardProps = {
  readonly task: Output<'h2a.get'>
  readonly submission: Output<'h2a.submissions'>['submissions'][number]
  readonly worker: Output<'h2a.applications'>['applications'][number] | undefined
  readonly isPaying: boolean
  readonly canDecide: boolean
  /** What is left to do once it is decided. */
  readonly children: ReactNode
}

/** Who handed it in and when, what came of it, and what follows from that. */
export function DecisionCard({ task, submission, worker, isPaying, canDecide, children }: CardProps): ReactNode {
  const say = useMessages(reviewMessages)
  const heading = useAnchor(decisionAnchor)
  return (
    <Card as="section" className="grid gap-3">
      <h2 id={decisionAnchor} ref={heading} tabIndex={-1} className="outline-none">
        {canDecide ? say('decide') : say(`status.${submission.status}`)}
      </h2>
      <Facts
        rows={[
          [say('handedIn'), <Moment key="at" at={submission.submitted_at} />],
          ...(worker === undefined
            ? []
            : [
                [
                  say('worker'),
                  <Link
                    key="worker"
                    to="/people/$workerId"
                    params={{ workerId: submission.executor_id }}
                    className="inline-flex min-h-11 items-center hover:underline"
                  >
                    <PersonChip
                      address={worker.wallet_address}
                      name={worker.display_name}
                      picture={worker.picture_url}
                    />
                  </Link>,
                ] as const,
              ]),
          ...(submission.decided_at === null
            ? []
            : [[say('decided'), <Moment key="decided" at={submission.decided_at} />] as const]),
          ...(submission.payment_tx === null
            ? []
            : [
                [
                  say('transaction'),
                  <Transaction key="tx" hash={submission.payment_tx} network={task.payment_network} />,
                ] as const,
              ]),
        ]}
      />
      {isPaying && <Note tone="move" role="status" title={say('paying')} />}
      {submission.rejection_reason !== null && (
        <Note title={say('reason')}>
          <p className="wrap-anywhere">{submission.rejection_reason}</p>
        </Note>
      )}
      <DisputeLink taskId={task.id} />
      {children}
    </Card>
  )
}
