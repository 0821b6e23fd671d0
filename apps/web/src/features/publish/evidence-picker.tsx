import type { ReactNode } from 'react'
import { evidenceTypes, limits, type EvidenceType } from '@ergon/contract'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'

type PickerProps = { readonly legend: string; readonly hint?: string; readonly error?: string | undefined; readonly chosen: readonly EvidenceType[]; readonly not: readonly EvidenceType[]; readonly onChange: (chosen: readonly EvidenceType[]) => void; readonly id: string }

/** A set of kinds of evidence, each a box that can be ticked. */
export function EvidencePicker({ legend, hint, error, chosen, not, onChange, id }: PickerProps): ReactNode {
  const say = useMessages(wordMessages)
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim()
  return (
    <fieldset id={id} tabIndex={-1} className="grid gap-2" {...(described === '' ? {} : { 'aria-describedby': described })}>
      <legend className="mb-1 font-semibold">{legend}</legend>
      {hint !== undefined && <p id={`${id}-hint`} className="text-sm text-quiet">{hint}</p>}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-2">
        {evidenceTypes.map((type) => {
          const isChosen = chosen.includes(type)
          return (
            <label key={type} className="flex min-h-11 items-center gap-2 rounded-lg border border-line px-3 py-1 has-checked:border-brand has-checked:bg-brand-soft has-disabled:opacity-55">
              <input type="checkbox" className="size-5 accent-brand" checked={isChosen} disabled={!isChosen && (not.includes(type) || chosen.length >= limits.evidenceMax)} onChange={({ target }) => { onChange(target.checked ? [...chosen, type] : chosen.filter((one) => one !== type)) }} />
              <span>{say(`evidence.${type}`)}</span>
            </label>
          )
        })}
      </div>
      {error !== undefined && <p id={`${id}-error`} className="text-sm font-semibold text-bad">{error}</p>}
    </fieldset>
  )
}
