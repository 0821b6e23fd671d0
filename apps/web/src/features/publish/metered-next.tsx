import type { ReactNode } from 'react'
import { priceMessages } from '../../components/metered/messages.ts'
import { Timeline } from '../../components/timeline.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { MeterDraft } from './draft.ts'
import { publishMessages } from './messages.ts'
import { meteredWords } from './metered-words.ts'

type NextProps = { readonly meter: MeterDraft; readonly capUsd: number | undefined }

/** What happens with the money of a task that is paid by the unit. */
export function MeteredNext({ meter, capUsd }: NextProps): ReactNode {
  const say = useMessages(publishMessages)
  const words = useMessages(meteredWords)
  const units = useMessages(priceMessages)
  const format = useFormat()
  const cap = capUsd === undefined ? '–' : format.usd(capUsd)
  const unit = units(`unit_${meter.unit}`)
  return (
    <Timeline
      steps={[
        { title: say('next.now'), detail: say('next.nowSays'), state: 'now' },
        { title: words('next.choose'), detail: words('next.chooseSays'), state: 'to-come' },
        { title: words('next.fund'), detail: words('next.fundSays', { cap }), state: 'to-come' },
        { title: words('next.tick', { unit }), detail: words('next.tickSays'), state: 'to-come' },
        { title: words('next.close'), detail: words('next.closeSays'), state: 'to-come' },
      ]}
    />
  )
}
