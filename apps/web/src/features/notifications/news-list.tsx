import { useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Happening, HappeningDays, type HappeningTone } from '../../components/happenings.tsx'
import type { IconName } from '../../components/icon-names.ts'
import { Portrait } from '../../components/portrait.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { targetOfFound } from '../../lib/target-of-found.ts'
import { useTaskTitle } from '../../lib/use-task-title.ts'
import { newsMessages, notificationsMessages } from './messages.ts'
import { namedMessages } from './named-messages.ts'
import { newsTable, targetOf, type NewsKind } from './news.ts'
import type { News } from './use-news.ts'
import { useOthers, type Who } from './use-others.ts'

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
  const seen = news.slice(0, shown)
  const otherOf = useOthers(seen)
  return (
    <div className="grid gap-4">
      <HappeningDays items={seen} atOf={({ created_at: at }) => at} label={say('list')}>
        {(one) => (
          <NewsRow key={one.id} news={one} other={otherOf(one)} isUnread={unread.has(one.id) && !one.isOwnStep} />
        )}
      </HappeningDays>
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

/** What each kind is about; what went well or wrong, or waits, has its colour. */
const icons: Readonly<Record<NewsKind, IconName>> = {
  task: 'clipboard-text',
  application: 'user-circle',
  work: 'camera',
  money: 'coins',
  dispute: 'scales',
  rating: 'star-fill',
  message: 'chat-circle-text',
  webhook: 'plugs-connected',
  invitation: 'briefcase',
  search: 'magnifying-glass',
  portfolio: 'image',
}
const tones: Readonly<Partial<Record<News['type'], HappeningTone>>> = {
  'task.assigned': 'move',
  'worker.applied': 'move',
  'submission.received': 'move',
  'submission.approved': 'good',
  'payment.released': 'good',
  'cash_out.sent': 'good',
  'review.reminder': 'warn',
  'review.lapsed': 'warn',
  'submission.revision_requested': 'warn',
  'endpoint.disabled': 'warn',
  'task.assign_failed': 'bad',
  'submission.rejected': 'bad',
  'payment.failed': 'bad',
  'cash_out.failed': 'bad',
  'dispute.opened': 'bad',
}

/** What it is about where that has no title. */
const untitled = ({ type, data }: News): 'webhook' | 'earnings' | 'atask' => {
  if (typeof data['webhook_id'] === 'string') return 'webhook'
  return type === 'cash_out.sent' || type === 'cash_out.failed' ? 'earnings' : 'atask'
}

type RowProps = { readonly news: News; readonly other: Who | undefined; readonly isUnread: boolean }
type Named = keyof typeof namedMessages.en
const isNamed = (key: string): key is Named => Object.hasOwn(namedMessages.en, key)

function NewsRow({ news, other, isUnread }: RowProps): ReactNode {
  const named = useMessages(namedMessages)
  const say = useMessages(notificationsMessages)
  const happened = useMessages(newsMessages)
  const titleOf = useTaskTitle()
  const { type, part, data, about, created_at: at } = news
  const to = type === 'search.found' ? targetOfFound(data) : targetOf(news, part)
  const usd = [data['worker_amount'], data['amount_usd']].find((one) => typeof one === 'number')
  const key = `${type} ${part ?? ''}`
  const by = other !== undefined && isNamed(key) ? { who: other, says: named(key, { who: other.who }) } : undefined
  const reason = type === 'endpoint.disabled' ? data['url'] : data['reason']
  return (
    <Happening
      icon={icons[newsTable[type]?.kind ?? 'task']}
      tone={tones[type]}
      portrait={
        by === undefined ? undefined : (
          <Portrait
            address={by.who.wallet}
            party={by.who.party}
            name={by.who.name}
            picture={by.who.picture}
            size={40}
          />
        )
      }
      said={by?.says ?? happened(type, { part: part ?? 'other' })}
      about={to === undefined ? undefined : about === undefined ? say(untitled(news)) : titleOf(about)}
      to={to}
      usd={usd}
      at={at}
      isUnread={isUnread}
    >
      {typeof reason === 'string' && reason !== '' && <p className="text-sm text-quiet wrap-anywhere">{reason}</p>}
    </Happening>
  )
}
