import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Money } from '../money.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { priceMessages } from './messages.ts'
import { useMeterTerms } from './use-meter-terms.ts'

type Task = Pick<Output<'tasks.get'>, 'id' | 'payment_network'>
type PriceProps = {
  readonly task: Task
  readonly look: 'card' | 'hero'
  /** What a task with one bounty shows. */
  readonly children: ReactNode
}

/** What one unit of a metered task pays and the most it pays in all, in the place of a bounty's figure. */
export function MeteredPrice({ task, look, children }: PriceProps): ReactNode {
  const say = useMessages(priceMessages)
  const format = useFormat()
  const { terms, error } = useMeterTerms(task)
  if (terms === null || error !== null) return children
  if (terms === undefined) return null
  const { price_per_unit: price, unit, cap_usd: cap, fee_bps: feeBps } = terms
  return (
    <p className="grid gap-1">
      <span className="text-sm text-quiet">{say('pricePerUnit', { unit: say(`unit_${unit}`) })}</span>
      <Money usd={Number(price)} look={look} />
      <span className="text-sm text-quiet">
        {look === 'hero'
          ? say('capAndShare', { cap: format.usd(cap), share: format.percent(1 - feeBps / 10_000) })
          : say('capOnly', { cap: format.usd(cap) })}
      </span>
    </p>
  )
}
