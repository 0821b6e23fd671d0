import { useState, type ReactNode } from 'react'
import { evidenceTypes, limits } from '@ergon/contract'
import { TextAreaField, TextField } from '../../components/field.tsx'
import { faultsOf, useDraft, type FieldFaults } from '../../lib/form.ts'
import { FormEnd } from '../../components/form-end.tsx'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { focusFault } from '../../lib/show-faults.ts'
import { useIsKeeping } from '../../lib/use-is-keeping.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { wordMessages } from '../../messages/words.ts'
import { createFields, draftOf, emptyListing, updateFields } from './listing-draft.ts'
import type { Listing } from './listing-card.tsx'
import { Choices, FixedTerms, NetworkChoices, PriceField } from './listing-fields.tsx'
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
  const [empty] = useState(() => (listing === undefined ? emptyListing : draftOf(listing, locale)))
  const [draft, change, forget] = useDraft(draftName(listing), empty)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const part = { draft, change, faultOf }
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
      {listing === undefined && <FixedTerms {...part} />}
      <TextAreaField
        label={say('description')}
        hint={say('descriptionHint')}
        maxLength={limits.instructionsMax}
        value={draft.description}
        error={faultOf('description')}
        onChange={({ target }) => change({ description: target.value })}
      />
      <PriceField {...part} />
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
      <NetworkChoices {...part} />
      <KeptHere />
      <FormEnd onCancel={onClose} busy={busy}>
        {listing === undefined ? say('create') : common('save')}
      </FormEnd>
    </form>
  )
}

/** Terms that changed since are another draft: an old price never comes back by itself. */
const draftName = (listing: Listing | undefined): string =>
  listing === undefined ? 'listing' : `listing.${listing.id}.${listing.updated_at}`

function KeptHere(): ReactNode {
  const say = useMessages(listingMessages)
  return <p className="text-sm text-quiet">{say(useIsKeeping() ? 'kept' : 'unkept')}</p>
}
