import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../components/icon.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useLive, useLiveLine } from '../../lib/live.tsx'
import { bellMessages } from './bell-messages.ts'
import { useRenewedNotices } from './push/use-renewed-notices.ts'
import { useUnreadCount } from './use-news.ts'

const most = 99

/** In the bar during a session: hears what happens, and says how much of it is new. */
export function NewsLink({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(bellMessages)
  useLiveLine(wallet)
  useRenewedNotices()
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
      <Link to="/notifications" aria-label={says} className="icon-btn">
        <Icon name="bell" className={`text-[1.35rem] ${isDeaf ? 'opacity-50' : ''}`} />
        {count !== undefined && count > 0 && (
          <span aria-hidden="true" className="numbers news-count">
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
