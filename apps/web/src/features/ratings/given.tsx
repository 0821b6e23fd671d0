import type { ReactNode } from 'react'
import { StarRow } from '../../components/star-row.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { ratingMessages } from './messages.ts'
import type { GivenRating } from './stars.ts'

/** The rating that was given for this task, on the chain or on its way there. */
export function Given({ rating: { score, comment } }: { readonly rating: GivenRating }): ReactNode {
  const say = useMessages(ratingMessages)
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <h3>{say('whom')}</h3>
      <StarRow score={score} />
      {comment !== '' && <p className="wrap-anywhere whitespace-pre-line">{comment}</p>}
    </div>
  )
}
