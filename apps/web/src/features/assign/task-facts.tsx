import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Address } from '../../components/address.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { SplitBar } from '../../components/split-bar.tsx'
import { Card, Facts } from '../../components/surface.tsx'
import { TaskWords } from '../../components/task-words.tsx'
import { Ticket } from '../../components/ticket.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { isUnpaid } from '../../lib/is-unpaid.ts'
import { useSplit } from '../../lib/use-split.ts'
import { useRead } from '../../lib/market.tsx'
import { wordMessages } from '../../messages/words.ts'
import { extendMessages } from './extend-messages.ts'
import { assignMessages } from './messages.ts'

type FactsProps = { readonly task: Output<'h2a.get'>; readonly mayCancel: boolean; readonly mayExtend: boolean }

/** What it costs and until when, as a ticket; below it what was asked. */
export function TaskFacts({ task, mayCancel, mayExtend }: FactsProps): ReactNode {
  const say = useMessages(assignMessages)
  const words = useMessages(wordMessages)
  const format = useFormat()
  return (
    <aside className="grid min-w-0 gap-4">
      <Ticket stub={<Stub task={task} mayCancel={mayCancel} mayExtend={mayExtend} />}>
        {isUnpaid(task) ? <h2 className="text-card">{say('paidNothing')}</h2> : <Price bountyUsd={task.bounty_usd} />}
      </Ticket>
      <Card as="section" className="grid gap-3">
        <h2 className="text-card">{say('instructions')}</h2>
        <TaskWords text={task.instructions} />
        <p className="text-sm text-quiet">
          {say('evidence')}: {format.list(task.evidence_required.map((type) => words(`evidence.${type}`)))}
        </p>
      </Card>
      <Technical task={task} />
    </aside>
  )
}

function Price({ bountyUsd }: { readonly bountyUsd: number }): ReactNode {
  const say = useMessages(assignMessages)
  const format = useFormat()
  const split = useSplit()?.(bountyUsd)
  const feeBps = useRead('payments.fees', {}, { staleTime: Infinity }).data?.fee_bps
  return (
    <div className="grid gap-3 [&_dd]:text-right">
      <p className="grid gap-1">
        <span className="text-sm text-quiet">{say('youPay')}</span>
        <Money usd={bountyUsd} look="hero" />
      </p>
      {split !== undefined && feeBps !== undefined && (
        <>
          <SplitBar feeBps={feeBps} />
          <Facts
            rows={[
              [say('workerGets'), format.usd(split.payoutUsd)],
              [say('fee', { share: format.percent(feeBps / 10_000) }), format.usd(split.feeUsd)],
            ]}
          />
        </>
      )}
    </div>
  )
}

function Stub({ task, mayCancel, mayExtend }: FactsProps): ReactNode {
  const extend = useMessages(extendMessages)
  const say = useMessages(assignMessages)
  const format = useFormat()
  return (
    <div className="grid gap-4 [&_dd]:text-right">
      <Facts
        rows={[
          [say('deadline'), format.dateTime(task.deadline)],
          ...(task.escrow_tx === null ? [] : [[say(heldIn(task)), format.usd(task.bounty_usd)] as const]),
        ]}
      />
      <div className="grid gap-2">
        {mayExtend && (
          <LinkButton to="/my/tasks/$taskId" params={{ taskId: task.id }} search={{ extend: '1' }} resetScroll={false}>
            {extend('more')}
          </LinkButton>
        )}
        {mayCancel && (
          <LinkButton
            to="/my/tasks/$taskId"
            params={{ taskId: task.id }}
            search={{ cancel: '1' }}
            resetScroll={false}
            kind="danger"
          >
            {say('cancel')}
          </LinkButton>
        )}
        <LinkButton to="/tasks/$taskId" params={{ taskId: task.id }} kind="quiet">
          {say('publicPage')}
        </LinkButton>
      </div>
    </div>
  )
}

/** Where the money that was set aside is. */
function heldIn(task: Output<'h2a.get'>): 'lockTx' | 'comesBackNow' | 'cameBack' {
  if (!isUnpaid(task)) return 'lockTx'
  return task.escrow_status === 'refunded' ? 'cameBack' : 'comesBackNow'
}

/** What the money has done so far, each with its transaction. */
function moves(task: Output<'h2a.get'>): readonly (readonly ['lockTx' | 'payTx' | 'refundTx', string])[] {
  const all = [
    ['lockTx', task.escrow_tx],
    ['payTx', task.payment_tx],
    ['refundTx', task.refund_tx],
  ] as const
  return all.flatMap(([name, hash]) => (hash === null ? [] : [[name, hash] as const]))
}

/** The network and the transactions, folded away for whoever checks. */
function Technical({ task }: { readonly task: Output<'h2a.get'> }): ReactNode {
  const say = useMessages(assignMessages)
  const networkTitle = useNetworkTitle()
  const transactions = moves(task).map(
    ([name, hash]) => [say('txOf', { what: say(name) }), <Address key={name} value={hash} />] as const,
  )
  return (
    <details>
      <summary className="link inline-flex min-h-11 items-center">{say('technical')}</summary>
      <div className="pt-2">
        <Facts rows={[[say('network'), networkTitle(task.payment_network)], ...transactions]} />
      </div>
    </details>
  )
}
