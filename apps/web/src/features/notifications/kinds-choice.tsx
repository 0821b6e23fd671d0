import type { ReactNode } from 'react'
import { newsKinds, type NewsKind } from '@ergon/contract/facts'
import { CheckField } from '../../components/field.tsx'
import { defineMessages } from '../../lib/messages.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { notificationsMessages } from './messages.ts'

const kindsMessages = defineMessages({
  en: { what: 'What to tell you about', nothing: 'Choose at least one kind.' },
  es: { what: 'De qué te avisamos', nothing: 'Elige al menos un tipo.' },
})

type KindsProps = { readonly chosen: readonly NewsKind[]; readonly choose: (kinds: readonly NewsKind[]) => void }

/** What a person is told of while the app is closed, whichever way. */
export function KindsChoice({ chosen, choose }: KindsProps): ReactNode {
  const say = useMessages(kindsMessages)
  const kindOf = useMessages(notificationsMessages)
  return (
    <>
      <fieldset className="grid grid-cols-2 gap-x-3 gap-y-1">
        <legend className="mb-1 font-label">{say('what')}</legend>
        {newsKinds.map((kind) => (
          <CheckField
            key={kind}
            label={kindOf(`kind.${kind}`)}
            checked={chosen.includes(kind)}
            onChange={({ target }) => {
              choose(newsKinds.filter((one) => (one === kind ? target.checked : chosen.includes(one))))
            }}
          />
        ))}
      </fieldset>
      {chosen.length === 0 && <p className="text-sm text-bad">{say('nothing')}</p>}
    </>
  )
}
