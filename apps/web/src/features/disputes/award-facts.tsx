import type { ReactNode } from 'react'
import type { DisputeVerdict } from '@ergon/contract'
import { Money } from '../../components/money.tsx'
import { Facts } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { awardOf } from './award.ts'
import { decideMessages } from './decide-messages.ts'

type AwardProps = { readonly bountyUsd: number; readonly verdict: DisputeVerdict; readonly share: number }

/** Where the money goes by a decision; the fee is of what the worker is given (spec §1.8). */
export function AwardFacts({ bountyUsd, verdict, share }: AwardProps): ReactNode {
  const say = useMessages(decideMessages)
  const format = useFormat()
  const { backUsd, grossUsd } = awardOf(bountyUsd, verdict, share)
  const split = useSplit()?.(grossUsd)
  return (
    <Facts rows={[
      [say('back'), <Money key="back" usd={backUsd} />],
      [say('gross'), format.usd(grossUsd)],
      ...(split === undefined || grossUsd === 0 ? [] : [[say('fee'), format.usd(split.feeUsd)] as const, [say('payout'), <Money key="payout" usd={split.payoutUsd} />] as const]),
    ]} />
  )
}
