import type { ReactNode } from 'react'
import { Card } from '../../components/surface.tsx'
import { StarRow } from '../../components/star-row.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { spreadOf, starsOf } from './spread-of.ts'
import { peopleMessages } from './messages.ts'

/** The mean as stars, and how many gave each number of them. */
export function Spread({ scores }: { readonly scores: readonly number[] }): ReactNode {
  const say = useMessages(peopleMessages)
  const format = useFormat()
  const { mean, counts } = spreadOf(scores)
  const most = Math.max(...counts.map(({ count }) => count), 1)
  return (
    <Card className="flex flex-wrap items-center gap-x-8 gap-y-4">
      <div className="grid justify-items-center gap-1">
        <span aria-hidden="true" className="numbers text-[2.25rem] leading-none font-strong">
          {format.number(starsOf(mean), { minimumFractionDigits: 1, maximumFractionDigits: 1 })}
        </span>
        <StarRow score={mean} />
        <span className="text-sm text-quiet">{say('ratingsCount', { n: scores.length })}</span>
      </div>
      <dl className="grid min-w-0 grow basis-56 gap-1.5 text-sm">
        {counts.map(({ stars, count }) => (
          <div key={stars} className="flex items-center gap-3">
            <dt className="numbers w-3">{stars}</dt>
            <dd className="flex grow items-center gap-3">
              <svg aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none" className="h-2 grow rounded-full">
                <rect width="100" height="4" className="fill-sunken" />
                <rect width={(count / most) * 100} height="4" className="star fill-current" />
              </svg>
              <span className="numbers w-6 text-end text-quiet">{format.number(count)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
