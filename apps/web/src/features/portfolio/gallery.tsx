import { useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { portfolioMessages } from './messages.ts'
import { WorkCard } from './work-card.tsx'

const perStep = 6

/** Work that both sides agreed to show, newest first; nothing where there is none. */
export function Gallery({ workerId }: { readonly workerId: string }): ReactNode {
  const say = useMessages(portfolioMessages)
  const [limit, setLimit] = useState(perStep)
  const { data, error } = useRead(
    'portfolio.list',
    { executor_id: workerId, limit },
    { placeholderData: (before) => before },
  )
  if (data === undefined) return error === null ? null : <Failure error={error} />
  if (data.total === 0) return null
  return (
    <section aria-label={say('gallery')} className="grid gap-3">
      <h2>{say('gallery')}</h2>
      <ul className="grid gap-4 sm:grid-cols-2">
        {data.works.map((work) => (
          <WorkCard key={work.id} work={work} as="li" />
        ))}
      </ul>
      {data.has_more && limit < 100 && (
        <div>
          <Button
            onClick={() => {
              setLimit(Math.min(100, limit + perStep))
            }}
          >
            {say('more')}
          </Button>
        </div>
      )}
    </section>
  )
}
