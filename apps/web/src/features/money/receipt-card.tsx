import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Badge, Card, Facts, type Tone } from '../../components/surface.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
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
  const { taskId, title, grossUsd, payoutUsd, feeUsd, refundedUsd, movedAt, network, token, transactions } = receipt
  const state = say(payoutUsd !== null && receipt.status === 'none' ? 'state.released' : `state.${receipt.status}`)
  const unpaid = <span className="text-quiet">{say('later')}</span>
  return (
    <Card as="li" className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 text-base wrap-anywhere">
          <Link to="/my/tasks/$taskId" params={{ taskId }} className="hover:underline">
            {title}
          </Link>
        </h3>
        <Badge tone={toneOf(receipt)}>{state}</Badge>
      </div>
      <Facts
        rows={[
          [say('gross'), <Money key="gross" usd={grossUsd} />],
          [say('payout'), payoutUsd === null ? unpaid : format.usd(payoutUsd)],
          [say('fee'), feeUsd === null ? unpaid : format.usd(feeUsd)],
          ...(refundedUsd === null ? [] : [[say('refunded'), format.usd(refundedUsd)] as const]),
          [
            say('moved'),
            movedAt === null ? (
              say('undated')
            ) : (
              <time key="moved" dateTime={movedAt}>
                {format.dateTime(movedAt)}
              </time>
            ),
          ],
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
      {(payoutUsd !== null || refundedUsd !== null) && (
        <Link to="/receipts/$taskId" params={{ taskId }} className="link inline-flex min-h-11 w-fit items-center">
          {say('receipt')}
          <span className="visually-hidden">: {title}</span>
        </Link>
      )}
    </Card>
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

function toneOf({ status, payoutUsd }: Receipt): Tone {
  if (payoutUsd !== null || status === 'released') return 'good'
  return status === 'refunded' ? 'plain' : 'brand'
}
