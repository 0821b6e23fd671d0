import type { ReactNode } from 'react'
import { Money } from '../../components/money.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Period } from './by-period.ts'
import { earningsMessages } from './messages.ts'

const height = 150
const above = 22
const below = 22
const barWidth = 52
const gap = 16

type ChartProps = { readonly periods: readonly Period[]; readonly paidUsd: number; readonly children: ReactNode }

/** Columns, each with its figure above and its beginning below; the same as a table for everybody. */
export function EarningsChart({ periods, paidUsd, children }: ChartProps): ReactNode {
  const say = useMessages(earningsMessages)
  const format = useFormat()
  const most = Math.max(...periods.map(({ usd }) => usd), 0.000001)
  const width = periods.length * (barWidth + gap)
  return (
    <section className="grid gap-3" aria-labelledby="earned">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-1">
          <h2 id="earned">{say('chart')}</h2>
          <p>
            <Money usd={paidUsd} look="card" inCents /> <span className="text-sm text-quiet">{say('afterFee')}</span>
          </p>
        </div>
        {children}
      </div>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={say('chart')}>
        <svg
          aria-hidden="true"
          width={width}
          height={above + height + below}
          viewBox={`0 0 ${width} ${above + height + below}`}
          className={periods.length > 10 ? 'max-w-none' : 'h-auto w-full'}
        >
          {periods.map((period, place) => (
            <Column
              key={period.start}
              period={period}
              left={place * (barWidth + gap)}
              share={period.usd / most}
              isLast={place === periods.length - 1}
            />
          ))}
          <line x1="0" x2={width} y1={above + height + 0.5} y2={above + height + 0.5} className="stroke-edge" />
        </svg>
      </div>
      <details>
        <summary className="link inline-flex min-h-11 items-center">{say('chartTable')}</summary>
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
    </section>
  )
}

const shortMoney = { style: 'currency', currency: 'USD', maximumFractionDigits: 0 } as const

type ColumnProps = {
  readonly period: Period
  readonly left: number
  /** Of the highest. */
  readonly share: number
  /** The running one. */
  readonly isLast: boolean
}

function Column({ period: { start, usd }, left, share, isLast }: ColumnProps): ReactNode {
  const format = useFormat()
  const tall = Math.max(share * height, usd > 0 ? 2 : 0)
  const middle = left + barWidth / 2
  return (
    <g textAnchor="middle" className="text-[0.75rem]">
      <text
        x={middle}
        y={above + height - tall - 7}
        className={`numbers ${isLast ? 'fill-ink font-strong' : 'fill-quiet'}`}
      >
        {format.number(usd, shortMoney)}
      </text>
      <rect
        x={left}
        y={above + height - tall}
        width={barWidth}
        height={tall}
        rx="6"
        className={isLast ? 'fill-brand' : 'fill-brand/35'}
      />
      <text x={middle} y={above + height + 17} className="fill-quiet">
        {format.shortDate(start)}
      </text>
    </g>
  )
}
