import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { Money } from '../../components/money.tsx'
import { Facts, Loading } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { usePaymentLog, type PaymentEntry } from '../../lib/payment-log.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { taskMessages } from './messages.ts'

/** Where the bounty is, and every movement of it, with the transaction that anybody can look up. */
export function Payments({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const say = useMessages(taskMessages)
  const common = useMessages(commonMessages)
  const { data, error, refetch } = usePaymentLog(task.id)
  const named = (
    [
      ['lock', task.escrow_tx],
      ['release', task.payment_tx],
      ['refund', task.refund_tx],
    ] as const
  ).flatMap(([name, hash]) =>
    hash === null ? [] : [[say(name), <Transaction key={name} hash={hash} network={task.payment_network} />] as const],
  )
  return (
    <section className="grid gap-3">
      <h2>{say('money')}</h2>
      <Facts rows={[[say('escrow'), say(`escrow.${task.escrow_status}`)], ...named]} />
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {data === undefined && error === null && <Loading says={common('loading')} rows={1} />}
      {data?.length === 0 && <p className="text-quiet">{say('noPayments')}</p>}
      {data !== undefined && data.length > 0 && <Movements events={data} />}
    </section>
  )
}

function Movements({ events }: { readonly events: readonly PaymentEntry[] }): ReactNode {
  const say = useMessages(taskMessages)
  return (
    <ul
      aria-label={say('transactions')}
      className="divide-y divide-line rounded-card border border-line bg-surface text-[0.9375rem]"
    >
      {events.map(({ id, type, status, amount_usd, tx_hash, network, timestamp }) => (
        <li key={id} className="grid gap-0.5 px-5 py-3">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="min-w-0 grow basis-24 font-label">{say(`pay.${type}`)}</span>
            {amount_usd !== null && <Money usd={amount_usd} />}
          </p>
          {status !== 'success' && <p className="font-strong text-bad">{say(`paid.${status}`)}</p>}
          <p className="flex flex-wrap justify-between gap-x-4 text-sm text-quiet">
            <Moment at={timestamp} />
            {tx_hash !== null && <Transaction hash={tx_hash} network={network} />}
          </p>
        </li>
      ))}
    </ul>
  )
}
