import { useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { Badge } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { newsMessages, notificationsMessages } from './messages.ts'
import { targetOf } from './news.ts'
import type { News } from './use-news.ts'

const perStep = 50

/** News, newest first, so many at first and more when asked. */
export function NewsList({
  news,
  unread,
}: {
  readonly news: readonly News[]
  readonly unread: ReadonlySet<string>
}): ReactNode {
  const say = useMessages(notificationsMessages)
  const [shown, show] = useState(perStep)
  return (
    <div className="grid gap-4">
      <ol
        aria-label={say('list')}
        className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface"
      >
        {news.slice(0, shown).map((one) => (
          <NewsRow key={one.id} news={one} isUnread={unread.has(one.id) && !one.isOwnStep} />
        ))}
      </ol>
      {news.length > shown && (
        <div>
          <Button
            onClick={() => {
              show(shown + perStep)
            }}
          >
            {say('more')}
          </Button>
        </div>
      )}
    </div>
  )
}

function NewsRow({ news, isUnread }: { readonly news: News; readonly isUnread: boolean }): ReactNode {
  const say = useMessages(notificationsMessages)
  const happened = useMessages(newsMessages)
  const format = useFormat()
  const { type, part, data, title, created_at: at } = news
  const target = targetOf(news, part)
  const amount = [data['worker_amount'], data['amount_usd']].find((one) => typeof one === 'number')
  const reason = type === 'endpoint.disabled' ? data['url'] : data['reason']
  return (
    <li className={`grid gap-1 border-l-4 px-4 py-3 ${isUnread ? 'border-l-brand' : 'border-l-transparent'}`}>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className={isUnread ? 'font-semibold' : ''}>{happened(type, { part: part ?? 'other' })}</span>
        {amount !== undefined && <span className="numbers font-semibold text-ink">{format.usd(amount)}</span>}
        {isUnread && <Badge tone="move">{say('unread')}</Badge>}
        <span className="ml-auto text-sm text-quiet">
          <Moment at={at} />
        </span>
      </div>
      {target !== undefined && (
        <Link {...target} className="link min-h-6 min-w-0 justify-self-start wrap-anywhere">
          {title ?? say(typeof data['webhook_id'] === 'string' ? 'webhook' : 'atask')}
        </Link>
      )}
      {typeof reason === 'string' && reason !== '' && <p className="text-sm text-quiet wrap-anywhere">{reason}</p>}
    </li>
  )
}
