import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../lib/i18n.tsx'
import { useLive, useLiveLine } from '../../lib/live.tsx'
import { notificationsMessages } from './messages.ts'
import { useUnreadCount } from './use-news.ts'

const most = 99

/** In the bar while somebody is signed in: hears what happens, and says how much of it is new. */
export function NewsLink({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(notificationsMessages)
  useLiveLine(wallet)
  const { state } = useLive(wallet)
  const { count, isMore } = useUnreadCount(wallet)
  const isDeaf = state === 'lost' || state === 'ended'
  const isOver = isMore || (count ?? 0) > most
  const says = [
    say('bell'),
    ...(count === undefined ? [] : [isOver ? say('bellMore', { n: most }) : say('bellCount', { n: count })]),
    ...(isDeaf ? [say('bellLost')] : []),
  ].join(', ')
  return (
    <>
      <Link
        to="/notifications"
        aria-label={says}
        className="relative inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-lg px-2 font-semibold hover:bg-sunken aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand"
      >
        <svg
          aria-hidden="true"
          viewBox="0 0 24 24"
          className={`size-6 ${isDeaf ? 'opacity-50' : ''}`}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15z" />
          <path d="M10 20.5a2.2 2.2 0 0 0 4 0" />
          {isDeaf && <path d="M4 4l16 16" />}
        </svg>
        {count !== undefined && count > 0 && (
          <span aria-hidden="true" className="numbers rounded-full bg-brand px-1.5 text-sm font-bold text-on-brand">
            {isOver ? `${String(most)}+` : count}
          </span>
        )}
      </Link>
      <span role="status" className="visually-hidden">
        {says}
      </span>
    </>
  )
}
