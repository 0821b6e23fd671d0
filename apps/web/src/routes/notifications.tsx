import type { ReactNode } from 'react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { SelectField } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading, Note } from '../components/surface.tsx'
import { LiveNote } from '../features/notifications/live-note.tsx'
import { notificationsMessages } from '../features/notifications/messages.ts'
import { newsKinds, newsTable } from '../features/notifications/news.ts'
import { NewsList } from '../features/notifications/news-list.tsx'
import { useNews } from '../features/notifications/use-news.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/notifications')

/** What concerns the person, as it happens, and what of it is new. */
export function NotificationsScreen(): ReactNode {
  const say = useMessages(notificationsMessages)
  const { wallet } = useSession()
  return (
    <Page title={say('title')} lead={say('lead')}>
      {wallet === null && <SignedOut what={say('signedOut')} />}
      {wallet === undefined && <SessionUnknown />}
      {typeof wallet === 'string' && (
        <>
          <LiveNote wallet={wallet} />
          <Feed wallet={wallet} />
        </>
      )}
    </Page>
  )
}

function Feed({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(notificationsMessages)
  const { kind: named, show } = route.useSearch()
  const navigate = useNavigate()
  const { news, error, retry, isCut, unread, markRead } = useNews(wallet)
  const kind = newsKinds.find((one) => one === named)
  const areStepsShown = show === 'all'
  if (error !== null && news === undefined) return <Failure error={error} retry={retry} />
  if (news === undefined) return <Loading says={say('loading')} />
  const wanted = news.filter(
    ({ type, isOwnStep }) => (kind === undefined || newsTable[type]?.kind === kind) && (areStepsShown || !isOwnStep),
  )
  const isAnyNew = news.some(({ id, isOwnStep }) => !isOwnStep && unread.has(id))
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-56 grow sm:grow-0">
          <SelectField
            label={say('filter')}
            value={kind ?? ''}
            onChange={({ target }) => {
              void navigate({
                to: '/notifications',
                search: { show, kind: target.value === '' ? undefined : target.value },
                replace: true,
                resetScroll: false,
              })
            }}
          >
            <option value="">{say('every')}</option>
            {newsKinds.map((one) => (
              <option key={one} value={one}>
                {say(`kind.${one}`)}
              </option>
            ))}
          </SelectField>
        </div>
        {isAnyNew && <Button onClick={markRead}>{say('read')}</Button>}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p role="status" className="text-quiet">
          {say('total', { n: wanted.length })}
        </p>
        <Link
          to="/notifications"
          search={{ kind, show: areStepsShown ? undefined : 'all' }}
          replace
          resetScroll={false}
          className="link inline-flex min-h-6 items-center"
        >
          {say(areStepsShown ? 'newsOnly' : 'steps')}
        </Link>
      </div>
      {isCut && (
        <Note>
          <p>{say('cut')}</p>
        </Note>
      )}
      {error !== null && <Failure error={error} retry={retry} />}
      {wanted.length === 0 ? (
        <Empty title={say(kind === undefined ? 'none' : 'noneKind')}>
          <p className="text-quiet">{say('noneHelp')}</p>
          <LinkButton to="/find">{say('find')}</LinkButton>
        </Empty>
      ) : (
        <NewsList key={`${kind ?? ''} ${show ?? ''}`} news={wanted} unread={unread} />
      )}
    </div>
  )
}
