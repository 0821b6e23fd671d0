import { useState, type ReactNode } from 'react'
import { Card } from '../../components/surface.tsx'
import { CheckField } from '../../components/field.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { reviewMessages } from './messages.ts'

/** The publisher's own conditions, to tick while looking; nothing is ticked beforehand, and nothing is sent. */
export function Conditions({ criteria }: { readonly criteria: readonly string[] }): ReactNode {
  const say = useMessages(reviewMessages)
  const [met, setMet] = useState<readonly string[]>([])
  if (criteria.length === 0) return null
  return (
    <section aria-labelledby="conditions" className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="conditions">{say('conditions')}</h2>
        <p role="status" className="text-sm text-quiet">
          {say('conditionsMet', { met: met.length, all: criteria.length })}
        </p>
      </div>
      <Card className="rows grid py-2">
        {criteria.map((one) => (
          <CheckField
            key={one}
            label={one}
            checked={met.includes(one)}
            onChange={({ target }) => {
              setMet(target.checked ? [...met, one] : met.filter((other) => other !== one))
            }}
          />
        ))}
      </Card>
      <p className="text-sm text-quiet">{say('conditionsHelp')}</p>
    </section>
  )
}
