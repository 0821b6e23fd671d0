import type { ReactNode } from 'react'
import { disputeVerdicts } from '@ergon/contract'
import { useMessages } from '../../lib/i18n.tsx'
import { decideMessages } from './decide-messages.ts'

type VerdictProps = {
  readonly chosen: string
  readonly error: string | undefined
  readonly choose: (verdict: string) => void
}

/** Who gets the bounty: one of three. */
export function VerdictField({ chosen, error, choose }: VerdictProps): ReactNode {
  const say = useMessages(decideMessages)
  return (
    <fieldset
      data-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : 'verdict-error'}
      className="grid gap-1"
    >
      <legend className="mb-1 font-semibold">{say('verdict')}</legend>
      {disputeVerdicts.map((one) => (
        <label key={one} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="verdict"
            value={one}
            checked={chosen === one}
            onChange={() => choose(one)}
            className="size-5 flex-none accent-brand"
          />
          <span>{say(one)}</span>
        </label>
      ))}
      {error !== undefined && (
        <p id="verdict-error" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
