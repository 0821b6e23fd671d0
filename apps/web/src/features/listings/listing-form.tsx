import { useState, type ReactNode } from 'react'
import { categories, evidenceTypes, limits } from '@ergon/contract'
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/field.tsx'
import { useFormat } from '../../lib/format.ts'
import { useNetworkTitle } from '../../components/network-title.ts'
import { faultsOf, useDraft, type FieldFaults } from '../../lib/form.ts'
import { FormEnd } from '../../components/form-end.tsx'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { focusFault } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { wordMessages } from '../../messages/words.ts'
import { createFields, draftOf, emptyListing, updateFields } from './listing-draft.ts'
import type { Listing } from './listing-card.tsx'
import { listingMessages } from './messages.ts'

type FormProps = {
  /** The listing to change; a new one when left out. */
  readonly listing?: Listing
  readonly busy: boolean
  readonly send: (fields: Readonly<Record<string, unknown>>, forget: () => void) => void
  readonly onClose: () => void
}

/** The terms of a service. What cannot be changed later (title, kind) is asked for once. */
export function ListingForm({ listing, busy, send, onClose }: FormProps): ReactNode {
  const say = useMessages(listingMessages)
  const common = useMessages(commonMessages)
  const words = useMessages(wordMessages)
  const { locale } = useSpeech()
  const format = useFormat()
  const [empty] = useState(() => (listing === undefined ? emptyListing : draftOf(listing, locale)))
  const [draft, change, forget] = useDraft(draftName(listing), empty)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const fees = useRead('payments.fees', {}, { staleTime: 600_000 })
  const networkTitle = useNetworkTitle()
  const networks = useRead('payments.networks', {}, { staleTime: 600_000 })
  const submit = (form: HTMLFormElement): void => {
    const fields = listing === undefined ? createFields(draft, locale) : updateFields(listing.id, draft, locale)
    const found = faultsOf(listing === undefined ? 'listings.create' : 'listings.update', fields)
    setFaults(found)
    if (Object.keys(found).length === 0) send(fields, forget)
    // After the errors are in the page: to the first of them.
    else focusFault(form)
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {listing === undefined && (
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
      )}
      <TextAreaField
        label={say('description')}
        hint={say('descriptionHint')}
        maxLength={limits.instructionsMax}
        value={draft.description}
        error={faultOf('description')}
        onChange={({ target }) => change({ description: target.value })}
      />
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
      <TextField
        label={say('skillsTitle')}
        hint={say('skillsHint')}
        value={draft.skills}
        error={faultOf('skills')}
        onChange={({ target }) => change({ skills: target.value })}
      />
      <Choices
        legend={say('evidence')}
        error={faultOf('evidence_schema')}
        chosen={draft.evidence}
        options={evidenceTypes.map((one) => [one, words(`evidence.${one}`)] as const)}
        onChange={(evidence) => change({ evidence })}
      />
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
      <p className="text-sm text-quiet">{say('kept')}</p>
      <FormEnd onCancel={onClose} busy={busy}>
        {listing === undefined ? say('create') : common('save')}
      </FormEnd>
    </form>
  )
}

/** Terms that changed since are another draft: an old price never comes back by itself. */
const draftName = (listing: Listing | undefined): string =>
  listing === undefined ? 'listing' : `listing.${listing.id}.${listing.updated_at}`

type ChoicesProps = {
  readonly legend: string
  readonly hint?: string
  readonly error: string | undefined
  readonly chosen: readonly string[]
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChange: (chosen: readonly string[]) => void
}

function Choices({ legend, hint, error, chosen, options, onChange }: ChoicesProps): ReactNode {
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
