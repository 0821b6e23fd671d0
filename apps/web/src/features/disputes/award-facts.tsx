import type { ReactNode } from 'react'
import type { DisputeVerdict } from '@ergon/contract'
import { Money } from '../../components/money.tsx'
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
  const rows = [
    ['back', backUsd],
    ['gross', grossUsd],
    ...(split === undefined || grossUsd === 0
      ? []
      : ([
          ['fee', split.feeUsd],
          ['payout', split.payoutUsd],
        ] as const)),
  ] as const
  return (
    <dl className="grid gap-1">
      {rows.map(([name, usd]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-quiet">{say(name)}</dt>
          <dd className="ml-auto whitespace-nowrap">
            {name === 'back' || name === 'payout' ? (
              <Money usd={usd} />
            ) : (
              <span className="numbers">{format.usd(usd)}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
