import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { categories, evidenceTypes } from '@ergon/contract'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import type { FieldFault, FieldFaults } from '../../lib/field-faults.ts'
import { useFormat } from '../../lib/format.ts'
import { readPoint, writePoint } from '../../lib/geo.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { typedNumber } from '../../lib/number-typed.ts'
import type { Search } from '../../lib/search.ts'
import { faultMessages } from '../../messages/faults.ts'
import { wordMessages } from '../../messages/words.ts'
import { filterFaults, searchOf, textsOf, textsOfForm, type FilterTexts } from './filter-input.ts'
import { audiences, readAmount } from '../../lib/filters.ts'
import { discoverMessages } from './messages.ts'
import { NearName } from './near-name.tsx'
import { usePosition } from './use-position.ts'

const distancesKm = [1, 2, 5, 10, 25, 50, 100, 500]
/** A town with what can be gone to from it; unless another distance is chosen. */
const townKm = '25'
// Whoever only reads the list does not load it.
const TownField = lazy(async () => ({ default: (await import('../../components/towns/town-field.tsx')).TownField }))
const audienceNames = { human: 'forHuman', agent: 'forAgent', robot: 'forRobot', all: 'forAll' } as const

type FormProps = { readonly search: Search; readonly onChange: (search: Search) => void }

/**
 * What is looked for. It takes effect when it is sent, so that nobody who steps through a list by keyboard is carried
 * away.
 */
export function FilterForm({ search, onChange }: FormProps): ReactNode {
  const say = useMessages(discoverMessages)
  const { locale } = useSpeech()
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<FieldFaults>({})
  const fault = useFaultText()
  const texts = textsOf(search)
  // An address writes figures for every language.
  const shown = (amount: string): string => {
    const value = readAmount(amount)
    return value === undefined ? amount : typedNumber(value, locale)
  }
  const send = async (typed: FilterTexts): Promise<void> => {
    const found = await filterFaults(typed)
    setFaults(found)
    const broken = Object.keys(found)[0]
    if (broken === undefined) onChange(searchOf(typed, { ...search, filters: undefined }))
    else form.current?.querySelector<HTMLElement>(`[name="${broken}"]`)?.focus()
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label={say('filters')}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void send(textsOfForm(new FormData(event.currentTarget), locale))
      }}
    >
      <Audience texts={texts} />
      <Category texts={texts} />
      <BountyRange shown={shown} texts={texts} fault={fault} faults={faults} />
      <Evidence texts={texts} />
      <Suspense fallback={<div className="min-h-44" />}>
        <TownField
          onChoose={({ at }) => {
            if (form.current === null) return
            const typed = textsOfForm(new FormData(form.current), locale)
            void send({ ...typed, near: writePoint(at), within: typed.within === '' ? townKm : typed.within })
          }}
        />
      </Suspense>
      <input type="hidden" name="near" value={texts.near} />
      {texts.near !== '' && (
        <NearNow
          near={texts.near}
          onRemove={() => {
            if (form.current !== null) void send({ ...textsOfForm(new FormData(form.current), locale), near: '' })
          }}
        />
      )}
      <NearMe
        onFound={(near) => {
          if (form.current !== null) void send({ ...textsOfForm(new FormData(form.current), locale), near })
        }}
      />
      <Within texts={texts} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="primary">
          {say('apply')}
        </Button>
        <Button kind="quiet" onClick={() => onChange(searchOf({ ...textsOf({}) }, search))}>
          {say('clear')}
        </Button>
      </div>
    </form>
  )
}

type NearNowProps = { readonly near: string; readonly onRemove: () => void }

/** The place that is looked around, by its town where the towns are here. */
function NearNow({ near, onRemove }: NearNowProps): ReactNode {
  const say = useMessages(discoverMessages)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      <NearName near={readPoint(near)} otherwise={<p>{say('nearChosen')}</p>} />
      <Button kind="quiet" onClick={onRemove}>
        {say('nearRemove')}
      </Button>
    </div>
  )
}

type AudienceProps = {
  readonly texts: FilterTexts
}

function Audience({ texts }: AudienceProps): ReactNode {
  const say = useMessages(discoverMessages)
  return (
    <SelectField label={say('for')} name="for" defaultValue={texts.for}>
      {audiences.map((one) => (
        <option key={one} value={one}>
          {say(audienceNames[one])}
        </option>
      ))}
    </SelectField>
  )
}

type CategoryProps = {
  readonly texts: FilterTexts
}

function Category({ texts }: CategoryProps): ReactNode {
  const say = useMessages(discoverMessages)
  const word = useMessages(wordMessages)
  return (
    <SelectField label={say('category')} name="category" defaultValue={texts.category}>
      <option value="">{say('anyCategory')}</option>
      {categories.map((one) => (
        <option key={one} value={one}>
          {word(`category.${one}`)}
        </option>
      ))}
    </SelectField>
  )
}

type BountyRangeProps = {
  readonly shown: (amount: string) => string
  readonly texts: FilterTexts
  readonly fault: ReturnType<typeof useFaultText>
  readonly faults: FieldFaults
}

function BountyRange({ shown, texts, fault, faults }: BountyRangeProps): ReactNode {
  const say = useMessages(discoverMessages)
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <TextField
        label={say('min')}
        hint={say('dollars')}
        name="min"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={shown(texts.min)}
        error={fault(faults['min'], say('amountBad'))}
      />
      <TextField
        label={say('max')}
        hint={say('dollars')}
        name="max"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={shown(texts.max)}
        error={fault(faults['max'], say('amountBad'))}
      />
    </div>
  )
}

type EvidenceProps = {
  readonly texts: FilterTexts
}

function Evidence({ texts }: EvidenceProps): ReactNode {
  const say = useMessages(discoverMessages)
  const word = useMessages(wordMessages)
  return (
    <SelectField label={say('evidence')} name="evidence" defaultValue={texts.evidence}>
      <option value="">{say('anyEvidence')}</option>
      {evidenceTypes.map((one) => (
        <option key={one} value={one}>
          {word(`evidence.${one}`)}
        </option>
      ))}
    </SelectField>
  )
}

type WithinProps = {
  readonly texts: FilterTexts
}

function Within({ texts }: WithinProps): ReactNode {
  const say = useMessages(discoverMessages)
  const format = useFormat()
  return (
    <SelectField label={say('within')} name="within" defaultValue={texts.within}>
      <option value="">{say('anyDistance')}</option>
      {distancesKm.map((km) => (
        <option key={km} value={km}>
          {format.distance(km * 1_000)}
        </option>
      ))}
    </SelectField>
  )
}

/** Asks the browser for a position when it is clicked, and never before. */
function NearMe({ onFound }: { readonly onFound: (near: string) => void }): ReactNode {
  const say = useMessages(discoverMessages)
  const position = usePosition((point) => {
    onFound(writePoint(point))
  })
  return (
    <div className="grid gap-2">
      <Button busy={position.isAsking} onClick={position.ask}>
        {say('nearMe')}
      </Button>
      <div role="status">
        {position.failure !== undefined && (
          <Note tone="warn">
            <p>{say(position.failure === 'denied' ? 'geoDenied' : 'geoFailed')}</p>
          </Note>
        )}
      </div>
    </div>
  )
}

function useFaultText(): (fault: FieldFault | undefined, malformed: string) => string | undefined {
  const say = useMessages(faultMessages)
  return (fault, malformed) =>
    fault === undefined
      ? undefined
      : fault.rule === 'malformed'
        ? malformed
        : say(fault.rule, fault.limit === undefined ? {} : { limit: fault.limit })
}
