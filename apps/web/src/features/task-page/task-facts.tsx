import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Icon } from '../../components/icon.tsx'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { SplitBar } from '../../components/split-bar.tsx'
import { Ticket } from '../../components/ticket.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { isUnpaid } from '../../lib/is-unpaid.ts'
import { useRead } from '../../lib/market.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { earnedMessages } from '../../messages/earned.ts'
import { wordMessages } from '../../messages/words.ts'
import { MeteredPrice } from '../../components/metered/metered-price.tsx'
import { taskMessages } from './messages.ts'

type Task = Output<'tasks.get'>

/** What reaches the worker, and below the perforation what it takes and the one thing the reader can do about it. */
export function TaskOffer({ task, action }: { readonly task: Task; readonly action: ReactNode }): ReactNode {
  const say = useMessages(taskMessages)
  return (
    <section className="grid gap-4" aria-label={say('offer')}>
      <Ticket
        stub={
          <div className="grid gap-4">
            <TaskFacts task={task} />
            {action}
          </div>
        }
      >
        <MeteredPrice task={task} look="hero">
          <Amounts task={task} />
        </MeteredPrice>
      </Ticket>
      {task.status === 'published' && (
        <p className="flex gap-2.5 rounded-control bg-sunken px-4 py-3.5 text-sm">
          <Icon name={task.escrow_status === 'none' ? 'hand-coins' : 'lock-key'} className="text-[1.2rem]" />
          <span>{say(task.escrow_status === 'none' ? 'paysDirect' : 'setAside')}</span>
        </p>
      )}
    </section>
  )
}

function Amounts({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(taskMessages)
  const earned = useMessages(earnedMessages)
  const format = useFormat()
  const split = useSplit()?.(task.bounty_usd)
  const feeBps = useRead('payments.fees', {}, { staleTime: Infinity }).data?.fee_bps
  if (split === undefined || feeBps === undefined)
    return (
      <p className="grid gap-1">
        <span className="text-sm text-quiet">{say('bounty')}</span>
        <Money usd={task.bounty_usd} look="hero" />
      </p>
    )
  return (
    <div className="grid gap-4">
      <p className="grid gap-1">
        <span className="text-sm text-quiet">{earned(isUnpaid(task) ? 'wouldGet' : 'youGet')}</span>
        <Money usd={split.payoutUsd} look="hero" inCents />
      </p>
      <div className="grid gap-2">
        <SplitBar feeBps={feeBps} />
        <p className="text-sm text-quiet">
          {say('fromBounty', {
            bounty: format.usd(task.bounty_usd),
            share: format.percent(feeBps / 10_000),
            fee: format.usd(split.feeUsd),
          })}
        </p>
      </div>
    </div>
  )
}

function TaskFacts({ task }: { readonly task: Task }): ReactNode {
  const say = useMessages(taskMessages)
  const word = useMessages(wordMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const rows: readonly (readonly [name: string, value: string])[] = [
    [say('until'), format.dateTime(task.deadline)],
    [say('forWhom'), word(`party.${task.target_executor_type}`)],
    [say('paidIn'), say('tokenOn', { token: task.payment_token, network: networkTitle(task.payment_network) })],
    ...(task.min_reputation > 0
      ? [[say('gate'), say('gateOf', { stars: format.number(task.min_reputation / 20, oneDigit) })] as const]
      : []),
  ]
  return (
    <dl className="grid gap-y-2.5 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-5">
          <dt className="text-quiet">{name}</dt>
          <dd className="numbers text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
