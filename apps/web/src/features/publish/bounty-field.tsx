import type { ReactNode } from 'react'
import { limits } from '@ergon/contract'
import { Field } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { dollarsTyped, typedNumber } from '../../lib/number-typed.ts'
import type { FormPart } from './draft.ts'
import { publishMessages } from './messages.ts'

const usual = [3, 5, 10, 20] as const

/** The price, typed, stepped or taken from the usual ones. */
export function BountyField({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const format = useFormat()
  const { locale } = useSpeech()
  const fees = useRead('payments.fees', {}, { staleTime: 600_000 })
  const typed = dollarsTyped(draft.bounty, locale)
  const now = typeof typed === 'number' ? typed : 0
  const set = (usd: number): void => {
    const kept = Math.min(Math.max(usd, limits.bountyMinUsd), fees.data?.max_escrow_bounty_usd ?? limits.bountyMaxUsd)
    change({ bounty: typedNumber(Math.round(kept * 100) / 100, locale).replace(/[.,]\d$/, '$&0') })
  }
  const step = now < 10 ? 0.5 : 1
  return (
    <div className="grid gap-3">
      <Field
        label={say('bounty')}
        {...(fees.data === undefined
          ? {}
          : {
              hint: say('bountyHint', {
                least: format.usd(fees.data.min_bounty_usd),
                most: format.usd(fees.data.max_escrow_bounty_usd),
              }),
            })}
        error={faultOf('bounty_usd')}
      >
        {(ties) => (
          <div className="amount-field">
            <button type="button" aria-label={say('less')} className="amount-step" onClick={() => set(now - step)}>
              <Icon name="minus-bold" />
            </button>
            <input
              {...ties}
              inputMode="decimal"
              autoComplete="off"
              className="amount-input numbers"
              value={draft.bounty}
              onChange={({ target }) => {
                change({ bounty: target.value })
              }}
            />
            <button type="button" aria-label={say('raise')} className="amount-step" onClick={() => set(now + step)}>
              <Icon name="plus-bold" />
            </button>
          </div>
        )}
      </Field>
      <div role="group" aria-label={say('usual')} className="flex flex-wrap gap-2">
        {usual.map((usd) => (
          <button
            key={usd}
            type="button"
            className="chip flex-1 justify-center px-1"
            aria-pressed={typed === usd}
            onClick={() => set(usd)}
          >
            {format.number(usd, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })}
          </button>
        ))}
      </div>
    </div>
  )
}
