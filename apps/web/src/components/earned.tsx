import type { ReactNode } from 'react'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useSplit } from '../lib/use-split.ts'
import { earnedMessages } from '../messages/earned.ts'
import { Money } from './money.tsx'

/** What a bounty leaves its worker; the bounty itself until the service has said its fee. */
export function Earned({ usd, className = '' }: { readonly usd: number; readonly className?: string }): ReactNode {
  const say = useMessages(earnedMessages)
  const format = useFormat()
  const split = useSplit()?.(usd)
  if (split === undefined)
    return (
      <p>
        <span className="text-sm text-quiet">{say('bounty')} </span>
        <Money usd={usd} className={className} />
      </p>
    )
  return (
    <p>
      <span className="text-sm text-quiet">{say('youGet')} </span>
      <Money usd={split.payoutUsd} className={className} />
      <span className="text-sm text-quiet">{` ${say('ofBounty', { bounty: format.usd(usd) })}`}</span>
    </p>
  )
}
