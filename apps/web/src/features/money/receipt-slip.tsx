import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { sceneOf } from '../../art/scene-of.ts'
import { Icon } from '../../components/icon.tsx'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Scene } from '../../components/scene.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useTaskTitle } from '../../lib/use-task-title.ts'
import { receiptMessages } from './receipt-messages.ts'
import type { Receipt } from './receipt.ts'

export type Party = { readonly name: string | null; readonly wallet: string | null }

type SlipProps = {
  readonly task: Output<'tasks.get'>
  readonly receipt: Receipt
  readonly worker: Party
}

/** The receipt torn from the ticket: every digit that moved, both parties, and where anybody can look it up. */
export function ReceiptSlip({ task, receipt, worker }: SlipProps): ReactNode {
  const say = useMessages(receiptMessages)
  const titleOf = useTaskTitle()
  const format = useFormat()
  const isBack = receipt.payoutUsd === null
  const main = receipt.payoutUsd ?? receipt.refundedUsd ?? 0
  return (
    <article className="slip">
      <div className="flex items-start justify-between gap-3">
        <div className="grid gap-1">
          <p className="text-sm text-quiet">
            {isBack ? say('given') : say('paidTo', { worker: worker.name ?? say('worker') })}
          </p>
          <Money usd={main} look="hero" />
          {receipt.movedAt !== null && (
            <time dateTime={receipt.movedAt} className="pt-1 text-sm text-quiet">
              {format.dateTime(receipt.movedAt)}
            </time>
          )}
        </div>
        <span className="stamp">
          <Icon name="seal-check-fill" /> {say(isBack ? 'stampBack' : 'stampPaid')}
        </span>
      </div>
      <div className="slip-part flex items-center gap-3">
        <Scene name={sceneOf[task.category]} className="size-12 flex-none" />
        <p className="grid min-w-0">
          <span className="font-label wrap-anywhere">{titleOf(task)}</span>
          <span className="text-sm text-quiet">{say('number', { number: task.id.slice(-12).toUpperCase() })}</span>
        </p>
      </div>
      <dl className="slip-part slip-rows">
        <Row name={say('bounty')} value={<Money usd={receipt.grossUsd} />} />
        {receipt.feeUsd !== null && (
          <Row
            name={say('fee')}
            value={
              <>
                −<Money usd={receipt.feeUsd} />
              </>
            }
          />
        )}
        <Row name={say('networkFee')} value={<Money usd={0} />} />
      </dl>
      <dl className="slip-part slip-rows font-strong">
        <Row name={say(isBack ? 'cameBack' : 'received')} value={<Money usd={main} />} isMain />
      </dl>
      <Parties task={task} receipt={receipt} worker={worker} />
    </article>
  )
}

function Parties({ task, receipt, worker }: SlipProps): ReactNode {
  const say = useMessages(receiptMessages)
  const networkTitle = useNetworkTitle()
  return (
    <dl className="slip-part slip-rows text-sm">
      <Row name={say('from')} value={<Who party={{ name: task.publisher_name, wallet: task.agent_id }} />} />
      {receipt.payoutUsd !== null && <Row name={say('to')} value={<Who party={worker} />} />}
      <Row name={say('in_')} value={say('tokenOn', { token: receipt.token, network: networkTitle(receipt.network) })} />
      {receipt.transactions.map(({ step, hash }) => (
        <Row key={step} name={say(`tx.${step}`)} value={<Transaction hash={hash} network={receipt.network} />} />
      ))}
    </dl>
  )
}

/** On paper the address has to be whole: whoever checks has nothing to press. */
function Who({ party: { name, wallet } }: { readonly party: Party }): ReactNode {
  return (
    <span className="grid justify-items-end">
      {name !== null && <span>{name}</span>}
      {wallet !== null && <span className="font-mono text-micro wrap-anywhere text-quiet">{wallet}</span>}
    </span>
  )
}

type RowProps = { readonly name: string; readonly value: ReactNode; readonly isMain?: boolean }

function Row({ name, value, isMain = false }: RowProps): ReactNode {
  return (
    <div>
      <dt className={isMain ? '' : 'text-quiet'}>{name}</dt>
      <dd className="numbers">{value}</dd>
    </div>
  )
}
