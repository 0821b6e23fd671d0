import type { ReactNode } from 'react'
import { roundedSpan, useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { useNow } from './time.tsx'

/** How long there is until an instant, or how long ago it was. */
export function TimeLeft({ until }: { readonly until: string }): ReactNode {
  const say = useMessages(commonMessages)
  const format = useFormat()
  const now = useNow()
  const left = Date.parse(until) - now
  const { value, unit } = roundedSpan(left)
  const words =
    left > 0
      ? say('timeLeft', { left: format.number(value, { style: 'unit', unit, unitDisplay: 'long' }) })
      : say('timePast', { ago: format.relative(until, now) })
  return (
    <time dateTime={until} title={format.dateTime(until)}>
      {words}
    </time>
  )
}
