import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { IconName } from '../../components/icon-names.ts'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Badge, Facts, type Tone } from '../../components/surface.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useTaskTitle } from '../../lib/use-task-title.ts'
import { moneyMessages } from './messages.ts'
import type { Receipt, Step } from './receipt.ts'

const steps: Readonly<Record<Step, 'lock' | 'release' | 'feeTx' | 'refund'>> = {
  lock: 'lock',
  release: 'release',
  fee: 'feeTx',
  refund: 'refund',
}

/** What one task cost: how the bounty was divided, and the transactions that anybody can look up. */
export function ReceiptCard({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const say = useMessages(moneyMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const title = useTaskTitle()(receipt)
  const { taskId, grossUsd, payoutUsd, feeUsd, refundedUsd, movedAt, network, token, transactions } = receipt
  const state = say(payoutUsd !== null && receipt.status === 'none' ? 'state.released' : `state.${receipt.status}`)
  const [tone, icon] = lookOf(receipt)
  const unpaid = <span className="text-quiet">{say('later')}</span>
  return (
    <li className="grid gap-1">
      <div className="flex items-start justify-between gap-x-4">
        <div className="grid min-w-0 gap-0.5">
          <h3 className="min-w-0 font-sans text-base font-label wrap-anywhere">
            <Link to="/my/tasks/$taskId" params={{ taskId }} className="hover:underline">
              {title}
            </Link>
          </h3>
          <p className="text-sm text-quiet">{movedAt === null ? say('undated') : format.dateTime(movedAt)}</p>
        </div>
        <div className="grid flex-none justify-items-end gap-1">
          <Money usd={grossUsd} />
          <Badge tone={tone} icon={icon}>
            {state}
          </Badge>
        </div>
      </div>
      <div className="flex flex-wrap gap-x-5">
        {(payoutUsd !== null || refundedUsd !== null) && (
          <Link
            to="/receipts/$taskId"
            params={{ taskId }}
            className="link inline-flex min-h-11 w-fit items-center text-sm"
          >
            {say('receipt')}
            <span className="visually-hidden">: {title}</span>
          </Link>
        )}
        <details className="min-w-0 open:basis-full">
          <summary className="link inline-flex min-h-11 items-center text-sm">
            {say('details')}
            <span className="visually-hidden">: {title}</span>
          </summary>
          <Facts
            rows={[
              [say('gross'), <Money key="gross" usd={grossUsd} />],
              [say('payout'), payoutUsd === null ? unpaid : format.usd(payoutUsd)],
              [say('fee'), feeUsd === null ? unpaid : format.usd(feeUsd)],
              ...(refundedUsd === null ? [] : [[say('refunded'), format.usd(refundedUsd)] as const]),
              [say('network'), `${networkTitle(network)}, ${token}`],
              [
                say('transactions'),
                transactions.length === 0 ? (
                  say('noTx')
                ) : (
                  <Transactions key="transactions" of={transactions} network={network} />
                ),
              ],
            ]}
          />
        </details>
      </div>
    </li>
  )
}

function Transactions({ of, network }: { readonly of: Receipt['transactions']; readonly network: string }): ReactNode {
  const say = useMessages(moneyMessages)
  return (
    <ul className="grid gap-1">
      {of.map(({ step, hash }) => (
        <li key={step} className="flex flex-wrap items-center gap-x-2">
          <span className="text-sm text-quiet">{say(steps[step])}</span>
          <Transaction hash={hash} network={network} />
        </li>
      ))}
    </ul>
  )
}

function lookOf({ status, payoutUsd }: Receipt): readonly [tone: Tone, icon: IconName] {
  if (payoutUsd !== null || status === 'released') return ['good', 'check-circle-fill']
  return status === 'refunded' ? ['over', 'minus-circle-bold'] : ['move', 'lock-key-bold']
}
