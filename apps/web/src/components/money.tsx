import type { ReactNode } from 'react'
import { useFormat } from '../lib/format.ts'

const looks = { row: 'money', card: 'money money-card', hero: 'money money-hero' } as const

type MoneyProps = {
  readonly usd: number
  /** In a row, the one amount of a card, or of a screen. */
  readonly look?: keyof typeof looks
  /** Cents, rounded down for whoever receives; else every digit that moves. */
  readonly inCents?: boolean
  readonly className?: string
}

/** An amount of dollars in stablecoin: ink, in figures of one width, with a quiet unit where it is alone. */
export function Money({ usd, look = 'row', inCents = false, className = '' }: MoneyProps): ReactNode {
  const format = useFormat()
  const text = inCents ? format.cents(usd) : format.usd(usd)
  // The language decides whether the unit comes before or behind; the figures in the middle are the amount.
  const [, before = '', amount = text, after = ''] = /^(\D*)(\d.*\d)(\D*)$/su.exec(text) ?? []
  return (
    <span className={`numbers ${looks[look]} ${className}`}>
      {look === 'row' ? (
        text
      ) : (
        <>
          {before !== '' && <span className="money-unit">{before}</span>}
          {amount}
          {after !== '' && <span className="money-unit">{after}</span>}
        </>
      )}
    </span>
  )
}
