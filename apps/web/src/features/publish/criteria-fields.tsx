import type { ReactNode } from 'react'
import { limits } from '@ergon/contract'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { publishMessages } from './messages.ts'

/** The conditions under which the work is accepted, one line each. */
export function CriteriaFields({
  criteria,
  onChange,
}: {
  readonly criteria: readonly string[]
  readonly onChange: (criteria: readonly string[]) => void
}): ReactNode {
  const say = useMessages(publishMessages)
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-label">{say('criteria')}</legend>
      <p className="text-sm text-quiet">{say('criteriaHint')}</p>
      {criteria.map((text, place) => (
        // A condition has no identity but its place.
        <div key={place} className="grid grid-cols-[1fr_auto] items-end gap-2">
          <TextField
            label={say('criterion', { n: place + 1 })}
            value={text}
            maxLength={300}
            onChange={({ target }) => {
              onChange(criteria.map((one, other) => (other === place ? target.value : one)))
            }}
          />
          <Button
            aria-label={say('removeCriterion', { n: place + 1 })}
            disabled={criteria.length === 1}
            onClick={() => {
              onChange(criteria.filter((_, other) => other !== place))
            }}
          >
            <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4">
              <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="2" />
            </svg>
          </Button>
        </div>
      ))}
      <div>
        <Button
          disabled={criteria.length >= limits.criteriaMax}
          onClick={() => {
            onChange([...criteria, ''])
          }}
        >
          {say('addCriterion')}
        </Button>
      </div>
    </fieldset>
  )
}
