import type { ReactNode } from 'react'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { notForYouMessages } from './not-for-you-messages.ts'

/** Why an arbiter does not rule on this dispute: it is a side, of the same owner as one, or the task names another. */
export function NotForYou({ why }: { readonly why: 'side' | 'kin' | 'other' }): ReactNode {
  const say = useMessages(notForYouMessages)
  return (
    <Note icon="scales-bold" title={say(why)}>
      <p>{say(`${why}Says`)}</p>
    </Note>
  )
}
