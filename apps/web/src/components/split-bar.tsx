import type { ReactNode } from 'react'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'

const messages = defineMessages({
  en: { says: '{worker} to the worker, {fee} fee' },
  es: { says: '{worker} para quien trabaja, {fee} de comisión' },
})

/** How a bounty is divided. Where it is shown, both amounts are beside it. */
export function SplitBar({ feeBps }: { readonly feeBps: number }): ReactNode {
  const say = useMessages(messages)
  const format = useFormat()
  const fee = feeBps / 100
  return (
    <svg
      role="img"
      aria-label={say('says', { worker: format.percent(1 - fee / 100), fee: format.percent(fee / 100) })}
      className="h-2.5 w-full rounded-full"
      preserveAspectRatio="none"
      viewBox="0 0 100 4"
    >
      <rect width={100 - fee - 0.5} height="4" className="fill-brand" />
      <rect x={100 - fee + 0.5} width={fee} height="4" className="fill-edge/50" />
    </svg>
  )
}
