import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { Address } from '../../components/address.tsx'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Card, Facts } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { isRunning } from '../../lib/turn.ts'
import { useSplit } from '../../lib/use-split.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { earnedMessages } from '../../messages/earned.ts'
import { wordMessages } from '../../messages/words.ts'
import { taskMessages } from './messages.ts'

type Task = Output<'tasks.get'>

/** What reaches the worker, until when, and the one thing the reader can do about it. */
export function TaskOffer({ task, action }: { readonly task: Task; readonly action: ReactNode }): ReactNode {
  const say = useMessages(taskMessages)
  const earned = useMessages(earnedMessages)
  const split = useSplit()?.(task.bounty_usd)
  return (
    <Card as="section" className="grid gap-4">
      {split !== undefined && (
        <p>
          <span className="block text-quiet">{earned('youGet')}</span>
          <Money usd={split.payoutUsd} className="text-4xl leading-tight" />
        </p>
      )}
      {isRunning(task.status) && (
        <p>
          <span className="text-quiet">{say('deadline')}</span> <TimeLeft until={task.deadline} />
        </p>
      )}
      {action}
    </Card>
  )
}

/** What a task is made of. */
export function TaskFacts({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(taskMessages)
  const word = useMessages(wordMessages)
  const format = useFormat()
  const split = useSplit()?.(task.bounty_usd)
  const networkTitle = useNetworkTitle()
  const fees = useRead('payments.fees', {}, { staleTime: Infinity }).data
  return (
    <Card as="section">
      <Facts
        rows={[
          [say('bounty'), <Money key="bounty" usd={task.bounty_usd} />],
          ...(split === undefined || fees === undefined
            ? []
            : [[say('fee', { share: format.percent(fees.fee_bps / 10_000) }), format.usd(split.feeUsd)] as const]),
          [say('paidIn'), say('tokenOn', { token: task.payment_token, network: networkTitle(task.payment_network) })],
          [say('deadline'), format.dateTime(task.deadline)],
          [say('forWhom'), word(`party.${task.target_executor_type}`)],
          [say('gate'), task.min_reputation > 0 ? say('gateOf', { score: task.min_reputation }) : say('noGate')],
          [say('publisher'), <Publisher key="publisher" task={task} />],
          [say('published'), <Moment key="published" at={task.created_at} />],
        ]}
      />
    </Card>
  )
}

function Publisher({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(taskMessages)
  const common = useMessages(commonMessages)
  const word = useMessages(wordMessages)
  const { publisher_reputation: reputation } = task
  return (
    <span>
      <Link
        to="/publishers/$wallet"
        params={{ wallet: task.agent_id }}
        className="link inline-flex min-h-6 items-center"
      >
        <Address value={task.agent_id} />
      </Link>
      <span className="block text-sm text-quiet">{`${word(`party.${task.publisher_type}`)} · ${reputation === null || reputation.avg_score === null ? common('unrated') : say('rated', { score: Math.round(reputation.avg_score), count: reputation.rating_count })}`}</span>
    </span>
  )
}
