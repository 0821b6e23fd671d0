import type { ReactNode } from 'react'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { Icon } from './icon.tsx'

const starMessages = defineMessages({ en: { outOf5: '{score} of 5' }, es: { outOf5: '{score} de 5' } })

/** A score of 0 to 100 as five stars, so many of them full; the number beside them says the same to readers. */
export function StarRow({ score }: { readonly score: number }): ReactNode {
  const say = useMessages(starMessages)
  const format = useFormat()
  const stars = score / 20
  return (
    <span className="inline-flex flex-none gap-0.5">
      <span className="visually-hidden">
        {say('outOf5', { score: format.number(stars, { maximumFractionDigits: 1 }) })}
      </span>
      {[1, 2, 3, 4, 5].map((star) => (
        <Icon key={star} name="star-fill" className={star <= Math.round(stars) ? 'star' : 'text-line'} />
      ))}
    </span>
  )
}
