import { useState, type ReactNode } from 'react'
import { evidenceTypes, limits, type EvidenceType } from '@ergon/contract'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { publishMessages } from './messages.ts'

/** What people ask of people; the others are mostly for software. */
const usual: readonly EvidenceType[] = ['photo', 'photo_geo', 'gps', 'text_response', 'video', 'document', 'receipt']

type PickerProps = {
  readonly legend: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly chosen: readonly EvidenceType[]
  readonly not: readonly EvidenceType[]
  readonly onChange: (chosen: readonly EvidenceType[]) => void
  readonly id: string
}

/** A set of kinds of evidence, each a box that can be ticked. */
export function EvidencePicker({ legend, hint, error, chosen, not, onChange, id }: PickerProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const more = useMessages(publishMessages)
  const given = { chosen, not, onChange }
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim()
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      className="grid gap-2"
      {...(described === '' ? {} : { 'aria-describedby': described })}
    >
      <legend className="mb-1 font-label">{legend}</legend>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      <Kinds types={usual} {...given} />
      <details
        open={isOpen || chosen.some((one) => !usual.includes(one))}
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open)
        }}
      >
        <summary className="min-h-6 cursor-pointer py-1 font-label text-brand">{more('more')}</summary>
        <div className="pt-2">
          <Kinds types={evidenceTypes.filter((one) => !usual.includes(one))} {...given} />
        </div>
      </details>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm font-label text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Kinds({
  types,
  chosen,
  not,
  onChange,
}: Pick<PickerProps, 'chosen' | 'not' | 'onChange'> & { readonly types: readonly EvidenceType[] }): ReactNode {
  const say = useMessages(wordMessages)
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-2">
      {types.map((type) => {
        const isChosen = chosen.includes(type)
        return (
          <label
            key={type}
            className="flex min-h-11 items-center gap-2 rounded-control border border-edge bg-surface px-3 py-1 has-checked:border-brand has-checked:bg-brand-soft has-disabled:opacity-55"
          >
            <input
              type="checkbox"
              className="size-5 flex-none accent-brand"
              checked={isChosen}
              disabled={!isChosen && (not.includes(type) || chosen.length >= limits.evidenceMax)}
              onChange={({ target }) => {
                onChange(target.checked ? [...chosen, type] : chosen.filter((one) => one !== type))
              }}
            />
            <span>{say(`evidence.${type}`)}</span>
          </label>
        )
      })}
    </div>
  )
}
