import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Address } from '../../../components/address.tsx'
import { Money } from '../../../components/money.tsx'
import { Badge, type Tone } from '../../../components/surface.tsx'
import { Transaction } from '../../../components/transaction.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { cashOutMessages } from './cash-out-messages.ts'

type CashOuts = Output<'cashOuts.list'>['cash_outs']

const tones: Readonly<Record<CashOuts[number]['status'], Tone>> = { sending: 'move', sent: 'good', not_sent: 'warn' }

/** The last ones, and what became of each. */
export function EarlierCashOuts({ cashOuts }: { readonly cashOuts: CashOuts }): ReactNode {
  const say = useMessages(cashOutMessages)
  const format = useFormat()
  if (cashOuts.length === 0) return null
  return (
    <section aria-label={say('earlier')} className="grid gap-3">
      <h3 className="font-label">{say('earlier')}</h3>
      <ul className="grid gap-3">
        {cashOuts.map((one) => (
          <li key={one.nonce} className="grid gap-1">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <Money usd={one.amount_usd} />
              <Badge tone={tones[one.status]}>{say(`state.${one.status}`)}</Badge>
            </div>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
              <span>{format.dateTime(one.created_at)}</span>
              <Address value={one.to} />
              {one.status === 'sent' && one.tx !== null && <Transaction hash={one.tx} network={one.network} />}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
