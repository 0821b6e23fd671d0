import type { ReactNode } from 'react'
import { Money } from '../../components/money.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Period } from './by-period.ts'
import { earningsMessages } from './messages.ts'

const height = 150
const above = 22
const below = 22
/** From this many on the columns keep a width of their own, and the chart is scrolled. */
const mostSqueezed = 10
const leastWidth = 52

type ChartProps = {
  readonly title: string
  readonly note: string
  readonly periods: readonly Period[]
  readonly paidUsd: number
  readonly children: ReactNode
}

/** Columns, each with its figure above and its beginning below; the same as a table for everybody. */
export function EarningsChart({ title, note, periods, paidUsd, children }: ChartProps): ReactNode {
  const say = useMessages(earningsMessages)
  const format = useFormat()
  const most = Math.max(...periods.map(({ usd }) => usd), 0.000001)
  const isWide = periods.length > mostSqueezed
  return (
    <section className="grid gap-3" aria-labelledby="earned">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-1">
          <h2 id="earned">{title}</h2>
          <p>
            <Money usd={paidUsd} look="card" inCents /> <span className="text-sm text-quiet">{note}</span>
          </p>
        </div>
        {children}
      </div>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={title}>
        <svg
          aria-hidden="true"
          width={isWide ? periods.length * leastWidth : '100%'}
          height={above + height + below}
          className={isWide ? 'max-w-none min-w-full' : ''}
        >
          {periods.map((period, place) => (
            <Column
              key={period.start}
              period={period}
              left={(place / periods.length) * 100}
              slot={100 / periods.length}
              share={period.usd / most}
              isLast={place === periods.length - 1}
            />
          ))}
          <line x1="0" x2="100%" y1={above + height + 0.5} y2={above + height + 0.5} className="stroke-edge" />
        </svg>
      </div>
      <details>
        <summary className="link inline-flex min-h-11 items-center">{say('chartTable')}</summary>
        <table className="mt-2 text-left">
          <caption className="visually-hidden">{title}</caption>
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
  /** Where it begins and how much of the width is its own, of 100; letters keep their size. */
  readonly left: number
  readonly slot: number
  /** Of the highest. */
  readonly share: number
  /** The running one. */
  readonly isLast: boolean
}

function Column({ period: { start, usd }, left, slot, share, isLast }: ColumnProps): ReactNode {
  const format = useFormat()
  const tall = Math.max(share * height, usd > 0 ? 2 : 0)
  const middle = `${String(left + slot / 2)}%`
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
        x={`${String(left + slot * 0.12)}%`}
        y={above + height - tall}
        width={`${String(slot * 0.76)}%`}
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
