import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { Money } from '../../components/money.tsx'
import { Facts, Loading } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { taskMessages } from './messages.ts'

/** Where the bounty stands, and every movement of it, with the transaction that anybody can look up. */
export function Payments({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const say = useMessages(taskMessages)
  const common = useMessages(commonMessages)
  const { data, error, refetch } = useRead('payments.events', { task_id: task.id }, { refetchInterval: 30_000 })
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
      {data?.count === 0 && <p className="text-quiet">{say('noPayments')}</p>}
      {data !== undefined && data.count > 0 && <PaymentTable events={data.events} />}
    </section>
  )
}

function PaymentTable({ events }: { readonly events: Output<'payments.events'>['events'] }): ReactNode {
  const say = useMessages(taskMessages)
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={say('transactions')}>
      <table className="w-full text-left text-sm">
        <caption className="visually-hidden">{say('transactions')}</caption>
        <thead className="text-quiet">
          <tr>
            {(['step', 'amount', 'tx', 'when'] as const).map((name) => (
              <th key={name} scope="col" className="py-2 pr-4 font-semibold whitespace-nowrap">
                {say(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map(({ id, type, status, amount_usd, tx_hash, network, timestamp }) => (
            <tr key={id} className="border-t border-line align-top">
              <th scope="row" className="py-2 pr-4 font-normal">
                {say(`pay.${type}`)}
                {status !== 'success' && <span className="block font-semibold text-bad">{say(`paid.${status}`)}</span>}
              </th>
              <td className="py-2 pr-4 whitespace-nowrap">{amount_usd !== null && <Money usd={amount_usd} />}</td>
              <td className="py-2 pr-4">
                {tx_hash === null ? (
                  <span className="text-quiet">{say('noTx')}</span>
                ) : (
                  <Transaction hash={tx_hash} network={network} />
                )}
              </td>
              <td className="py-2 whitespace-nowrap">
                <Moment at={timestamp} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
