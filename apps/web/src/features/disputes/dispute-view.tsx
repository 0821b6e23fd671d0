import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { Address } from '../../components/address.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Badge, Card, Facts, Note } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { WhatIsNext } from '../../components/turn.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { webLink } from '../../lib/web-link.ts'
import { turnMessages } from '../../messages/turns.ts'
import { disputeMessages } from './messages.ts'
import { nextStep } from './next-step.ts'
import { PartyChip } from './party-chip.tsx'

export type Dispute = Output<'disputes.get'>
/** As far as the reader sees the task. */
export type DisputedTask = Pick<
  Output<'tasks.get'>,
  | 'title'
  | 'next_action'
  | 'payment_network'
  | 'publisher_name'
  | 'publisher_picture_url'
  | 'publisher_type'
  | 'executor_name'
  | 'executor_picture_url'
> &
  Partial<Pick<Output<'tasks.get'>, 'policy'>>
/** Whose eyes read it. */
export type Reader = 'publisher' | 'worker' | 'operator' | 'arbiter'

/** The state of the dispute and what comes next, in words that stay true while money moves. */
export function NextNote({
  dispute,
  task,
  reader,
  ruling,
}: {
  readonly dispute: Dispute
  readonly task: DisputedTask | undefined
  readonly reader: Reader
  readonly ruling: Output<'disputes.ruling'> | null
}): ReactNode {
  const say = useMessages(disputeMessages)
  const turn = useMessages(turnMessages)
  const { status } = dispute
  const ruled = ruling?.status === 'standing' || ruling?.status === 'appealed' ? ruling.status : null
  const step = nextStep(dispute, task, ruled)
  return (
    <Note
      tone={status === 'resolving' ? 'warn' : status === 'resolved' ? 'good' : 'plain'}
      role="status"
      title={say('next')}
    >
      {(status === 'open' || step === 'owed') && task !== undefined && (
        <WhatIsNext
          next={task.next_action}
          as={reader}
          names={task.policy?.arbiter ? { arbiter: say('decides.named') } : {}}
        />
      )}
      {step !== 'owed' && <p>{say(`next.${step}`)}</p>}
      {step === 'owed' && reader === 'publisher' && (
        <div>
          <LinkButton to="/my/tasks/$taskId/review" params={{ taskId: dispute.task_id }} kind="primary">
            {turn('payAward')}
          </LinkButton>
        </div>
      )}
    </Note>
  )
}

/** A dispute, and who reads it. */
export type SeenDispute = {
  readonly dispute: Dispute
  readonly task: DisputedTask | undefined
  readonly reader: Reader
}

/** What the dispute is about and what each side has added, in the order in which it was said. */
export function Statements({ dispute, task, reader }: SeenDispute): ReactNode {
  const say = useMessages(disputeMessages)
  const silent =
    dispute.status === 'open'
      ? (['publisher', 'worker'] as const).filter(
          (side) => dispute.evidence.every((one) => one.side !== side) && dispute.opened_by !== side,
        )
      : []
  const whoIs = (side: Dispute['opened_by']): ReactNode =>
    side === 'publisher' || side === 'worker' ? <PartyChip side={side} dispute={dispute} task={task} /> : null
  return (
    <section aria-labelledby="said" className="grid gap-4">
      <h2 id="said">{say('statements')}</h2>
      <ol className="grid gap-3">
        <Said
          side={dispute.opened_by}
          who={whoIs(dispute.opened_by)}
          reader={reader}
          at={dispute.created_at}
          text={dispute.description}
          links={[]}
          heading={say(`reason.${dispute.reason}`)}
        />
        {dispute.evidence.map((one) => (
          <Said
            key={one.id}
            side={one.side}
            who={whoIs(one.side)}
            reader={reader}
            at={one.created_at}
            text={one.statement}
            links={one.links}
          />
        ))}
      </ol>
      {dispute.criteria.length > 0 && (
        <div className="grid gap-2">
          <h3>{say('criteria')}</h3>
          <ul className="list-disc pl-5">
            {dispute.criteria.map((one) => (
              <li key={one} className="wrap-anywhere">
                {one}
              </li>
            ))}
          </ul>
        </div>
      )}
      {silent.map((side) => (
        <p key={side} className="text-quiet">
          {say('silent', { side })}
        </p>
      ))}
    </section>
  )
}

type SaidProps = {
  readonly side: Dispute['opened_by']
  /** The face and name of a party; of a service there is none. */
  readonly who: ReactNode
  readonly reader: Reader
  readonly at: string
  readonly text: string
  readonly links: readonly string[]
  readonly heading?: string
}

function Said({ side, who, reader, at, text, links, heading }: SaidProps): ReactNode {
  const say = useMessages(disputeMessages)
  return (
    <Card as="li" className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          {who}
          <Badge tone={side === reader ? 'brand' : 'plain'}>
            {say(`side.${side}`)}
            {side === reader ? ` ${say('you')}` : ''}
          </Badge>
        </span>
        <span className="text-sm text-quiet">
          <Moment at={at} />
        </span>
      </div>
      {heading !== undefined && <h3>{heading}</h3>}
      <p className="max-w-prose wrap-anywhere whitespace-pre-line">{text}</p>
      {links.length > 0 && (
        <ul aria-label={say('links')} className="grid gap-1">
          {links.map((link) => (
            <li key={link}>
              <EvidenceLink text={link} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function EvidenceLink({ text }: { readonly text: string }): ReactNode {
  const href = webLink(text)
  return href === undefined ? (
    <span className="break-all">{text}</span>
  ) : (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener"
      className="link inline-flex min-h-6 items-center break-all"
    >
      {text}
    </a>
  )
}

/** Who is in it, and where the task and the work are. */
export function DisputeFacts({
  dispute,
  task,
  reader,
}: {
  readonly dispute: Dispute
  readonly task: DisputedTask | undefined
  readonly reader: Reader
}): ReactNode {
  const say = useMessages(disputeMessages)
  const params = { taskId: dispute.task_id, submissionId: dispute.submission_id }
  const named = task?.policy?.arbiter ?? null
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('about')}</h2>
      <Facts
        rows={[
          [
            say('task'),
            <Link key="task" to="/tasks/$taskId" params={params} className="link wrap-anywhere">
              {task?.title ?? <Address value={dispute.task_id} />}
            </Link>,
          ],
          [say('opened'), <Moment key="at" at={dispute.created_at} />],
          [say('openedBy'), say(`side.${dispute.opened_by}`)],
          ...(named === null ? [] : [[say('arbiter'), <Address key="arbiter" value={named} />] as const]),
        ]}
      />
      {(reader === 'publisher' || reader === 'worker') && (
        <LinkButton to="/submissions/$submissionId" params={params}>
          {say('see')}
        </LinkButton>
      )}
    </Card>
  )
}
