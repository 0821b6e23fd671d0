import type { ReactNode } from 'react'
import { priceMessages } from '../../components/metered/messages.ts'
import { Money } from '../../components/money.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { dollarsTyped } from '../../lib/number-typed.ts'
import type { MeterDraft } from './draft.ts'
import { publishMessages } from './messages.ts'

type TermsProps = {
  readonly meter: MeterDraft
  readonly capUsd: number | undefined
  readonly look: 'card' | 'hero'
}

/** What one unit pays and the most of it, as the list will show it. */
export function MeteredTerms({ meter, capUsd, look }: TermsProps): ReactNode {
  const say = useMessages(publishMessages)
  const words = useMessages(priceMessages)
  const format = useFormat()
  const { locale } = useSpeech()
  const price = dollarsTyped(meter.price, locale)
  if (typeof price !== 'number' || price <= 0 || capUsd === undefined)
    return <span className="text-quiet">{say('noPrice')}</span>
  return (
    <span className="grid gap-1">
      <span className="text-sm text-quiet">{words('pricePerUnit', { unit: words(`unit_${meter.unit}`) })}</span>
      <Money usd={price} look={look} />
      <span className="text-sm text-quiet">{words('capOnly', { cap: format.usd(capUsd) })}</span>
    </span>
  )
}
