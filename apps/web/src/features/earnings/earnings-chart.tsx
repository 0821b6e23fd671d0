import type { ReactNode } from 'react'
import { Card } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Period } from './by-period.ts'
import { earningsMessages } from './messages.ts'

const height = 160
const barWidth = 28
const gap = 10

/** Bars for the eye, and the same figures as a table for everybody. */
export function EarningsChart({ periods }: { readonly periods: readonly Period[] }): ReactNode {
  const say = useMessages(earningsMessages)
  const format = useFormat()
  const most = Math.max(...periods.map(({ usd }) => usd), 0.000001)
  const width = periods.length * (barWidth + gap)
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('chart')}</h2>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={say('chart')}>
        <svg
          aria-hidden="true"
          width={width}
          height={height + 4}
          viewBox={`0 0 ${width} ${height + 4}`}
          className="max-w-none"
        >
          {periods.map(({ start, usd }, place) => {
            const tall = Math.max((usd / most) * height, usd > 0 ? 2 : 0)
            return (
              <rect
                key={start}
                x={place * (barWidth + gap)}
                y={height - tall}
                width={barWidth}
                height={tall}
                rx="4"
                className="fill-brand"
              />
            )
          })}
          <line x1="0" x2={width} y1={height + 1} y2={height + 1} className="stroke-edge" />
        </svg>
      </div>
      <details>
        <summary className="min-h-6 cursor-pointer font-semibold text-brand">{say('chartTable')}</summary>
        <table className="mt-2 text-left">
          <caption className="visually-hidden">{say('chart')}</caption>
          <thead>
            <tr className="text-sm text-quiet">
              <th scope="col" className="pr-6">
                {say('period')}
              </th>
              <th scope="col" className="pr-6">
                {say('amount')}
              </th>
              <th scope="col">{say('count')}</th>
            </tr>
          </thead>
          <tbody>
            {periods.map(({ start, usd, count }) => (
              <tr key={start}>
                <th scope="row" className="pr-6 font-normal">
                  {format.date(start)}
                </th>
                <td className="numbers pr-6">{format.usd(usd)}</td>
                <td className="numbers">{format.number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Card>
  )
}
