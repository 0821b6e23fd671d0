import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { reasonMessages } from './reason-messages.ts'
import { reasonValues } from './reason-values.ts'

type Check = Output<'submissions.get'>['checks'][number]

/**
 * Why a check answers as it does, in the language of the reader; the English of the service where it gives no code that
 * is known here.
 */
export function Reason({ check: { reason, reason_code: code, figures } }: { readonly check: Check }): ReactNode {
  const say = useMessages(reasonMessages)
  const format = useFormat()
  if (typeof code !== 'string' || !isKnown(code))
    return (
      <span lang="en" className="block wrap-anywhere text-quiet">
        {reason}
      </span>
    )
  return <span className="block wrap-anywhere text-quiet">{say(code, reasonValues(figures ?? {}, format))}</span>
}

// A newer service may speak of what this build has not heard of, whatever its type says.
const isKnown = (code: string): code is keyof typeof reasonMessages.en => Object.hasOwn(reasonMessages.en, code)
