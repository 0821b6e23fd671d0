import type { ReactNode } from 'react'
import { Card } from '../../components/surface.tsx'
import { readCriteria } from '../../lib/criteria.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { ruleMessages } from './rule-messages.ts'

/** What the task asked for: nobody judges work without it. */
export function AskedFor({ instructions: text }: { readonly instructions: string }): ReactNode {
  const say = useMessages(ruleMessages)
  const { instructions, criteria } = readCriteria(text)
  return (
    <section aria-labelledby="asked" className="grid gap-3">
      <h2 id="asked">{say('asked')}</h2>
      <Card className="grid gap-3">
        <p className="max-w-prose wrap-anywhere whitespace-pre-line">{instructions}</p>
        {criteria.length > 0 && (
          <ul className="list-disc pl-5">
            {criteria.map((one) => (
              <li key={one} className="wrap-anywhere">
                {one}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}
