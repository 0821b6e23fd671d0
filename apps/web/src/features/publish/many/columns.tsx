import type { ReactNode } from 'react'
import { categories, evidenceTypes } from '@ergon/contract'
import { Card } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { wordMessages } from '../../../messages/words.ts'
import { exampleFloor } from './example-rows.ts'
import { publishManyMessages } from './messages.ts'
import { columns, neededColumns, type Column } from './read-tasks.ts'

type Example = { readonly example: readonly string[] }

/** Whoever has no file yet reads what one says: first what it cannot do without, the rest on demand. */
export function Columns({ example }: Example): ReactNode {
  const say = useMessages(publishManyMessages)
  const further = columns.filter((column) => !neededColumns.includes(column))
  return (
    <section aria-labelledby="columns" className="grid gap-3">
      <div className="grid gap-1">
        <h2 id="columns">{say('needed')}</h2>
        <p className="text-quiet">{say('neededSays')}</p>
      </div>
      <Card className="py-2">
        <Rows of={neededColumns} example={example} />
        <details className="fold border-t border-line">
          <summary>{say('further')}</summary>
          <Rows of={further} example={example} />
        </details>
      </Card>
    </section>
  )
}

function Rows({ of, example }: Example & { readonly of: readonly Column[] }): ReactNode {
  const say = useMessages(publishManyMessages)
  return (
    <dl className="rows grid">
      {of.map((column) => (
        <div key={column} className="grid gap-x-6 gap-y-1 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <dt className="font-mono text-sm font-label sm:pt-0.5">{column}</dt>
          <dd className="grid min-w-0 gap-1">
            <span>{say(`column.${column}`)}</span>
            <span className="text-sm wrap-anywhere text-quiet">
              {`${say('like')} `}
              <span className="text-ink">
                {column === 'min_reputation' ? exampleFloor : example[columns.indexOf(column)]}
              </span>
            </span>
            {(column === 'category' || column === 'evidence_required') && <Words of={column} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What a cell may say, beside the words that people read. */
function Words({ of }: { readonly of: 'category' | 'evidence_required' }): ReactNode {
  const say = useMessages(publishManyMessages)
  const words = useMessages(wordMessages)
  const pairs =
    of === 'category'
      ? categories.map((one) => [words(`category.${one}`), one] as const)
      : evidenceTypes.map((one) => [words(`evidence.${one}`), one] as const)
  return (
    <details className="fold text-sm">
      <summary>{say(`words.${of}`, { n: pairs.length })}</summary>
      <ul className="grid gap-x-6 gap-y-1.5 pb-2 sm:grid-cols-2">
        {pairs.map(([name, word]) => (
          <li key={word} className="flex flex-wrap items-baseline justify-between gap-x-3 border-b border-line pb-1">
            <span>{name}</span>
            <code className="text-quiet wrap-anywhere">{word}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}
