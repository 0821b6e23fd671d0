import type { ReactNode } from 'react'
import { categories, limits } from '@ergon/contract'
import { Failure } from '../../components/failure.tsx'
import { CheckField, SelectField, TextField } from '../../components/field.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { wordMessages } from '../../messages/words.ts'
import type { ListingDraft } from './listing-draft.ts'
import { listingMessages } from './messages.ts'

type FieldProps = {
  readonly draft: ListingDraft
  readonly change: (part: Partial<ListingDraft>) => void
  readonly faultOf: (field: string) => string | undefined
}

/** What cannot be changed later. */
export function FixedTerms({ draft, change, faultOf }: FieldProps): ReactNode {
  const say = useMessages(listingMessages)
  const words = useMessages(wordMessages)
  return (
    <>
      <TextField
        label={say('name')}
        maxLength={limits.titleMax}
        value={draft.title}
        error={faultOf('title')}
        onChange={({ target }) => change({ title: target.value })}
      />
      <SelectField
        label={say('category')}
        value={draft.category}
        error={faultOf('category')}
        onChange={({ target }) => change({ category: target.value })}
      >
        <option value="">{say('choose')}</option>
        {categories.map((one) => (
          <option key={one} value={one}>
            {words(`category.${one}`)}
          </option>
        ))}
      </SelectField>
    </>
  )
}

/** The price, with what the service takes at least and at most. */
export function PriceField({ draft, change, faultOf }: FieldProps): ReactNode {
  const say = useMessages(listingMessages)
  const format = useFormat()
  const fees = useRead('payments.fees', {}, { staleTime: 600_000 })
  return (
    <TextField
      label={say('unitPrice')}
      {...(fees.data === undefined
        ? {}
        : {
            hint: say('priceHint', {
              least: format.usd(fees.data.min_bounty_usd),
              most: format.usd(fees.data.max_escrow_bounty_usd),
            }),
          })}
      inputMode="decimal"
      value={draft.price}
      error={faultOf('unit_price_usd')}
      onChange={({ target }) => change({ price: target.value })}
    />
  )
}

/** The networks on which a payment is taken: those that have an escrow. */
export function NetworkChoices({ draft, change, faultOf }: FieldProps): ReactNode {
  const say = useMessages(listingMessages)
  const networkTitle = useNetworkTitle()
  const networks = useRead('payments.networks', {}, { staleTime: 600_000 })
  // None is no choice; what could not be read is another thing.
  if (networks.data === undefined && networks.error !== null) return <Failure error={networks.error} />
  return (
    <Choices
      legend={say('networks')}
      hint={say('acceptedHint')}
      error={faultOf('accepted_networks')}
      chosen={draft.networks}
      options={(networks.data?.networks ?? [])
        .filter((one) => one.escrow !== null)
        .map((one) => [one.name, networkTitle(one.name)] as const)}
      onChange={(chosen) => change({ networks: chosen })}
    />
  )
}

type ChoicesProps = {
  readonly legend: string
  readonly hint?: string
  readonly error: string | undefined
  readonly chosen: readonly string[]
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChange: (chosen: readonly string[]) => void
}

export function Choices({ legend, hint, error, chosen, options, onChange }: ChoicesProps): ReactNode {
  return (
    <fieldset className="grid gap-1">
      <legend className="font-semibold">{legend}</legend>
      {hint !== undefined && <p className="text-sm text-quiet">{hint}</p>}
      <div className="grid max-h-56 overflow-y-auto sm:grid-cols-2">
        {options.map(([value, label]) => (
          <CheckField
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
