import type { ReactNode } from 'react'
import { meterUnits, type MeterUnit } from '@ergon/contract'
import { SelectField, TextField } from '../../components/field.tsx'
import { priceMessages } from '../../components/metered/messages.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import type { FormPart, MeterDraft } from './draft.ts'
import { meteredWords } from './metered-words.ts'

type MeteredProps = Pick<FormPart, 'change' | 'faultOf'> & { readonly meter: MeterDraft }

/** What is counted, what one costs, and the most that it all may cost. */
export function MeteredFields({ meter, change, faultOf }: MeteredProps): ReactNode {
  const say = useMessages(meteredWords)
  const units = useMessages(priceMessages)
  const format = useFormat()
  const fees = useRead('payments.fees', {}, { staleTime: 600_000 })
  const set = (part: Partial<MeterDraft>): void => {
    change({ meter: { ...meter, ...part } })
  }
  return (
    <div className="grid gap-5">
      <SelectField
        label={say('unit')}
        value={meter.unit}
        onChange={({ target }) => {
          set({ unit: target.value as MeterUnit }) // one of the options below
        }}
      >
        {meterUnits.map((unit) => (
          <option key={unit} value={unit}>
            {units(`unit_${unit}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={say('price', { unit: units(`unit_${meter.unit}`) })}
        hint={say('priceHint')}
        inputMode="decimal"
        autoComplete="off"
        className="numbers max-w-40"
        value={meter.price}
        error={faultOf('payment_streaming.price_per_unit')}
        onChange={({ target }) => {
          set({ price: target.value })
        }}
      />
      <TextField
        label={say('cap')}
        {...(fees.data !== undefined && {
          hint: say('capHint', {
            least: format.usd(fees.data.min_bounty_usd),
            most: format.usd(fees.data.max_escrow_bounty_usd),
          }),
        })}
        inputMode="decimal"
        autoComplete="off"
        className="numbers max-w-40"
        value={meter.cap}
        error={faultOf('bounty_usd') ?? faultOf('payment_streaming.cap_usd')}
        onChange={({ target }) => {
          set({ cap: target.value })
        }}
      />
      <p className="text-sm text-quiet">{say('later')}</p>
    </div>
  )
}
