import type { ReactNode } from 'react'
import { readCriteria } from '../lib/criteria.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'

const wordMessages = defineMessages({ en: { criteria: 'Accepted when' }, es: { criteria: 'Se acepta cuando' } })

/** What has to be done, and when it is accepted; it belongs under a heading of the second level. */
export function TaskWords({ text }: { readonly text: string }): ReactNode {
  const say = useMessages(wordMessages)
  const { instructions, criteria } = readCriteria(text)
  return (
    <>
      <p className="max-w-prose wrap-anywhere whitespace-pre-line">{instructions}</p>
      {criteria.length > 0 && (
        <>
          <h3>{say('criteria')}</h3>
          <ul className="grid list-disc gap-1 pl-5">
            {criteria.map((one, index) => (
              <li key={index} className="wrap-anywhere">
                {one}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
